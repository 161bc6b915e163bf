import type { EngineName, Workers } from '../../benchmark/subject.ts';
import type { BenchKind, DEFAULT_SUITE } from '../../benchmark/suite.ts';
import type { ProfilingFlags } from '../flags/profiling.ts';
import type { SchedulerFlags } from '../flags/scheduler-flags.ts';
import type { BenchOutputFlags } from './bench-output.ts';
import type { PerfFlags } from './bench-perf.ts';

/** The flags of `berth bench`. */
export interface BenchFlags extends SchedulerFlags, BenchOutputFlags, ProfilingFlags, PerfFlags {
  readonly suite?: typeof DEFAULT_SUITE;
  readonly filename?: readonly string[];
  readonly kind?: BenchKind;
  readonly nodes?: readonly number[];
  readonly pods?: number;
  readonly engine?: EngineName;
  readonly index?: boolean;
  readonly workers?: Workers;
  readonly repeat?: number;
  readonly budget: number;
  readonly tour?: true;
  /** Nobody has said how ties are broken. */
  readonly isTieBreakOpen?: boolean;
}
