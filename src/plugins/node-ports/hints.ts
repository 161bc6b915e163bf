import type { Pod } from '../../api/pod.ts';
import { ActionType, type ClusterEventWithHint, clusterEvent, type QueueingHint } from '../../framework/events.ts';
import { hostPorts, UsedPorts } from '../../framework/host-ports.ts';
import { takesRoom } from '../../framework/pod-changes.ts';
import type { PodInfo } from '../../framework/pod-info.ts';

export const NODE_PORTS_EVENTS: readonly ClusterEventWithHint[] = [
  { event: clusterEvent('Pod', ActionType.Delete), hint: (pod, deleted) => podDeleted(pod, deleted as Pod) },
  { event: clusterEvent('Node', ActionType.Add) },
];

/** The pod that is gone must have held a port on some node that this one wants. */
function podDeleted(pod: PodInfo, deleted: Pod): QueueingHint {
  if (!takesRoom(deleted)) return 'QueueSkip';
  const freed = new UsedPorts();
  freed.add(hostPorts(deleted));
  return freed.conflictsWith(pod.requirements.hostPorts) ? 'Queue' : 'QueueSkip';
}
