import { FOREGROUND_FINALIZER, type KubernetesObject, type OwnerReference } from '../../api/meta.ts';
import { ifFound } from '../../store/objects/api-error.ts';
import { RESOURCES, type Resource } from '../../store/objects/resources.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';
import { isHeldBy } from './patches.ts';

const RESOURCE_BY_KIND = new Map(
  Object.entries(RESOURCES).map(([resource, { kind, apiVersion }]) => [
    kindKey(kind, apiVersion),
    resource as Resource,
  ]),
);

/** The resource of the owner; undefined for a kind that this API does not serve in that version. */
export function ownerResource({ kind, apiVersion = 'v1' }: OwnerReference): Resource | undefined {
  return RESOURCE_BY_KIND.get(kindKey(kind, apiVersion));
}

function kindKey(kind: string, apiVersion: string): string {
  return `${apiVersion}/${kind}`;
}

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
    const owner = ifFound(() => client.get(resource, isNamespaced ? namespace : '', reference.name));
    owners[ownerState(owner, reference)].push(reference);
  }
  return owners;
}

function ownerState(owner: KubernetesObject | undefined, { uid }: OwnerReference): OwnerState {
  if (owner?.metadata?.uid !== uid) return 'dangling';
  return isHeldBy(owner, FOREGROUND_FINALIZER) ? 'waiting' : 'solid';
}
