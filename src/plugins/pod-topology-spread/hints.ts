import type { Node } from '../../api/node.ts';
import type { Pod } from '../../api/pod.ts';
import { semanticallyEqual } from '../../api/semantic-equality.ts';
import { topologyValue } from '../../api/topology-spread.ts';
import { ActionType, type ClusterEventWithHint, clusterEvent, type QueueingHint } from '../../framework/events.ts';
import { isSameUid } from '../../framework/pod-changes.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { SpreadConstraint } from '../../framework/topology-constraint.ts';
import { hasAllTopologyKeys } from './constraints.ts';

/** `constraints`: the hard ones of the pod; throws when they are malformed. */
export function podTopologySpreadEvents(
  constraints: (pod: PodInfo) => readonly SpreadConstraint[],
): readonly ClusterEventWithHint[] {
  const { Add, Delete, UpdatePodLabel, UpdatePodToleration, UpdateNodeLabel, UpdateNodeTaint } = ActionType;
  return [
    {
      event: clusterEvent('Pod', Add | UpdatePodLabel | Delete | UpdatePodToleration),
      hint: (pod, oldPod, newPod) => {
        const [before, after] = [oldPod as Pod | undefined, newPod as Pod | undefined];
        const isHeard = isInvolved(pod, before) && isInvolved(pod, after);
        return isHeard ? podChanged(pod, constraints(pod), before, after) : 'QueueSkip';
      },
    },
    {
      event: clusterEvent('Node', Add | Delete | UpdateNodeLabel | UpdateNodeTaint),
      hint: (pod, oldNode, newNode) =>
        nodeChanged(constraints(pod), oldNode as Node | undefined, newNode as Node | undefined),
    },
  ];
}

/** Pods are counted by constraints of their namespace once they are on a node. Its own changes matter to every pod. */
function isInvolved(pod: PodInfo, other: Pod | undefined): boolean {
  if (other === undefined || isSameUid(other, pod.uid)) return true;
  return !!other.spec?.nodeName && (other.metadata?.namespace || 'default') === pod.namespace;
}

/** Whether a constraint counts the pod in question now and did not, or the other way round. */
function podChanged(
  pod: PodInfo,
  constraints: readonly SpreadConstraint[],
  oldPod: Pod | undefined,
  newPod: Pod | undefined,
): QueueingHint {
  if (oldPod !== undefined && isSameUid(newPod, pod.uid)) {
    const isTolerationChange = !semanticallyEqual(oldPod.spec?.tolerations, newPod?.spec?.tolerations);
    // More nodes may count now.
    if (isTolerationChange && constraints.some(({ honorsNodeTaints }) => honorsNodeTaints)) return 'Queue';
  }
  const isCounted = ({ selector }: SpreadConstraint, other: Pod | undefined): boolean =>
    other !== undefined && selector.matches(other.metadata?.labels);
  const isOther = constraints.some((constraint) => isCounted(constraint, oldPod) !== isCounted(constraint, newPod));
  return isOther ? 'Queue' : 'QueueSkip';
}

/** Whether domains, or the nodes that count for them, changed. */
function nodeChanged(
  constraints: readonly SpreadConstraint[],
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
