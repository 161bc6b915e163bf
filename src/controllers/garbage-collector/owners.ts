import { FOREGROUND_FINALIZER, type KubernetesObject, type OwnerReference } from '../../api/meta.ts';
import { ifFound } from '../../store/objects/api-error.ts';
import type { GarbageApi } from './garbage-api.ts';
import { isHeldBy } from './patches.ts';

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
 * added; here a change of the object or of an owner queues it again.)
 *
 * @param isGone whether an owner was seen to be deleted: then it does not matter that its kind is gone, too
 * @throws ApiError
 */
export function classifyOwners(
  api: GarbageApi,
  dependent: KubernetesObject,
  isGone: (uid: string) => boolean,
): ClassifiedOwners | undefined {
  const { namespace = '', ownerReferences = [] } = dependent.metadata ?? {};
  const owners: Record<OwnerState, OwnerReference[]> = { solid: [], dangling: [], waiting: [] };
  for (const reference of ownerReferences) {
    const served = api.resourceOf(reference);
    if (served === undefined && isGone(reference.uid)) {
      owners.dangling.push(reference);
      continue;
    }
    if (served === undefined) return undefined;
    const { resource, isNamespaced } = served;
    if (isNamespaced && namespace === '') return undefined;
    const owner = ifFound(() => api.get(resource, isNamespaced ? namespace : '', reference.name));
    owners[ownerState(owner, reference)].push(reference);
  }
  return owners;
}

function ownerState(owner: KubernetesObject | undefined, { uid }: OwnerReference): OwnerState {
  if (owner?.metadata?.uid !== uid) return 'dangling';
  return isHeldBy(owner, FOREGROUND_FINALIZER) ? 'waiting' : 'solid';
}
