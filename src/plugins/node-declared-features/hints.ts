import type { Node } from '../../api/node.ts';
import type { Pod } from '../../api/pod.ts';
import { semanticallyEqual } from '../../api/semantic-equality.ts';
import { ActionType, type ClusterEventWithHint, clusterEvent, type QueueingHint } from '../../framework/events.ts';
import { isSameUid } from '../../framework/pod-changes.ts';
import type { PodInfo } from '../../framework/pod-info.ts';

/** `neededFeatures`: what the pod must find on its node. */
export function nodeDeclaredFeaturesEvents(
  neededFeatures: (pod: Pod) => readonly string[],
): readonly ClusterEventWithHint[] {
  const podChanged = (pod: PodInfo, oldPod: Pod, newPod: Pod): QueueingHint => {
    if (!isSameUid(newPod, pod.uid)) return 'QueueSkip';
    return semanticallyEqual(neededFeatures(oldPod), neededFeatures(newPod)) ? 'QueueSkip' : 'Queue';
  };
  return [
    {
      event: clusterEvent('Node', ActionType.Add | ActionType.UpdateNodeDeclaredFeature),
      hint: (_pod, oldNode, newNode) => nodeChanged(oldNode as Node | undefined, newNode as Node),
    },
    {
      event: clusterEvent('Pod', ActionType.Update),
      hint: (pod, oldPod, newPod) => podChanged(pod, oldPod as Pod, newPod as Pod),
    },
  ];
}

function nodeChanged(oldNode: Node | undefined, newNode: Node): QueueingHint {
  const isSame =
    oldNode !== undefined && semanticallyEqual(oldNode.status?.declaredFeatures, newNode.status?.declaredFeatures);
  return isSame ? 'QueueSkip' : 'Queue';
}
