import type { KubernetesObject, OwnerReference } from '../../api/meta.ts';
import { isApiError } from '../../store/objects/api-error.ts';
import { RESOURCES, type Resource } from '../../store/objects/resources.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';
import { FOREGROUND_FINALIZER, isHeldBy } from './finalizers.ts';
import { ownerResource } from './owner-resource.ts';

/** An object's owner references by what the API says of the owners now. */
export interface ClassifiedOwners {
  /** The owner exists: the object stays. */
  readonly solid: readonly OwnerReference[];
  /** There is no such owner; another object under its name is another owner. */
  readonly dangling: readonly OwnerReference[];
  /** The owner is being deleted in the foreground: it waits for its dependents. */
  readonly waiting: readonly OwnerReference[];
}

type OwnerState = keyof ClassifiedOwners;

/**
 * undefined: of one owner nothing can be said, so nothing is said of the object. It has a kind or version that this API
 * does not serve, or is in a namespace while the object is in none. (Upstream asks again and again, as kinds may come;
 * here none will.)
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

/** As it is now, past every cache; undefined when there is none. */
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
