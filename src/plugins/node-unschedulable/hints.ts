import type { Node } from '../../api/node.ts';
import type { Pod } from '../../api/pod.ts';
import { ActionType, type ClusterEventWithHint, clusterEvent, type QueueingHint } from '../../framework/events.ts';
import { isSameUid } from '../../framework/pod-changes.ts';
import type { PodInfo } from '../../framework/pod-info.ts';

/** `tolerates`: whether the pod may go to a cordoned node. */
export function nodeUnschedulableEvents(tolerates: (pod: Pod) => boolean): readonly ClusterEventWithHint[] {
  const tolerationsChanged = (pod: PodInfo, changed: Pod): QueueingHint =>
    isSameUid(changed, pod.uid) && tolerates(changed) ? 'Queue' : 'QueueSkip';
  return [
    {
      event: clusterEvent('Node', ActionType.Add | ActionType.UpdateNodeTaint),
      hint: (_pod, oldNode, newNode) => nodeChanged(oldNode as Node | undefined, newNode as Node),
    },
    {
      event: clusterEvent('Pod', ActionType.UpdatePodToleration),
      hint: (pod, _oldPod, newPod) => tolerationsChanged(pod, newPod as Pod),
    },
  ];
}

/** The node must take pods now and not have done so before. */
function nodeChanged(oldNode: Node | undefined, newNode: Node): QueueingHint {
  if (newNode.spec?.unschedulable) return 'QueueSkip';
  return oldNode === undefined || oldNode.spec?.unschedulable ? 'Queue' : 'QueueSkip';
}
