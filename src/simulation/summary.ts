import { type Percentiles, percentiles } from '../benchmark/percentile.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { ClusterStatistics } from './cluster-statistics.ts';
import type { JobTotals } from './job-counts.ts';
import type { PodTotals } from './pod-counts.ts';
import type { Usage } from './usage-meter.ts';

/**
 *   settled      everything that could end has ended, and nothing waits
 *   stuck        nothing happens any more, but pods wait for a node, or run without end, or Jobs are not finished
 *   until        the requested time is over
 *   interrupted  it was ended from outside
 */
export type SimulationEnd = 'settled' | 'stuck' | 'until' | 'interrupted';

export interface LatencySummary extends Percentiles {
  readonly max: number;
}

/** The result of a simulation: the same for the same input, on every machine. */
export interface SimulationSummary {
  readonly end: SimulationEnd;
  readonly seed: number;
  /** The simulated time until the end, or until the last change if nothing happened any more. */
  readonly simulatedSeconds: number;
  readonly nodes: number;
  readonly pods: PodTotals & {
    /** The phases at the end. */
    readonly pending: number;
    readonly running: number;
  };
  readonly jobs: JobTotals & { readonly active: number };
  /** The times from the creation of a pod to its binding; null when none was scheduled. */
  readonly schedulingLatencySeconds: LatencySummary | null;
  /** The share of the nodes' allocatable resources that pods requested, by resource. */
  readonly utilisation: Readonly<Record<string, Usage>>;
  /** How often each kind of fault had a target. */
  readonly faults: Readonly<Record<string, number>>;
  /** The number of errors that stopped nothing: the failed work was retried or given up. */
  readonly reportedErrors: number;
  readonly log: { readonly lines: number; readonly sha256: string };
}

export interface SummarySource {
  readonly cluster: Cluster;
  readonly statistics: ClusterStatistics;
  readonly seed: number;
  readonly end: SimulationEnd;
  readonly elapsedMillis: number;
  readonly faults: Readonly<Record<string, number>>;
  readonly reportedErrors: number;
}

export function summaryOf(source: SummarySource): SimulationSummary {
  const { cluster, statistics, seed, end, elapsedMillis, faults, reportedErrors } = source;
  const { pods, jobs, meter } = statistics;
  return {
    ...{ end, seed },
    simulatedSeconds: elapsedMillis / 1000,
    nodes: statistics.nodeCount,
    pods: { ...pods.totals, pending: pods.phases.Pending, running: pods.phases.Running },
    jobs: { ...jobs.totals, active: jobs.activeCount },
    schedulingLatencySeconds: latencyOf(pods.latenciesMillis),
    utilisation: meter.usage(Math.max(statistics.lastChangeMillis, meter.lastMillis)),
    ...{ faults, reportedErrors },
    log: { lines: cluster.log.lineCount, sha256: cluster.log.hash() },
  };
}

function latencyOf(millis: readonly number[]): LatencySummary | null {
  if (millis.length === 0) return null;
  const seconds = Float64Array.from(millis, (value) => value / 1000).sort();
  return { ...percentiles(seconds), max: seconds.at(-1) ?? 0 };
}
