import type { Node } from '../../api/node.ts';
import { compileRequiredNodeAffinity, type RequiredNodeAffinity } from '../../api/node-selector.ts';
import { ActionType, type ClusterEventWithHint, clusterEvent, type QueueingHint } from '../../framework/events.ts';
import type { PodInfo } from '../../framework/pod-info.ts';

/**
 * `added`: the required affinity that the plugin's arguments add to every pod's. Whether the node met that before is
 * not asked, as upstream (nodeaffinity/node_affinity.go). Throws where only a malformed term could match.
 */
export function nodeAffinityEvents(added: RequiredNodeAffinity | null): readonly ClusterEventWithHint[] {
  const nodeChanged = (pod: PodInfo, oldNode: Node | undefined, newNode: Node): QueueingHint => {
    if (added !== null && !added.match(newNode)) return 'QueueSkip';
    const required = compileRequiredNodeAffinity(pod.pod.spec ?? {});
    if (!required.matchStrictly(newNode)) return 'QueueSkip';
    return oldNode !== undefined && required.matchStrictly(oldNode) ? 'QueueSkip' : 'Queue';
  };
  return [
    {
      event: clusterEvent('Node', ActionType.Add | ActionType.UpdateNodeLabel),
      hint: (pod, oldNode, newNode) => nodeChanged(pod, oldNode as Node | undefined, newNode as Node),
    },
  ];
}
