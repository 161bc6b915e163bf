import { type LabelSelector, type Selector, selects } from '../../api/label-selector.ts';
import type { KubernetesObject } from '../../api/meta.ts';
import type { Pod } from '../../api/pod.ts';
import type { Lister } from '../../client/informer/lister.ts';
import { isApiError } from '../../store/objects/api-error.ts';
import type { Resource } from '../../store/objects/resources.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';
import { controllerOf, isControlledBy, PODS_BY_CONTROLLER, unownedIn } from '../job/pod-indexes.ts';
import { isActive } from '../job/pod-state.ts';
import { controllerReference } from '../pod-creation.ts';

/** An object that controls others, with the names of its kind. */
export interface Owner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly object: KubernetesObject;
}

export interface Claimed<T> {
  /** Objects that the owner controls and selects. */
  readonly owned: readonly T[];
  /** Objects that the owner selects, and that have no controller. */
  readonly orphans: readonly T[];
  /** Objects that the owner controls, but does not select any more. */
  readonly strangers: readonly T[];
}

/**
 * Classifies the objects that may belong to the owner: those whose controller has its uid, and those without a
 * controller. Upstream: BaseControllerRefManager in pkg/controller/controller_ref_manager.go.
 */
function claimed<T extends KubernetesObject>(
  owner: Owner,
  selector: Selector,
  candidates: { readonly ofUid: readonly T[]; readonly unowned: readonly T[] },
): Claimed<T> {
  const isSelected = ({ metadata }: T) => selector.matches(metadata?.labels);
  const controlled = candidates.ofUid.filter((object) => isControlledBy(object, owner.kind, owner.object));
  const owned = controlled.filter(isSelected);
  if (owner.object.metadata?.deletionTimestamp !== undefined) return { owned, orphans: [], strangers: [] };
  return {
    owned,
    orphans: candidates.unowned.filter(isSelected),
    strangers: controlled.filter((object) => !isSelected(object)),
  };
}

/** Classifies pods; finished ones are not adopted. */
export function claimedPods(pods: Lister<Pod>, owner: Owner, selector: Selector): Claimed<Pod> {
  const { uid = '', namespace = '' } = owner.object.metadata ?? {};
  return claimed(owner, selector, {
    ofUid: pods.byIndex(PODS_BY_CONTROLLER, uid),
    unowned: pods.byIndex(PODS_BY_CONTROLLER, unownedIn(namespace)).filter(isActive),
  });
}

/** Classifies the objects of a kind of which there are few, by looking at all in the namespace. */
export function claimedFew<T extends KubernetesObject>(objects: Lister<T>, owner: Owner, selector: Selector) {
  const { uid, namespace = '' } = owner.object.metadata ?? {};
  const all = objects.inNamespace(namespace).list();
  return claimed(owner, selector, {
    ofUid: all.filter((object) => controllerOf(object)?.uid === uid),
    unowned: all.filter(
      (object) => controllerOf(object) === undefined && object.metadata?.deletionTimestamp === undefined,
    ),
  });
}

/**
 * Adopts the object. Returns whether it belongs to the owner now; one that is gone or was adopted by another is
 * ignored.
 *
 * @throws ApiError
 */
export function adopt(client: StoreClient, resource: Resource, owner: Owner, object: KubernetesObject): boolean {
  const reference = controllerReference(owner.apiVersion, owner.kind, owner.object);
  return patchOwners(client, resource, object, { ownerReferences: [reference] });
}

/** Releases the object; one that is gone or belongs to another is ignored. @throws ApiError */
export function release(client: StoreClient, resource: Resource, owner: Owner, object: KubernetesObject): void {
  patchOwners(client, resource, object, { ownerReferences: [{ $patch: 'delete', uid: owner.object.metadata?.uid }] });
}

function patchOwners(
  client: StoreClient,
  resource: Resource,
  { metadata }: KubernetesObject,
  change: Readonly<Record<string, unknown>>,
): boolean {
  const { namespace = '', name = '', uid } = metadata ?? {};
  try {
    client.patch(resource, namespace, name, { type: 'strategic', body: { metadata: { uid, ...change } } });
    return true;
  } catch (error) {
    const isGone = isApiError(error, 'NotFound') || isApiError(error, 'Conflict') || isApiError(error, 'Invalid');
    if (isGone) return false;
    throw error;
  }
}

/** What selects pods. */
export interface Selecting extends KubernetesObject {
  readonly spec?: { readonly selector?: LabelSelector | undefined } | undefined;
}

/** Objects whose selector matches this one's labels. */
export function ownersSelecting<T extends Selecting>(owners: Lister<T>, { metadata }: KubernetesObject): readonly T[] {
  if (Object.keys(metadata?.labels ?? {}).length === 0) return [];
  return owners
    .inNamespace(metadata?.namespace ?? '')
    .list()
    .filter(({ spec }) => selects(spec?.selector, metadata?.labels));
}
