import { podKey } from '../api/object-name.ts';
import type { Pod } from '../api/pod.ts';
import type { ClusterManifest } from '../manifests/cluster-manifest.ts';
import { loadCluster } from '../manifests/load-cluster.ts';
import type { PodSelection } from '../manifests/pod-selection.ts';
import type { PodFate } from './fate.ts';
import { replacementOf, successionOf } from './replacement.ts';
import { Trial, type TrialOptions } from './trial.ts';
import type { TrialScheduler } from './trial-scheduler.ts';

/** Where the pods of a cluster come to be if they are all placed anew, with and without a change. */
export interface Comparison {
  readonly placedBefore: number;
  readonly placedAfter: number;
  readonly pendingBefore: number;
  readonly pendingAfter: number;
  readonly fates: readonly PodFate[];
}

/**
 * Places all pods of a cluster anew, in its present configuration and in a new one: a scheduler moves nothing that is
 * placed, so that two empty clusters are what can be compared. Pods that belong to their nodes stay there.
 */
export async function compareConfigurations(
  cluster: ClusterManifest,
  { bound, pending }: Pick<PodSelection, 'bound' | 'pending'>,
  [today, changed]: readonly [TrialScheduler, TrialScheduler],
  options: TrialOptions,
): Promise<Comparison> {
  const fixed = bound.filter((pod) => !isMovable(pod));
  const movable = [...bound.filter(isMovable).map(replacementOf), ...pending];
  const place = async (scheduler: TrialScheduler) => {
    loadCluster(scheduler, cluster, { bound: fixed, pending: [], deletingCount: 0, foreign: new Map() });
    const trial = new Trial(scheduler, movable, { ...options, replacesBare: true });
    await trial.settle();
    const waiting = new Map(trial.stillWaiting().map((fate) => [fate.pod, fate.reason]));
    const nodes = new Map(scheduler.pods().map(({ pod, node }) => [podKey(pod), node]));
    return { waiting, nodes };
  };
  const before = await place(today);
  const after = await place(changed);
  const fates: PodFate[] = [];
  for (const key of movable.map(podKey)) {
    const [from, to] = [before.nodes.get(key) ?? null, after.nodes.get(key) ?? null];
    const cause = 'the configuration is changed';
    if (from === to) continue;
    const outcome = to === null ? 'pending' : from === null ? 'placed' : 'moved';
    fates.push({ pod: key, outcome, from, to, cause, reason: after.waiting.get(key) ?? '' });
  }
  return {
    placedBefore: fixed.length + movable.length - before.waiting.size,
    placedAfter: fixed.length + movable.length - after.waiting.size,
    ...{ pendingBefore: before.waiting.size, pendingAfter: after.waiting.size, fates },
  };
}

function isMovable(pod: Pod): boolean {
  const succession = successionOf(pod);
  return succession === 'replaced' || succession === 'lost';
}
