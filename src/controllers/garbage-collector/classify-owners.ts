import type { KubernetesObject, OwnerReference } from '../../api/meta.ts';
import { isApiError } from '../../store/objects/api-error.ts';
import { RESOURCES, type Resource } from '../../store/objects/resources.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';
import { FOREGROUND_FINALIZER, isHeldBy } from './finalizers.ts';
import { ownerResource } from './owner-resource.ts';

/** The owner references of an object, classified by the state of the owners in the API. */
export interface ClassifiedOwners {
  /** The owner exists, so the object stays. */
  readonly solid: readonly OwnerReference[];
  /** The owner does not exist; another object under its name is a different owner. */
  readonly dangling: readonly OwnerReference[];
  /** The owner is being deleted in the foreground, and waits for its dependents. */
  readonly waiting: readonly OwnerReference[];
}

type OwnerState = keyof ClassifiedOwners;

/**
 * Classifies the object's owners. Returns undefined if this is impossible for one of them: the API does not serve its
 * kind or version, or it is in a namespace while the object is not. (Upstream retries again and again, as kinds may be
 * added; here none are.)
 *
 * @throws ApiError
 */
export function classifyOwners(client: StoreClient, dependent: KubernetesObject): ClassifiedOwners | undefined {
  const { namespace = '', ownerReferences = [] } = dependent.metadata ?? {};
  const owners: Record<OwnerState, OwnerReference[]> = { solid: [], dangling: [], waiting: [] };
  for (const reference of ownerReferences) {
    const resource = ownerResource(reference);
    if (resource === undefined) return undefined;
    const { isNamespaced } = RESOURCES[resource];
    if (isNamespaced && namespace === '') return undefined;
    const owner = getOrNothing(client, resource, isNamespaced ? namespace : '', reference.name);
    owners[ownerState(owner, reference)].push(reference);
  }
  return owners;
}

function ownerState(owner: KubernetesObject | undefined, { uid }: OwnerReference): OwnerState {
  if (owner?.metadata?.uid !== uid) return 'dangling';
  return isHeldBy(owner, FOREGROUND_FINALIZER) ? 'waiting' : 'solid';
}

/** The current object, read past all caches; undefined when there is none. */
export function getOrNothing(
  client: StoreClient,
  resource: Resource,
  namespace: string,
  name: string,
): KubernetesObject | undefined {
  try {
    return client.get(resource, namespace, name);
  } catch (error) {
    if (isApiError(error, 'NotFound')) return undefined;
    throw error;
  }
}
