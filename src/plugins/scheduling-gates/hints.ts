import type { Pod } from '../../api/pod.ts';
import { ActionType, type ClusterEventWithHint, clusterEvent, type QueueingHint } from '../../framework/events.ts';
import { isSameUid } from '../../framework/pod-changes.ts';
import type { PodInfo } from '../../framework/pod-info.ts';

/** Only the pod's own gates matter. */
export const SCHEDULING_GATES_EVENTS: readonly ClusterEventWithHint[] = [
  { event: clusterEvent('Pod', ActionType.UpdatePodSchedulingGatesEliminated), hint: afterGatesEliminated },
];

function afterGatesEliminated(pod: PodInfo, _oldObject: unknown, newObject: unknown): QueueingHint {
  return isSameUid(newObject as Pod, pod.uid) ? 'Queue' : 'QueueSkip';
}
