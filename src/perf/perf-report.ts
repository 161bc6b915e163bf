import type { Machine } from '../benchmark/result.ts';
import type { DataItem } from './collect/data-item.ts';
import type { NotRun } from './prepare/prepare-workload.ts';
import type { ThresholdRatio } from './threshold.ts';

/** One workload that ran to its end. */
export interface WorkloadResult {
  /** `SchedulingBasic/5000Nodes`. */
  readonly name: string;
  readonly labels: readonly string[];
  /** From the first operation to the last, on the loop's clock: waiting that was skipped included. */
  readonly seconds: number;
  readonly items: readonly DataItem[];
  readonly threshold?: ThresholdRatio | undefined;
}

/** What `-o json` prints. */
export interface PerfReport {
  readonly format: typeof PERF_FORMAT;
  readonly version: typeof PERF_VERSION;
  readonly machine: Machine;
  /** The benchmark file. */
  readonly config: string;
  readonly topic: string;
  readonly results: readonly WorkloadResult[];
  /** What Berth cannot do. */
  readonly notRun: readonly NotRun[];
  /** What began, and went wrong. */
  readonly failed: readonly NotRun[];
}

export const PERF_FORMAT = 'berth-perf';
export const PERF_VERSION = 1;
