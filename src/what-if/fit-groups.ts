import { podKey } from '../api/object-name.ts';
import type { Pod } from '../api/pod.ts';
import type { PodGroup } from '../api/pod-group.ts';
import type { PodGroupScheduler } from '../cluster/pod-group-scheduler.ts';
import type { MoreFit } from './fit-more.ts';
import { groupReason } from './group-reason.ts';
import { replacementOf } from './replacement.ts';
import { type Pause, reasonOf } from './trial.ts';

/** A group with all of its pods. */
export interface SampleGroup {
  readonly podGroup: PodGroup;
  readonly pods: readonly Pod[];
}

/** More groups than any cluster holds. */
const GROUPS_MAX = 100_000;

/** Places one copy of the group after the other, until one does not have a place for all of its pods. */
export async function fitGroups(scheduler: PodGroupScheduler, group: SampleGroup, pause: Pause): Promise<MoreFit> {
  const copy = copiesOfGroup(group);
  const byNode = new Map<string, number>();
  for (let count = 0; count < GROUPS_MAX; count++) {
    await pause();
    const { podGroup, pods } = copy(count);
    scheduler.setObject('PodGroup', podGroup);
    const batch = scheduler.scheduleBatch(pods);
    const rejected = pods.findIndex((_, i) => batch.nodeName(i) === null);
    if (rejected >= 0) {
      const pod = pods[rejected] as Pod;
      const { group: explained } = scheduler.explainInGroup(pod);
      const reason = explained?.hasPlace === false ? groupReason(explained) : reasonOf(scheduler.failureOf(pod));
      return { count, byNode, reason };
    }
    for (let i = 0; i < pods.length; i++) {
      const node = batch.nodeName(i) ?? '';
      byNode.set(node, (byNode.get(node) ?? 0) + 1);
    }
  }
  return { count: GROUPS_MAX, byNode, reason: '' };
}

/** Makes copies of the group, by number, that preempt nobody. */
export function copiesOfGroup({ podGroup, pods }: SampleGroup): (number: number) => SampleGroup {
  const { status: _, ...group } = podGroup;
  const name = group.metadata?.name ?? '';
  return (number) => {
    const podGroupName = `${name}-fit-${number}`;
    return {
      podGroup: { ...group, metadata: { ...group.metadata, name: podGroupName, uid: podGroupName } },
      pods: pods.map((pod): Pod => {
        const { metadata, spec = { containers: [] } } = replacementOf(pod);
        const own = `${metadata?.name ?? ''}-fit-${number}`;
        const schedulingGroup = { ...spec.schedulingGroup, podGroupName };
        return {
          metadata: { ...metadata, name: own, uid: `${podKey(pod)}-fit-${number}` },
          spec: { ...spec, preemptionPolicy: 'Never', schedulingGroup },
        };
      }),
    };
  };
}
