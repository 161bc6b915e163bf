import type { KubernetesObject, OwnerReference } from '../../api/meta.ts';
import type { GarbageApi } from './garbage-api.ts';

/** Whether the object is being deleted, and held by this finalizer. */
export function isHeldBy({ metadata }: KubernetesObject, finalizer: string): boolean {
  return Boolean(metadata?.deletionTimestamp) && (metadata?.finalizers?.includes(finalizer) ?? false);
}

/** Removes the finalizer, if the object is unchanged. @throws ApiError Conflict, NotFound */
export function removeFinalizer(api: GarbageApi, resource: string, object: KubernetesObject, finalizer: string): void {
  const { namespace = '', name = '', resourceVersion, finalizers = [] } = object.metadata ?? {};
  const body = { metadata: { resourceVersion, finalizers: finalizers.filter((other) => other !== finalizer) } };
  api.patchMetadata(resource, namespace, name, { type: 'merge', body });
}

/**
 * Removes the references to these owners by a patch, so that concurrent changes of the list are kept. @throws ApiError
 */
export function removeOwners(
  api: GarbageApi,
  resource: string,
  object: KubernetesObject,
  owners: readonly Pick<OwnerReference, 'uid'>[],
): void {
  if (owners.length === 0) return;
  patchOwners(
    api,
    resource,
    object,
    owners.map(({ uid }) => ({ $patch: 'delete', uid })),
  );
}

/** Makes the object block the deletion of none of its owners. @throws ApiError */
export function unblockOwners(api: GarbageApi, resource: string, object: KubernetesObject): KubernetesObject {
  const blocked = object.metadata?.ownerReferences?.filter(({ blockOwnerDeletion }) => blockOwnerDeletion === true);
  if (blocked === undefined || blocked.length === 0) return object;
  return patchOwners(
    api,
    resource,
    object,
    blocked.map(({ uid }) => ({ uid, blockOwnerDeletion: false })),
  );
}

function patchOwners(
  api: GarbageApi,
  resource: string,
  { metadata }: KubernetesObject,
  ownerReferences: readonly unknown[],
): KubernetesObject {
  const { namespace = '', name = '', uid } = metadata ?? {};
  const body = { metadata: { uid, ownerReferences } };
  return api.patchMetadata(resource, namespace, name, { type: 'strategic', body });
}
