import type { Node } from '../../../api/node.ts';
import type { Pod } from '../../../api/pod.ts';
import { semanticallyEqual } from '../../../api/semantic-equality.ts';
import { topologyValue } from '../../../api/topology-spread.ts';
import { ActionType, type ClusterEventWithHint, clusterEvent, type QueueingHint } from '../../framework/events.ts';
import { isSameUid } from '../../framework/pod-changes.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { type Constraint, hasAllTopologyKeys } from './constraints.ts';

/** `constraints`: the hard ones of the pod; throws when they are malformed. */
export function podTopologySpreadEvents(
  constraints: (pod: PodInfo) => readonly Constraint[],
): readonly ClusterEventWithHint[] {
  const { Add, Delete, UpdatePodLabel, UpdatePodToleration, UpdateNodeLabel, UpdateNodeTaint } = ActionType;
  return [
    {
      event: clusterEvent('Pod', Add | UpdatePodLabel | Delete | UpdatePodToleration),
      hint: (pod, oldPod, newPod) =>
        podChanged(pod, constraints(pod), oldPod as Pod | undefined, newPod as Pod | undefined),
    },
    {
      event: clusterEvent('Node', Add | Delete | UpdateNodeLabel | UpdateNodeTaint),
      hint: (pod, oldNode, newNode) =>
        nodeChanged(constraints(pod), oldNode as Node | undefined, newNode as Node | undefined),
    },
  ];
}

/** Whether the pod in question is counted now and was not, or the other way round. */
function podChanged(
  pod: PodInfo,
  constraints: readonly Constraint[],
  oldPod: Pod | undefined,
  newPod: Pod | undefined,
): QueueingHint {
  const isElsewhere = (other: Pod | undefined): boolean =>
    other !== undefined && (other.metadata?.namespace || 'default') !== pod.namespace;
  if (isElsewhere(oldPod) || isElsewhere(newPod)) return 'QueueSkip';
  if (oldPod !== undefined && isSameUid(newPod, pod.uid)) {
    const isTolerationChange = !semanticallyEqual(oldPod.spec?.tolerations, newPod?.spec?.tolerations);
    // More nodes may count now.
    if (isTolerationChange && constraints.some(({ honorsNodeTaints }) => honorsNodeTaints)) return 'Queue';
  }
  const isCounted = (other: Pod | undefined): boolean =>
    other !== undefined && constraints.some(({ selector }) => selector.matches(other.metadata?.labels));
  return isCounted(oldPod) !== isCounted(newPod) ? 'Queue' : 'QueueSkip';
}

/** Whether domains, or the nodes that count for them, changed. */
function nodeChanged(
  constraints: readonly Constraint[],
  oldNode: Node | undefined,
  newNode: Node | undefined,
): QueueingHint {
  const counted = oldNode !== undefined && hasAllTopologyKeys(oldNode, constraints);
  const counts = newNode !== undefined && hasAllTopologyKeys(newNode, constraints);
  if (counted !== counts) return 'Queue';
  if (oldNode === undefined || newNode === undefined || !counts) return 'QueueSkip';
  const moved = constraints.some(
    ({ topologyKey }) => topologyValue(oldNode, topologyKey) !== topologyValue(newNode, topologyKey),
  );
  return moved || !semanticallyEqual(oldNode.spec?.taints, newNode.spec?.taints) ? 'Queue' : 'QueueSkip';
}
