import type { ObjectKind } from '../../api/kinds.ts';
import type { Labels } from '../../api/meta.ts';
import type { ClusterObjects } from '../../framework/cluster-objects.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { affinityTermsOf, selectsNamespaces } from '../../plugins/inter-pod-affinity/terms.ts';
import { hasOwnConstraints, ownerSelectorOf } from '../../plugins/pod-topology-spread/default-constraints.ts';
import { serviceSelectorsOf } from '../../plugins/pod-topology-spread/service-selectors.ts';

/** The kinds of objects from which default constraints take their selectors. */
export const OWNER_KINDS: readonly ObjectKind[] = ['Service', 'ReplicationController', 'ReplicaSet', 'StatefulSet'];

/**
 * What a topology plan was made of besides its pod: a change of any other object leaves the plan as it is, but for the
 * labels of the pod's namespace, which a plan reads again.
 */
export interface PlanSources {
  /** The version of all namespaces if terms of the pod select among them; 0 if none does. */
  readonly namespaces: number;
  /** The selectors that default constraints take from services; none if the pod has constraints of its own. */
  readonly serviceSelectors: readonly Labels[];
  /** The selector that default constraints take from the pod's controller; undefined if they take none. */
  readonly ownerSelector: object | undefined;
}

export function planSources(pod: PodInfo, objects: ClusterObjects): PlanSources {
  const isDefaulted = !hasOwnConstraints(pod);
  return {
    namespaces: selectsNamespaces(affinityTermsOf(pod)) ? objects.version('Namespace') : 0,
    serviceSelectors: isDefaulted ? serviceSelectorsOf(pod.pod, objects) : [],
    ownerSelector: isDefaulted ? ownerSelectorOf(pod.pod, objects) : undefined,
  };
}

/** Whether a plan that was made of `before` would be made the same of `now`. */
export function isSameSources(before: PlanSources, now: PlanSources): boolean {
  return (
    before.namespaces === now.namespaces &&
    isSameList(before.serviceSelectors, now.serviceSelectors) &&
    before.ownerSelector === now.ownerSelector
  );
}

function isSameList(before: readonly Labels[], now: readonly Labels[]): boolean {
  return before.length === now.length && before.every((selector, i) => selector === now[i]);
}
