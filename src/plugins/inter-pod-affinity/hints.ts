import type { Labels } from '../../api/meta.ts';
import type { Node } from '../../api/node.ts';
import type { Pod } from '../../api/pod.ts';
import { ActionType, type ClusterEventWithHint, clusterEvent, type QueueingHint } from '../../framework/events.ts';
import { isSameUid, takesRoom } from '../../framework/pod-changes.ts';
import { PodInfo } from '../../framework/pod-info.ts';
import { type AffinityTerms, affinityTermsOf, allTermsMatch } from './terms.ts';

/** Upstream: interpodaffinity/plugin.go. Terms are matched without the labels of namespaces there. */
export const INTER_POD_AFFINITY_EVENTS: readonly ClusterEventWithHint[] = [
  {
    event: clusterEvent('Pod', ActionType.Add | ActionType.UpdatePodLabel | ActionType.Delete),
    hint: (pod, oldPod, newPod) => podChanged(pod, oldPod as Pod | undefined, newPod as Pod | undefined),
  },
  {
    event: clusterEvent('Node', ActionType.Add | ActionType.UpdateNodeLabel),
    hint: (pod, oldNode, newNode) => nodeChanged(pod, oldNode as Node | undefined, newNode as Node),
  },
];

function podChanged(pod: PodInfo, oldPod: Pod | undefined, newPod: Pod | undefined): QueueingHint {
  // Its own labels. That it lost its nomination, which comes as a deletion, is nothing special.
  if (isSameUid(newPod, pod.uid)) return 'Queue';
  if ((newPod !== undefined && !takesRoom(newPod)) || (oldPod !== undefined && !takesRoom(oldPod))) return 'QueueSkip';
  return mayHelp(pod, asOther(pod, oldPod), asOther(pod, newPod)) ? 'Queue' : 'QueueSkip';
}

/** One pod that all affinity terms match is enough; one that the anti-affinity terms matched is in the way no more. */
function mayHelp(pod: PodInfo, before: PodInfo | null, after: PodInfo | null): boolean {
  const { requiredAffinity, requiredAntiAffinity } = readableTermsOf(pod);
  const attracts = (other: PodInfo | null): boolean => other !== null && allTermsMatch(requiredAffinity, other);
  const repels = (other: PodInfo | null): boolean => other !== null && allTermsMatch(requiredAntiAffinity, other);
  if (after !== null) return (!attracts(before) && attracts(after)) || (repels(before) && !repels(after));
  if (before === null) return false;
  return repels(before) || allTermsMatch(affinityTermsOf(before).requiredAntiAffinity, pod);
}

/** Throws where the required terms are malformed: what the event means for them nobody can tell. */
function readableTermsOf(pod: PodInfo): AffinityTerms {
  const terms = affinityTermsOf(pod);
  if (terms.requiredError !== null) throw new Error(terms.requiredError);
  return terms;
}

/** Only namespace, labels and affinity are looked at. */
function asOther(pod: PodInfo, other: Pod | undefined): PodInfo | null {
  return other === undefined ? null : new PodInfo(other, pod.requirements, '');
}

/** Whether the node came into, left or changed a domain that the pod's terms speak of. */
function nodeChanged(pod: PodInfo, oldNode: Node | undefined, newNode: Node): QueueingHint {
  const { requiredAffinity, requiredAntiAffinity } = readableTermsOf(pod);
  const after = newNode.metadata?.labels;
  if (oldNode === undefined) {
    const hasKey = requiredAffinity.some(({ topologyKey }) => labelOf(after, topologyKey) !== undefined);
    return hasKey || requiredAntiAffinity.length > 0 ? 'Queue' : 'QueueSkip';
  }
  const before = oldNode.metadata?.labels;
  const isAnother = (topologyKey: string): boolean => labelOf(before, topologyKey) !== labelOf(after, topologyKey);
  const joins = requiredAffinity.some(
    ({ topologyKey }) => isAnother(topologyKey) && labelOf(after, topologyKey) !== undefined,
  );
  const leaves = requiredAntiAffinity.some(
    ({ topologyKey }) => isAnother(topologyKey) && labelOf(before, topologyKey) !== undefined,
  );
  return joins || leaves ? 'Queue' : 'QueueSkip';
}

function labelOf(labels: Labels | undefined, key: string): string | undefined {
  return labels !== undefined && Object.hasOwn(labels, key) ? labels[key] : undefined;
}
