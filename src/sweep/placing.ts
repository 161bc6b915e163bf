import { podKey } from '../api/object-name.ts';
import type { Pod } from '../api/pod.ts';
import { decisionHash } from '../benchmark/decision-hash.ts';
import { placeAllOf } from '../benchmark/place-all.ts';
import { type BenchKind, syntheticCluster } from '../benchmark/suite.ts';
import type { SchedulerConfiguration } from '../config/configuration.ts';
import type { FeatureGates } from '../config/feature-gates.ts';
import { schedulerNames } from '../config/scheduler-names.ts';
import { Scheduler } from '../core/scheduler.ts';
import type { TieBreak } from '../framework/tie-break.ts';
import { CodedError } from '../lib/errors.ts';
import type { ClusterManifest } from '../manifests/cluster-manifest.ts';
import { loadCluster } from '../manifests/load-cluster.ts';
import { selectPods } from '../manifests/pod-selection.ts';
import type { Executor } from './executor.ts';
import type { RunResult } from './rows.ts';
import type { Settings } from './settings.ts';
import { utilisation } from './utilisation.ts';

/** What is placed: the pods of a cluster. */
export interface Placing {
  /** The cluster of manifests; null: a synthetic one, made from the seed. */
  readonly cluster: ClusterManifest | null;
  readonly configuration: SchedulerConfiguration | undefined;
  readonly featureGates: Partial<FeatureGates> | undefined;
  readonly settings: Settings;
}

const DEFAULT_NODES = 1000;
const DEFAULT_PODS = 5000;

/** Places the pods. The seed is used both for a synthetic cluster and for ties. */
export function place(
  { cluster: given, configuration, featureGates, settings }: Placing,
  seed: number,
  by: Executor,
): RunResult {
  const { kind = 'hetero', nodes = DEFAULT_NODES, pods = DEFAULT_PODS, percentageOfNodesToScore } = settings;
  const cluster = given ?? syntheticCluster(kind as BenchKind, nodes as number, pods as number, seed);
  const scheduler = new Scheduler({
    ...{ engine: by.engine, index: by.index, tieBreak: (settings['tieBreak'] as TieBreak) ?? 'first', seed },
    // Other runs use the other cores, and objects were checked when they were read.
    ...{ workers: 1, validate: false },
    ...(percentageOfNodesToScore !== undefined && { percentageOfNodesToScore: percentageOfNodesToScore as number }),
    ...(configuration !== undefined && { configuration }),
    ...(featureGates !== undefined && { featureGates }),
  });
  const selection = selectPods(cluster.pods, schedulerNames(configuration));
  loadCluster(scheduler, cluster, selection);
  const outcome = placeAllOf([...selection.bound, ...selection.pending]).placeAll(scheduler, selection.pending);
  const decisions = [...outcome.decisions()];
  scheduler[Symbol.dispose]();
  return {
    ...NOT_SIMULATED,
    end: 'placed',
    scheduled: outcome.scheduled,
    unschedulable: selection.pending.length - outcome.scheduled,
    ...endState(cluster, selection, decisions),
    hash: decisionHash(decisions),
  };
}

/** @throws CodedError `NothingToSchedule` when no profile is for the pods of a synthetic cluster */
export function checkProfiles(configuration: SchedulerConfiguration, name: string): void {
  if (schedulerNames(configuration).has('default-scheduler')) return;
  const reason = 'profiles: none is for default-scheduler, which the pods of a synthetic cluster ask for';
  throw new CodedError('NothingToSchedule', `${name}: ${reason}`);
}

const NOT_SIMULATED = {
  ...{ succeeded: null, failed: null, latencyP50: null, latencyP90: null, latencyP99: null, latencyMax: null },
  ...{ jobsComplete: null, jobsFailed: null, simulatedSeconds: null, faultCount: null, errorCount: null },
} as const;

/** `decisions`: the decisions about the pending pods, as place-all.ts writes them. */
function endState(
  { nodes }: ClusterManifest,
  { bound, pending }: { readonly bound: readonly Pod[]; readonly pending: readonly Pod[] },
  decisions: readonly string[],
): Pick<RunResult, 'evicted' | 'nodesInUse' | 'utilisationCpu' | 'utilisationMemory' | 'utilisationPods'> {
  const placed = new Map<string, { readonly pod: Pod; readonly node: string }>();
  for (const pod of bound) placed.set(podKey(pod), { pod, node: pod.spec?.nodeName ?? '' });
  let evicted = 0;
  for (const [index, decision] of decisions.entries()) {
    const [node = '', ...victims] = decision.split(' ');
    for (const victim of victims) placed.delete(victim);
    evicted += victims.length;
    const pod = pending[index] as Pod;
    if (node !== '') placed.set(podKey(pod), { pod, node });
  }
  const running = [...placed.values()];
  const { cpu, memory, pods } = utilisation(
    nodes,
    running.map(({ pod }) => pod),
  );
  return {
    evicted,
    nodesInUse: new Set(running.map(({ node }) => node)).size,
    ...{ utilisationCpu: cpu, utilisationMemory: memory, utilisationPods: pods },
  };
}
