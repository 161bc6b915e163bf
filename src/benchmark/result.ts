import type { PhaseReport } from '../framework/tracing/phase-times.ts';
import type { EngineName, Workers } from './subject.ts';

/** The machine that a result was measured on. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly node: string;
  readonly platform: string;
}

/** Of single pods, timed one by one on a cluster that has not seen their like. */
export interface Latency {
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly samples: number;
}

/** What a scheduler keeps, in its heap and in the kernels' memory, without the objects that it was given. */
export interface BytesKept {
  /** Of a node without pods, before any pod was seen. */
  readonly bytesPerNode: number;
  /** What all classes of pods together keep of a node; null where too few pods were placed to tell. */
  readonly classBytesPerNode: number | null;
  /** Of a pod on a node; null likewise. */
  readonly bytesPerPod: number | null;
}

/** One variant of the scheduler on one cluster. */
export interface BenchResult extends BytesKept {
  readonly suite: string;
  readonly kind: string;
  readonly engine: EngineName;
  /** The reference engine has none. */
  readonly index: boolean;
  /** Threads that shared the work on one pod where that was faster. */
  readonly workers: Workers;
  readonly nodes: number;
  readonly pods: number;
  readonly scheduled: number;
  /** How many of the pods evicted others. */
  readonly preemptions: number;
  /** The median of the repetitions: placing all pods in one batch, nodes loaded before. */
  readonly seconds: number;
  /** Of every repetition, in the order in which they ran. */
  readonly secondsOfRuns: readonly number[];
  /** Of kind `preemption`: preemptions, each with the eviction and the placing that follow from it. */
  readonly podsPerSecond: number;
  readonly latencyMicros: Latency;
  /** Pods x nodes / seconds: what a scheduler that looks at every node would have to evaluate. */
  readonly nodeEvaluationsPerSecond: number;
  /** What the decisions look for; 100 when every node counts. */
  readonly percentageOfNodesScored: number;
  /** The peak of the process so far, earlier engines included. */
  readonly peakRssBytes: number;
  readonly decisionHash: string;
  /** Of all repetitions together; only where it was asked for. */
  readonly phases?: PhaseReport;
}

/** A case of a suite that was not measured, and why. */
export interface SkippedCase {
  /** Kind and nodes. */
  readonly cluster: string;
  readonly variant: string;
  readonly reason: string;
}

/** What `-o json` prints and `bench compare` reads. */
export interface BenchReport {
  readonly format: typeof REPORT_FORMAT;
  readonly version: typeof REPORT_VERSION;
  readonly machine: Machine;
  readonly results: readonly BenchResult[];
  /** Of a suite: what did not fit its budget. */
  readonly skipped?: readonly SkippedCase[];
  /** Of the core suite: what it is run for. */
  readonly figures?: readonly Figure[];
}

export const REPORT_FORMAT = 'berth-bench';
export const REPORT_VERSION = 1;

/** A number that the core suite is run for. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  /** Which way is good. */
  readonly bound: 'atLeast' | 'atMost';
  /** null: shown for what it is. */
  readonly wanted: number | null;
  /** null: the cases that it follows from were not run. */
  readonly measured: number | null;
  /** null where there is nothing to judge. */
  readonly isMet: boolean | null;
}
