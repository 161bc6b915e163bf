import type { Pod } from '../api/pod.ts';
import { podGroupKeyOf } from '../api/pod-group.ts';
import { type GroupExplanation, PodGroupScheduler } from '../cluster/pod-group-scheduler.ts';
import type { TrialScheduler } from './trial-scheduler.ts';

/** Groups that are explained: each takes a trial in a copy of the cluster. */
const EXPLAINED_MAX = 20;

/** How it stands with the groups of pods that wait, those first that have waited longest. */
export function waitingGroups(scheduler: TrialScheduler, waiting: readonly Pod[]): readonly GroupExplanation[] {
  if (!(scheduler instanceof PodGroupScheduler)) return [];
  const byGroup = new Map<string, Pod>();
  for (const pod of waiting) {
    const key = podGroupKeyOf(pod);
    if (key !== '' && !byGroup.has(key)) byGroup.set(key, pod);
  }
  return [...byGroup.values()].slice(0, EXPLAINED_MAX).flatMap((pod) => scheduler.explainInGroup(pod).group ?? []);
}

/** Why the group has no place, in one sentence. */
export function groupReason({ minCount, podCount, scheduledCount, message, members }: GroupExplanation): string {
  const placedCount = members.filter(({ node }) => node !== null).length;
  const needed = minCount === null ? podCount : minCount;
  const first = members.find(({ node }) => node === null);
  const why = first === undefined ? '' : `, ${first.pod}: ${first.message.replace(/\.$/, '')}`;
  return `${message}: ${scheduledCount + placedCount} of ${needed} pods have a place${why}`;
}
