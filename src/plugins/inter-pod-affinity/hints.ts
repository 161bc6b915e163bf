import type { Labels } from '../../api/meta.ts';
import type { Node } from '../../api/node.ts';
import type { Pod } from '../../api/pod.ts';
import type { PodAffinity } from '../../api/pod-affinity.ts';
import { ActionType, type ClusterEventWithHint, eventWithHint, type HintKeys } from '../../framework/events.ts';
import { changedLabels, everyKey, labelKeyOfSelector, labelKeysOf } from '../../framework/label-keys.ts';
import { isSameUid, takesRoom } from '../../framework/pod-changes.ts';
import { PodInfo } from '../../framework/pod-info.ts';
import { type AffinityTerms, affinityTermsOf, allTermsMatch } from './terms.ts';

/**
 * A label that a pod needs to be selected by all affinity terms, or by all anti-affinity terms. The deletion of a pod
 * with anti-affinity terms may help any pod.
 */
const POD_KEYS: HintKeys = {
  ofPod(pod) {
    const { requiredError, requiredAffinity, requiredAntiAffinity } = affinityTermsOf(pod);
    if (requiredError !== null) return null;
    const { podAffinity, podAntiAffinity } = pod.pod.spec?.affinity ?? {};
    const keys = [
      ...(requiredAffinity.length === 0 ? [] : [labelKeyOfTerms(podAffinity)]),
      ...(requiredAntiAffinity.length === 0 ? [] : [labelKeyOfTerms(podAntiAffinity)]),
    ];
    return everyKey(keys);
  },
  ofEvent(oldPod, newPod) {
    const [before, after] = [oldPod, newPod] as [Pod | undefined, Pod | undefined];
    if (after === undefined && before?.spec?.affinity?.podAntiAffinity) return null;
    return [...labelKeysOf(before), ...labelKeysOf(after)];
  },
};

/** The topology keys of all required terms. A new node may help any pod. */
const NODE_KEYS: HintKeys = {
  ofPod(pod) {
    const { requiredAffinity, requiredAntiAffinity } = validTermsOf(pod);
    return [...requiredAffinity, ...requiredAntiAffinity].map(({ topologyKey }) => topologyKey);
  },
  ofEvent: (before, after) => changedLabels(before as Node | undefined, after as Node | undefined),
};

function labelKeyOfTerms(affinity: PodAffinity | undefined): string | null {
  const terms = affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  for (const { labelSelector } of terms) {
    const key = labelKeyOfSelector(labelSelector);
    if (key !== null) return key;
  }
  return null;
}

/** Upstream: interpodaffinity/plugin.go, which matches terms without the labels of namespaces here. */
export const INTER_POD_AFFINITY_EVENTS: readonly ClusterEventWithHint[] = [
  eventWithHint('Pod', ActionType.Add | ActionType.UpdatePodLabel | ActionType.Delete, podChanged, {
    reads: 'template',
    keys: POD_KEYS,
  }),
  eventWithHint('Node', ActionType.Add | ActionType.UpdateNodeLabel, nodeChanged, {
    reads: 'template',
    keys: NODE_KEYS,
  }),
];

function podChanged(pod: PodInfo, oldPod: Pod | undefined, newPod: Pod | undefined): boolean {
  // The pod's own labels changed. A lost nomination of the pod, which comes as a deletion, has no rule of its own.
  if (isSameUid(newPod, pod.uid)) return true;
  if ((newPod !== undefined && !takesRoom(newPod)) || (oldPod !== undefined && !takesRoom(oldPod))) return false;
  return mayHelp(pod, asOther(pod, oldPod), asOther(pod, newPod));
}

/**
 * One pod that all affinity terms match is enough, and a pod that the anti-affinity terms matched no longer blocks
 * anything.
 */
function mayHelp(pod: PodInfo, before: PodInfo | null, after: PodInfo | null): boolean {
  const { requiredAffinity, requiredAntiAffinity } = validTermsOf(pod);
  const attracts = (other: PodInfo | null): boolean => other !== null && allTermsMatch(requiredAffinity, other);
  const repels = (other: PodInfo | null): boolean => other !== null && allTermsMatch(requiredAntiAffinity, other);
  if (after !== null) return (!attracts(before) && attracts(after)) || (repels(before) && !repels(after));
  if (before === null) return false;
  return repels(before) || allTermsMatch(affinityTermsOf(before).requiredAntiAffinity, pod);
}

/** Throws if the required terms are malformed, because the effect of the event on them is unknown. */
function validTermsOf(pod: PodInfo): AffinityTerms {
  const terms = affinityTermsOf(pod);
  if (terms.requiredError !== null) throw new Error(terms.requiredError);
  return terms;
}

/** The other pod as a PodInfo, of which only namespace, labels and affinity are valid. */
function asOther(pod: PodInfo, other: Pod | undefined): PodInfo | null {
  return other === undefined ? null : new PodInfo(other, pod.requirements, '');
}

/** Whether the node entered, left or changed a domain that the pod's terms name. */
function nodeChanged(pod: PodInfo, oldNode: Node | undefined, newNode: Node): boolean {
  const { requiredAffinity, requiredAntiAffinity } = validTermsOf(pod);
  const after = newNode.metadata?.labels;
  if (oldNode === undefined) {
    const hasKey = requiredAffinity.some(({ topologyKey }) => labelOf(after, topologyKey) !== undefined);
    return hasKey || requiredAntiAffinity.length > 0;
  }
  const before = oldNode.metadata?.labels;
  const isChanged = (topologyKey: string): boolean => labelOf(before, topologyKey) !== labelOf(after, topologyKey);
  const joins = requiredAffinity.some(
    ({ topologyKey }) => isChanged(topologyKey) && labelOf(after, topologyKey) !== undefined,
  );
  const leaves = requiredAntiAffinity.some(
    ({ topologyKey }) => isChanged(topologyKey) && labelOf(before, topologyKey) !== undefined,
  );
  return joins || leaves;
}

function labelOf(labels: Labels | undefined, key: string): string | undefined {
  return labels !== undefined && Object.hasOwn(labels, key) ? labels[key] : undefined;
}
