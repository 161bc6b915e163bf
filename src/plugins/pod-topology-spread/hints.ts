import type { Node } from '../../api/node.ts';
import type { Pod } from '../../api/pod.ts';
import { semanticallyEqual } from '../../api/semantic-equality.ts';
import { topologyValue } from '../../api/topology-spread.ts';
import type { SpreadConstraint } from '../../framework/column-forms.ts';
import { ActionType, type ClusterEventWithHint, eventWithHint, type HintKeys } from '../../framework/events.ts';
import { changedLabels, everyKey, labelKeyOfSelector, labelKeysOf } from '../../framework/label-keys.ts';
import { isSameUid } from '../../framework/pod-changes.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { hasAllTopologyKeys } from './constraints.ts';

/** For each hard constraint a label that a pod needs to be counted. Default constraints may count any pod. */
const POD_KEYS: HintKeys = {
  ofPod({ pod }) {
    const constraints = pod.spec?.topologySpreadConstraints ?? [];
    if (constraints.length === 0) return null;
    const hard = constraints.filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule');
    return everyKey(hard.map(({ labelSelector }) => labelKeyOfSelector(labelSelector)));
  },
  ofEvent(oldPod, newPod) {
    return [...labelKeysOf(oldPod as Pod | undefined), ...labelKeysOf(newPod as Pod | undefined)];
  },
};

/** The topology keys of the constraints, of which default ones may come later. Other taints may help any pod. */
function nodeKeys(constraints: (pod: PodInfo) => readonly SpreadConstraint[]): HintKeys {
  return {
    ofPod(pod) {
      if (!pod.pod.spec?.topologySpreadConstraints?.length) return null;
      return constraints(pod).map(({ topologyKey }) => topologyKey);
    },
    ofEvent(oldNode, newNode) {
      const [before, after] = [oldNode, newNode] as [Node | undefined, Node | undefined];
      return semanticallyEqual(before?.spec?.taints, after?.spec?.taints) ? changedLabels(before, after) : null;
    },
  };
}

/** Upstream: podtopologyspread/plugin.go. `constraints` returns the pod's hard ones; throws if they are malformed. */
export function podTopologySpreadEvents(
  constraints: (pod: PodInfo) => readonly SpreadConstraint[],
): readonly ClusterEventWithHint[] {
  const { Add, Delete, UpdatePodLabel, UpdatePodToleration, UpdateNodeLabel, UpdateNodeTaint } = ActionType;
  return [
    eventWithHint(
      'Pod',
      Add | UpdatePodLabel | Delete | UpdatePodToleration,
      (pod, oldPod, newPod: Pod | undefined) => {
        return mayCount(pod, oldPod) && mayCount(pod, newPod) && podChanged(pod, constraints(pod), oldPod, newPod);
      },
      { reads: 'template', keys: POD_KEYS },
    ),
    eventWithHint(
      'Node',
      Add | Delete | UpdateNodeLabel | UpdateNodeTaint,
      (pod, oldNode, newNode: Node | undefined) => nodeChanged(constraints(pod), oldNode, newNode),
      { reads: 'template', keys: nodeKeys(constraints) },
    ),
  ];
}

/** Constraints count pods of their namespace once they are on a node. Every pod is affected by its own changes. */
function mayCount(pod: PodInfo, other: Pod | undefined): boolean {
  if (other === undefined || isSameUid(other, pod.uid)) return true;
  return !!other.spec?.nodeName && (other.metadata?.namespace || 'default') === pod.namespace;
}

/** Whether some constraint counts the changed pod now and did not before, or the other way round. */
function podChanged(
  pod: PodInfo,
  constraints: readonly SpreadConstraint[],
  oldPod: Pod | undefined,
  newPod: Pod | undefined,
): boolean {
  if (oldPod !== undefined && isSameUid(newPod, pod.uid)) {
    const isTolerationChange = !semanticallyEqual(oldPod.spec?.tolerations, newPod?.spec?.tolerations);
    // With other tolerations, other nodes take part in the count.
    if (isTolerationChange && constraints.some(({ honorsNodeTaints }) => honorsNodeTaints)) return true;
  }
  const isCounted = ({ selector }: SpreadConstraint, other: Pod | undefined): boolean =>
    other !== undefined && selector.matches(other.metadata?.labels);
  return constraints.some((constraint) => isCounted(constraint, oldPod) !== isCounted(constraint, newPod));
}

/** Whether domains changed, or the nodes that take part in their counts. */
function nodeChanged(
  constraints: readonly SpreadConstraint[],
  oldNode: Node | undefined,
  newNode: Node | undefined,
): boolean {
  const tookPart = oldNode !== undefined && hasAllTopologyKeys(oldNode, constraints);
  const takesPart = newNode !== undefined && hasAllTopologyKeys(newNode, constraints);
  if (tookPart !== takesPart) return true;
  if (oldNode === undefined || newNode === undefined || !takesPart) return false;
  const hasMoved = constraints.some(
    ({ topologyKey }) => topologyValue(oldNode, topologyKey) !== topologyValue(newNode, topologyKey),
  );
  return hasMoved || !semanticallyEqual(oldNode.spec?.taints, newNode.spec?.taints);
}
