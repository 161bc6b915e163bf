import type { KubernetesObject, OwnerReference } from '../../api/meta.ts';
import type { Resource } from '../../store/objects/resources.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';

/** Whether the object is being deleted, and held by this finalizer. */
export function isHeldBy({ metadata }: KubernetesObject, finalizer: string): boolean {
  return Boolean(metadata?.deletionTimestamp) && (metadata?.finalizers?.includes(finalizer) ?? false);
}

/** Removes the finalizer, if the object is unchanged. @throws ApiError Conflict, NotFound */
export function removeFinalizer(
  client: StoreClient,
  resource: Resource,
  object: KubernetesObject,
  finalizer: string,
): void {
  const { namespace = '', name = '', resourceVersion, finalizers = [] } = object.metadata ?? {};
  const body = { metadata: { resourceVersion, finalizers: finalizers.filter((other) => other !== finalizer) } };
  client.patch(resource, namespace, name, { type: 'merge', body });
}

/**
 * Removes the references to these owners by a patch, so that concurrent changes of the list are kept. @throws ApiError
 */
export function removeOwners(
  client: StoreClient,
  resource: Resource,
  object: KubernetesObject,
  owners: readonly Pick<OwnerReference, 'uid'>[],
): void {
  if (owners.length === 0) return;
  patchOwners(
    client,
    resource,
    object,
    owners.map(({ uid }) => ({ $patch: 'delete', uid })),
  );
}

/** Makes the object block the deletion of none of its owners. @throws ApiError */
export function unblockOwners(client: StoreClient, resource: Resource, object: KubernetesObject): KubernetesObject {
  const blocked = object.metadata?.ownerReferences?.filter(({ blockOwnerDeletion }) => blockOwnerDeletion === true);
  if (blocked === undefined || blocked.length === 0) return object;
  return patchOwners(
    client,
    resource,
    object,
    blocked.map(({ uid }) => ({ uid, blockOwnerDeletion: false })),
  );
}

function patchOwners(
  client: StoreClient,
  resource: Resource,
  { metadata }: KubernetesObject,
  ownerReferences: readonly unknown[],
): KubernetesObject {
  const { namespace = '', name = '', uid } = metadata ?? {};
  const body = { metadata: { uid, ownerReferences } };
  return client.patch(resource, namespace, name, { type: 'strategic', body });
}
