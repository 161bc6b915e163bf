import type { KubernetesObject, OwnerReference } from '../../api/meta.ts';
import { isApiError } from '../../store/api-error.ts';
import { RESOURCES, type Resource } from '../../store/resources.ts';
import type { StoreClient } from '../../store/store-client.ts';
import { FOREGROUND_FINALIZER, isHeldBy } from './finalizers.ts';
import { ownerResource } from './owner-resource.ts';

/** An object's owner references by what the API says of the owners now. */
export interface ClassifiedOwners {
  /** The owner exists, or nobody here can tell: the object stays. */
  readonly solid: readonly OwnerReference[];
  /** There is no such owner; another object under its name is another owner. */
  readonly dangling: readonly OwnerReference[];
  /** The owner is being deleted in the foreground: it waits for its dependents. */
  readonly waiting: readonly OwnerReference[];
}

type OwnerState = keyof ClassifiedOwners;

/** @throws ApiError when the API cannot say */
export function classifyOwners(client: StoreClient, dependent: KubernetesObject): ClassifiedOwners {
  const { namespace = '', ownerReferences = [] } = dependent.metadata ?? {};
  const owners: Record<OwnerState, OwnerReference[]> = { solid: [], dangling: [], waiting: [] };
  for (const reference of ownerReferences) owners[ownerState(client, namespace, reference)].push(reference);
  return owners;
}

function ownerState(client: StoreClient, namespace: string, reference: OwnerReference): OwnerState {
  const resource = ownerResource(reference);
  if (resource === undefined) return 'solid';
  const { isNamespaced } = RESOURCES[resource];
  // A reference from outside all namespaces into an unnamed one says nothing.
  if (isNamespaced && namespace === '') return 'solid';
  const owner = getOrNothing(client, resource, isNamespaced ? namespace : '', reference.name);
  if (owner === undefined || owner.metadata?.uid !== reference.uid) return 'dangling';
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
