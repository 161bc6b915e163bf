import { type Percentiles, percentiles } from '../benchmark/percentile.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { ClusterStatistics } from './cluster-statistics.ts';

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
export type SimulationSummary = Readonly<ReturnType<typeof summaryOf>>;

export interface SummarySource {
  readonly cluster: Cluster;
  readonly statistics: ClusterStatistics;
  readonly seed: number;
  readonly end: SimulationEnd;
  readonly elapsedMillis: number;
  /** How often each kind of fault had a target. */
  readonly faults: Readonly<Record<string, number>>;
  /** The number of errors that stopped nothing: the failed work was retried or given up. */
  readonly reportedErrors: number;
}

export function summaryOf(source: SummarySource) {
  const { cluster, statistics, seed, end, elapsedMillis, faults, reportedErrors } = source;
  const { pods, jobs, meter } = statistics;
  return {
    ...{ end, seed },
    /** The simulated time until the end, or until the last change if nothing happened any more. */
    simulatedSeconds: elapsedMillis / 1000,
    nodes: statistics.nodeCount,
    /** The totals, and the phases at the end. */
    pods: { ...pods.totals, pending: pods.phases.Pending, running: pods.phases.Running },
    jobs: { ...jobs.totals, active: jobs.activeCount },
    /** The times from the creation of a pod to its binding; null when none was scheduled. */
    schedulingLatencySeconds: latencyOf(pods.latenciesMillis),
    /** The share of the nodes' allocatable resources that pods requested, by resource. */
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
