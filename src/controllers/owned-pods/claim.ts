import type { Selector } from '../../api/label-selector.ts';
import type { KubernetesObject } from '../../api/meta.ts';
import type { Lister } from '../../client/informer/lister.ts';
import { isApiError } from '../../store/objects/api-error.ts';
import type { Resource } from '../../store/objects/resources.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';
import { BY_CONTROLLER, isControlledBy, unownedIn } from '../job/pod-indexes.ts';
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
 * controller, of which some may not be adopted. The cache has the index `BY_CONTROLLER`. Upstream:
 * BaseControllerRefManager in pkg/controller/controller_ref_manager.go.
 */
export function claimed<T extends KubernetesObject>(
  objects: Lister<T>,
  owner: Owner,
  selector: Selector,
  mayAdopt: (object: T) => boolean = ({ metadata }) => metadata?.deletionTimestamp === undefined,
): Claimed<T> {
  const { uid = '', namespace = '', deletionTimestamp } = owner.object.metadata ?? {};
  const isSelected = ({ metadata }: T) => selector.matches(metadata?.labels);
  const ofUid = objects.byIndex(BY_CONTROLLER, uid);
  const controlled = ofUid.filter((object) => isControlledBy(object, owner.kind, owner.object));
  const owned = controlled.filter(isSelected);
  if (deletionTimestamp !== undefined) return { owned, orphans: [], strangers: [] };
  const unowned = objects.byIndex(BY_CONTROLLER, unownedIn(namespace));
  return {
    owned,
    orphans: unowned.filter((object) => mayAdopt(object) && isSelected(object)),
    strangers: controlled.filter((object) => !isSelected(object)),
  };
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
