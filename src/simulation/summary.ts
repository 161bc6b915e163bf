import type { Cluster } from '../cluster/cluster.ts';
import { type Percentiles, percentiles } from '../lib/percentile.ts';
import type { SchedulerShards } from '../scheduler/shards/scheduler-shards.ts';
import type { ErrorGroups } from './error-groups.ts';
import type { ClusterStatistics } from './statistics/cluster-statistics.ts';
import { openPods } from './statistics/open-pods.ts';
import type { Placements } from './trace/placements.ts';

/**
 *   settled      everything that could end has ended, and nothing waits
 *   stuck        nothing happens any more, but pods do not run, or run without end, or Jobs are not finished
 *   until        the requested time is over
 *   interrupted  it was ended from outside
 */
export type SimulationEnd = 'settled' | 'stuck' | 'until' | 'interrupted';

/** How long pods waited, in milliseconds. */
export interface LatencySummary extends Percentiles {
  readonly max: number;
  /** How many of these pods still wait. */
  readonly waiting: number;
}

/** The result of a simulation: the same for the same input, on every machine. */
export type SimulationSummary = Readonly<ReturnType<typeof summaryOf>>;

/** What the summary of a simulation is made of. */
export interface SummarySource {
  readonly cluster: Cluster;
  readonly statistics: ClusterStatistics;
  readonly seed: number;
  readonly end: SimulationEnd;
  readonly startMillis: number;
  /** When the run was ended, which may be long after the last change. */
  readonly clockMillis: number;
  readonly elapsedMillis: number;
  /** Whether controllers make pods for workloads. */
  readonly expands: boolean;
  /** How often each kind of fault had a target. */
  readonly faults: Readonly<Record<string, number>>;
  /** How often each kind of fault had none. */
  readonly missedFaults: Readonly<Record<string, number>>;
  /** Errors that stopped nothing: the failed work was retried or given up. */
  readonly errors: ErrorGroups;
  /** Why it ended, for people. */
  readonly reason: string;
  /** How the nodes of pods compare with those of the recording that was played; absent without one. */
  readonly placements?: Placements | undefined;
}

/** Sums up a simulation that has ended. */
export function summaryOf(source: SummarySource) {
  const { cluster, statistics, seed, end, startMillis, clockMillis, elapsedMillis, faults, errors, reason } = source;
  const { pods, jobs, meter } = statistics;
  const { Pending: pending, Running: running, Unreachable: unreachable } = pods.stages;
  const endMillis = Math.max(startMillis + elapsedMillis, statistics.lastChangeMillis);
  return {
    ...{ end, reason, seed },
    /**
     * The simulated time: until the end that was asked for, or until the last change if nothing happened any more. The
     * quiet time that is waited after the last change is not part of it.
     */
    simulatedSeconds: elapsedMillis / 1000,
    nodes: statistics.nodeCount,
    nodesNotReady: statistics.notReadyCount,
    /** The totals, and the pods at the end: those that would run if their node answered are unreachable. */
    pods: { ...pods.totals, pending, running, unreachable },
    jobs: { ...jobs.totals, active: jobs.activeCount, ...jobTimes(jobs), queues: queuesOf(jobs) },
    /**
     * The times from the creation of a pod to its binding, or to the moment when the run was ended for those that still
     * wait; null without pods that were to be scheduled.
     */
    schedulingLatencySeconds: latencyOf(pods.latenciesMillis, pods.waitingMillis(clockMillis)),
    /** The share of the ready nodes' allocatable resources that pods on them requested, by resource. */
    utilisation: meter.usage(endMillis),
    /** What nodes that were not ready took away; empty if all were ready all the time. */
    capacity: meter.capacity(),
    ...{ faults, missedFaults: source.missedFaults },
    ...{ reportedErrors: errors.count, errors: errors.groups(), open: openPods(cluster.store, source.expands) },
    ...(cluster.shards !== undefined && { schedulers: schedulersOf(cluster.shards) }),
    ...(source.placements && { placements: source.placements }),
    log: { lines: cluster.log.lineCount, sha256: cluster.log.hash() },
  };
}

/** What several schedulers have done, each of them and together. */
function schedulersOf(shards: SchedulerShards) {
  const { counts } = shards;
  const [mostMillis, spanMillis] = [shards.spanMillis(MOST), shards.spanMillis(1)];
  const total = (of: (each: (typeof counts)[number]) => number): number =>
    counts.reduce((sum, each) => sum + of(each), 0);
  const [attempts, bound] = [total((each) => each.attempts), total((each) => each.bound)];
  return {
    ...{ attempts, bound, conflicts: total(({ conflicts }) => conflicts), handedOn: total(({ handedOn }) => handedOn) },
    /** Attempts that bound nothing: refused bindings, and pods for which no room was found. */
    retries: attempts - bound,
    /** The rate of the first 99 % of the bindings, since a few pods that waited for their back-off take long. */
    podsPerSecond: mostMillis === 0 ? null : ((bound * MOST) / mostMillis) * 1000,
    /** The time from the first decision to the last binding. */
    spanSeconds: spanMillis / 1000,
    each: counts.map(({ busyMillis, ...own }) => ({
      ...own,
      busyShare: spanMillis === 0 ? null : Math.min(1, busyMillis / spanMillis),
    })),
  };
}

/** The share of the bindings by which throughput is measured. */
const MOST = 0.99;

/** When all Jobs were done, and how long each of them took; null where there is nothing to say. */
function jobTimes({ makespanMillis, durationsMillis }: ClusterStatistics['jobs']): {
  makespanSeconds: number | null;
  durationSeconds: (Percentiles & { readonly max: number }) | null;
} {
  const makespanSeconds = makespanMillis === null ? null : makespanMillis / 1000;
  return { makespanSeconds, durationSeconds: durationsOf(durationsMillis) };
}

function durationsOf(durationsMillis: readonly number[]): (Percentiles & { readonly max: number }) | null {
  const seconds = Float64Array.from(durationsMillis, (value) => value / 1000).sort();
  return seconds.length === 0 ? null : { ...percentiles(seconds), max: seconds.at(-1) ?? 0 };
}

/** The Jobs of each queue, by its name. */
function queuesOf({ queues }: ClusterStatistics['jobs']) {
  return [...queues]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([queue, { created, complete, failed, durationsMillis }]) => {
      return { queue, created, complete, failed, durationSeconds: durationsOf(durationsMillis) };
    });
}

function latencyOf(bound: readonly number[], waiting: readonly number[]): LatencySummary | null {
  const millis = [...bound, ...waiting];
  if (millis.length === 0) return null;
  const seconds = Float64Array.from(millis, (value) => value / 1000).sort();
  return { ...percentiles(seconds), max: seconds.at(-1) ?? 0, waiting: waiting.length };
}
