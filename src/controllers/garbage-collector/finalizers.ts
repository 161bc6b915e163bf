import type { KubernetesObject } from '../../api/meta.ts';
import type { Resource } from '../../store/objects/resources.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';

/** Keeps the owner until the dependents that block its deletion are gone. */
export const FOREGROUND_FINALIZER = 'foregroundDeletion';
/** Keeps the owner until its dependents no longer refer to it. */
export const ORPHAN_FINALIZER = 'orphan';

export function hasFinalizer({ metadata }: KubernetesObject, finalizer: string): boolean {
  return metadata?.finalizers?.includes(finalizer) ?? false;
}

/** Whether the object is being deleted, and held by this finalizer. */
export function isHeldBy(object: KubernetesObject, finalizer: string): boolean {
  return Boolean(object.metadata?.deletionTimestamp) && hasFinalizer(object, finalizer);
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
