import type { ResourceClaim } from '../../../api/resource-claims.ts';
import type { ClusterObjects } from '../../../framework/cluster-objects.ts';
import type { HandleApi } from '../../../framework/handle.ts';

/** What is written about claims. */
export type ClaimApi = Pick<HandleApi, 'getResourceClaim' | 'updateResourceClaim' | 'updateResourceClaimStatus'>;

/** Stands for the API in a scheduler without one: what is written is known at once. */
export function objectsApi(objects: ClusterObjects): ClaimApi {
  const set = (claim: ResourceClaim): ResourceClaim => {
    objects.set('ResourceClaim', claim);
    return claim;
  };
  return {
    getResourceClaim: (namespace, name) => objects.get('ResourceClaim', name, namespace) ?? {},
    updateResourceClaim: set,
    updateResourceClaimStatus: set,
  };
}
