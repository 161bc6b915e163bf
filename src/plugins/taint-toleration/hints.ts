import type { Node } from '../../api/node.ts';
import type { Pod } from '../../api/pod.ts';
import { DO_NOT_SCHEDULE, findUntoleratedTaint } from '../../api/taints.ts';
import { ActionType, type ClusterEventWithHint, clusterEvent, type QueueingHint } from '../../framework/events.ts';
import { isSameUid } from '../../framework/pod-changes.ts';
import type { PodInfo } from '../../framework/pod-info.ts';

export const TAINT_TOLERATION_EVENTS: readonly ClusterEventWithHint[] = [
  {
    event: clusterEvent('Node', ActionType.Add | ActionType.UpdateNodeTaint),
    hint: (pod, oldNode, newNode) => nodeChanged(pod, oldNode as Node | undefined, newNode as Node),
  },
  {
    event: clusterEvent('Pod', ActionType.UpdatePodToleration),
    hint: (pod, _oldPod, newPod) => (isSameUid(newPod as Pod, pod.uid) ? 'Queue' : 'QueueSkip'),
  },
];

/** The pod must tolerate the node now and not have done so before. */
function nodeChanged(pod: PodInfo, oldNode: Node | undefined, newNode: Node): QueueingHint {
  const tolerates = ({ spec }: Node): boolean =>
    findUntoleratedTaint(spec?.taints, pod.pod.spec?.tolerations, DO_NOT_SCHEDULE) === undefined;
  const didBefore = oldNode !== undefined && tolerates(oldNode);
  return !didBefore && tolerates(newNode) ? 'Queue' : 'QueueSkip';
}
