import type { ResourceClaim } from '../../../api/resource-claims.ts';
import type { ClusterObjects } from '../../../framework/cluster-objects.ts';
import type { HandleApi } from '../../../framework/handle.ts';
import { combined } from '../../../lib/combined.ts';
import { keyedPrng } from '../../../lib/keyed-prng.ts';

/** What is written about claims. */
export type ClaimApi = Pick<
  HandleApi,
  | 'getResourceClaim'
  | 'createResourceClaim'
  | 'updateResourceClaim'
  | 'updateResourceClaimStatus'
  | 'patchResourceClaimStatus'
  | 'deleteResourceClaim'
  | 'patchPodStatus'
>;

const SEED = 1;
/** The characters that the API server completes names with. */
const NAME_CHARACTERS = 'bcdfghjklmnpqrstvwxz2456789';
const NAME_LENGTH = 5;

/** Stands for the API in a scheduler without one: what is written is known at once. */
export function objectsApi(objects: ClusterObjects): ClaimApi {
  const set = (claim: ResourceClaim): ResourceClaim => {
    objects.set('ResourceClaim', claim);
    return claim;
  };
  return {
    getResourceClaim: (namespace, name) => objects.get('ResourceClaim', name, namespace) ?? {},
    createResourceClaim: (claim) => set(withName(claim, objects)),
    updateResourceClaim: set,
    updateResourceClaimStatus: set,
    // Without a handle, the objects are restored as they were.
    patchResourceClaimStatus: () => {},
    deleteResourceClaim: (namespace, name) => {
      objects.remove('ResourceClaim', name, namespace);
    },
    // The pod is its caller's, who learns of the claim from the claim's owner.
    patchPodStatus: () => {},
  };
}

/** The claim with a name that no other has. */
function withName(claim: ResourceClaim, objects: ClusterObjects): ResourceClaim {
  const { namespace = 'default', generateName = '', ownerReferences = [] } = claim.metadata ?? {};
  for (const name of generatedNames(namespace, generateName, ownerReferences[0]?.uid)) {
    if (objects.get('ResourceClaim', name, namespace) !== undefined) continue;
    return combined(claim, { metadata: combined(claim.metadata, { name, uid: `${namespace}/${name}` }) });
  }
  return claim;
}

/** The names that are tried one after the other. They follow from the owner, so that every run gives the same. */
export function* generatedNames(namespace: string, generateName: string, ownerUid = ''): Generator<string> {
  const prng = keyedPrng(SEED, `${namespace}/${generateName}/${ownerUid}`);
  for (;;) {
    let name = generateName;
    for (let i = 0; i < NAME_LENGTH; i++) name += NAME_CHARACTERS[prng.below(NAME_CHARACTERS.length)];
    yield name;
  }
}
