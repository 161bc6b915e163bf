import type { EngineName } from './subject.ts';

/** The machine that a result was measured on. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly node: string;
  readonly platform: string;
}

/** One engine on one cluster. */
export interface BenchResult {
  readonly suite: string;
  readonly kind: string;
  readonly engine: EngineName;
  /** Threads that shared the work on one pod where that was faster. */
  readonly workers: number;
  readonly nodes: number;
  readonly pods: number;
  readonly scheduled: number;
  /** How many of the pods evicted others. */
  readonly preemptions: number;
  /** The median of the repetitions: placing all pods in one batch, nodes loaded before. */
  readonly seconds: number;
  /** Of kind `preemption`: preemptions, each with the eviction and the placing that follow from it. */
  readonly podsPerSecond: number;
  /** Of single pods, timed one by one in a run of their own. */
  readonly latencyMicros: { readonly p50: number; readonly p90: number; readonly p99: number };
  /** Pods x nodes / seconds: what a scheduler that looks at every node would have to evaluate. */
  readonly nodeEvaluationsPerSecond: number;
  /** What the decisions look for; 100 when every node counts. */
  readonly percentageOfNodesScored: number;
  /** The peak of the process so far, earlier engines included. */
  readonly peakRssBytes: number;
  readonly decisionHash: string;
}

export interface BenchReport {
  readonly machine: Machine;
  readonly results: readonly BenchResult[];
}
