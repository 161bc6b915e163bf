import { type Selector, selects } from '../../api/label-selector.ts';
import type { Pod } from '../../api/pod.ts';
import type { ReplicaSet } from '../../api/workloads.ts';
import type { Lister } from '../../client/informer/lister.ts';
import { isApiError } from '../../store/objects/api-error.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';
import { isControlledBy, PODS_BY_CONTROLLER, unownedIn } from '../job/pod-indexes.ts';
import { isActive } from '../job/pod-state.ts';
import { controllerReference } from '../pod-creation.ts';

export interface ClaimedPods {
  /** Pods that the set controls and selects. */
  readonly owned: readonly Pod[];
  /** Pods that the set selects, and that have no controller. */
  readonly orphans: readonly Pod[];
  /** Pods that the set controls, but does not select any more. */
  readonly strangers: readonly Pod[];
}

/**
 * Classifies the pods of a set. Upstream: PodControllerRefManager.ClaimPods in
 * pkg/controller/controller_ref_manager.go.
 */
export function claimedPods(pods: Lister<Pod>, set: ReplicaSet, selector: Selector): ClaimedPods {
  const { metadata } = set;
  const isSelected = (pod: Pod) => selector.matches(pod.metadata?.labels);
  const ofUid = pods.byIndex(PODS_BY_CONTROLLER, metadata?.uid ?? '');
  const controlled = ofUid.filter((pod) => isControlledBy(pod, 'ReplicaSet', set));
  if (metadata?.deletionTimestamp !== undefined) {
    return { owned: controlled.filter(isSelected), orphans: [], strangers: [] };
  }
  return {
    owned: controlled.filter(isSelected),
    orphans: pods
      .byIndex(PODS_BY_CONTROLLER, unownedIn(metadata?.namespace ?? ''))
      .filter((pod) => isActive(pod) && isSelected(pod)),
    strangers: controlled.filter((pod) => !isSelected(pod)),
  };
}

/**
 * Adopts the pod. Returns whether it belongs to the set now; a pod that is gone or was adopted by another is ignored.
 * @throws ApiError
 */
export function adoptPod(client: StoreClient, set: ReplicaSet, pod: Pod): boolean {
  return patchOwners(client, pod, { ownerReferences: [controllerReference('apps/v1', 'ReplicaSet', set)] });
}

/** Releases the pod; a pod that is gone or belongs to another is ignored. @throws ApiError */
export function releasePod(client: StoreClient, { metadata }: ReplicaSet, pod: Pod): void {
  patchOwners(client, pod, { ownerReferences: [{ $patch: 'delete', uid: metadata?.uid }] });
}

function patchOwners(client: StoreClient, { metadata }: Pod, change: Readonly<Record<string, unknown>>): boolean {
  const { namespace = '', name = '', uid } = metadata ?? {};
  try {
    client.patch('pods', namespace, name, { type: 'strategic', body: { metadata: { uid, ...change } } });
    return true;
  } catch (error) {
    const isGone = isApiError(error, 'NotFound') || isApiError(error, 'Conflict') || isApiError(error, 'Invalid');
    if (isGone) return false;
    throw error;
  }
}

/** Sets whose selector matches the pod. */
export function setsSelecting(sets: Lister<ReplicaSet>, { metadata }: Pod): readonly ReplicaSet[] {
  if (Object.keys(metadata?.labels ?? {}).length === 0) return [];
  return sets
    .inNamespace(metadata?.namespace ?? '')
    .list()
    .filter(({ spec }) => selects(spec?.selector, metadata?.labels));
}
