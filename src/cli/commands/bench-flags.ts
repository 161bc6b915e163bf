import type { RunOrigin } from '../../benchmark/result.ts';
import type { EngineName } from '../../benchmark/subject.ts';
import type { ClusterKind, DEFAULT_SUITE } from '../../benchmark/suite.ts';
import type { InputFlags } from '../flags/input-flags.ts';
import type { EngineFlags } from '../flags/options.ts';
import type { PerfFlags } from '../flags/perf-flags.ts';
import type { ProfilingFlags } from '../flags/profiling.ts';
import type { SchedulerFlags } from '../flags/scheduler-flags.ts';

export const BENCH_FORMATS = ['table', 'json', 'perfdash', 'gobench'] as const;

export interface BenchOutputFlags {
  readonly output: (typeof BENCH_FORMATS)[number];
  /** The name of an HTML file. */
  readonly report?: string;
  readonly origin: RunOrigin;
}

export const TOUR_NODES = 5000;
export const DEFAULT_PODS = 10_000;

/** The flags of `berth bench`. */
export interface BenchFlags
  extends SchedulerFlags,
    Omit<EngineFlags, 'engine'>,
    BenchOutputFlags,
    ProfilingFlags,
    InputFlags,
    PerfFlags {
  readonly suite?: typeof DEFAULT_SUITE;
  readonly kind?: readonly ClusterKind[];
  readonly engine?: readonly EngineName[];
  readonly nodes?: readonly number[];
  readonly pods?: number;
  readonly repeat?: number;
  readonly budget: number;
  readonly tour?: true;
  /** Whether no flag says how ties are broken. */
  readonly isTieBreakOpen?: boolean;
  readonly origin: RunOrigin;
}

/** Whether manifests are measured, not a synthetic cluster. */
export function isOfFiles({ filename, kustomize }: BenchFlags): boolean {
  return filename !== undefined || kustomize !== undefined;
}
