import type { PhaseReport } from '../framework/tracing/phase-times.ts';
import type { Percentiles } from '../lib/percentile.ts';
import type { EngineName, Workers } from './subject.ts';

/** The machine that a result was measured on. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly node: string;
  readonly platform: string;
}

/** The latency of single pods, timed one by one on a cluster that has not seen such pods before. */
export interface Latency extends Percentiles {
  readonly samples: number;
}

/** The memory that a scheduler keeps, in its heap and in the kernels' memory, without the objects that it was given. */
export interface BytesKept {
  /** Bytes for a node without pods, before any pod was seen. */
  readonly bytesPerNode: number;
  /** Bytes that all pod signatures together keep for a node; null if too few pods were placed to measure it. */
  readonly classBytesPerNode: number | null;
  /** Bytes for a pod on a node; null if too few pods were placed to measure it. */
  readonly bytesPerPod: number | null;
}

/** The result of one variant of the scheduler on one cluster. */
export interface BenchResult extends BytesKept {
  readonly suite: string;
  readonly kind: string;
  readonly engine: EngineName;
  /** Whether the engine had an index; the reference engine has none. */
  readonly index: boolean;
  /** The number of threads that shared the work on one pod where that was faster. */
  readonly workers: Workers;
  readonly nodes: number;
  readonly pods: number;
  readonly scheduled: number;
  /** How many of the pods evicted others. */
  readonly preemptions: number;
  /** The median of the repetitions: the time to place all pods in one batch, with the nodes loaded before. */
  readonly seconds: number;
  /** The times of all repetitions, in the order in which they ran. */
  readonly secondsOfRuns: readonly number[];
  /** The throughput. For kind `preemption` it counts preemptions, each with its eviction and placement. */
  readonly podsPerSecond: number;
  readonly latencyMicros: Latency;
  /** Pods x nodes / seconds: the evaluations of a scheduler that looks at every node. */
  readonly nodeEvaluationsPerSecond: number;
  /** The percentage of nodes that decisions look for; 100 when every node counts. */
  readonly percentageOfNodesScored: number;
  /** The peak of the process so far, which includes earlier engines. */
  readonly peakRssBytes: number;
  readonly decisionHash: string;
  /** The phases of all repetitions together; absent unless requested. */
  readonly phases?: PhaseReport;
}

/** A case of a suite that was not measured, and the reason. */
export interface SkippedCase {
  /** Kind and number of nodes. */
  readonly cluster: string;
  readonly variant: string;
  readonly reason: string;
}

/** Where results come from. */
export interface RunOrigin {
  /** The version of Berth. */
  readonly berth: string;
  /** The commit of a clone; null in an installed package. */
  readonly commit: string | null;
  readonly command: string;
  readonly seed: number;
  /** When the command began. */
  readonly time: string;
}

/** The report that `-o json` prints and `bench compare` reads. */
export interface BenchReport {
  readonly format: typeof REPORT_FORMAT;
  readonly version: typeof REPORT_VERSION;
  readonly machine: Machine;
  /** Absent in reports of older versions. */
  readonly origin?: RunOrigin;
  readonly results: readonly BenchResult[];
  /** For a suite: the cases that did not fit its budget. */
  readonly skipped?: readonly SkippedCase[];
  /** For the core suite: its figures. */
  readonly figures?: readonly Figure[];
}

export const REPORT_FORMAT = 'berth-bench';
export const REPORT_VERSION = 1;

/** A number that the core suite is run for. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  /** Whether higher or lower values are better. */
  readonly bound: 'atLeast' | 'atMost';
  /** The wanted value; null for a figure without one. */
  readonly wanted: number | null;
  /** The measured value; null if the cases that it follows from were not run. */
  readonly measured: number | null;
  /** Whether the wanted value is met; null if there is nothing to judge. */
  readonly isMet: boolean | null;
}
