import type { Machine, RunOrigin } from '../benchmark/result.ts';
import type { DataItem } from './collect/data-item.ts';
import type { NotRun } from './prepare/prepare-workload.ts';
import type { ThresholdRatio } from './threshold.ts';

/** The result of a workload that ran to its end. */
export interface WorkloadResult {
  /** The name, such as `SchedulingBasic/5000Nodes`. */
  readonly name: string;
  readonly labels: readonly string[];
  /** The time from the first operation to the last on the loop's clock, including idle time that was skipped. */
  readonly seconds: number;
  /** The time of the work alone, without idle time. Absent in reports of older versions. */
  readonly workSeconds?: number;
  readonly items: readonly DataItem[];
  readonly threshold?: ThresholdRatio | undefined;
}

/** The report that `-o json` prints. */
export interface PerfReport {
  readonly format: typeof PERF_FORMAT;
  readonly version: typeof PERF_VERSION;
  readonly machine: Machine;
  /** Absent in reports of older versions. */
  readonly origin?: RunOrigin;
  /** The benchmark file. */
  readonly config: string;
  readonly topic: string;
  readonly results: readonly WorkloadResult[];
  /** Workloads that need something that Berth does not have. */
  readonly notRun: readonly NotRun[];
  /** Workloads that were started and failed. */
  readonly failed: readonly NotRun[];
}

export const PERF_FORMAT = 'berth-perf';
export const PERF_VERSION = 1;
