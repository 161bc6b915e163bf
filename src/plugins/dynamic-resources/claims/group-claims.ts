import { withClaimParts } from '../../../api/claims-of-pod.ts';
import { podGroupKeyOf, podGroupNameOf, sharesClaim } from '../../../api/pod-group.ts';
import type { AllocationResult, ResourceClaim } from '../../../api/resource-claims.ts';
import type { FeatureGates } from '../../../config/feature-gates.ts';
import type { ClusterObjects } from '../../../framework/cluster-objects.ts';
import type { PodInfo } from '../../../framework/pod-info.ts';
import type { ClaimCache } from './claim-cache.ts';
import { type ClaimUser, podUser, referredClaim } from './pod-claims.ts';

type Allocations = ReadonlyMap<ResourceClaim, AllocationResult>;

export const NO_ALLOCATIONS: Allocations = new Map();

/** The claims of a pod that have no devices. */
interface SplitClaims {
  readonly unallocated: readonly ResourceClaim[];
  /** What other pods of the same group were found. */
  readonly shared: Allocations;
}

/** What groups of pods change about claims. */
export class GroupClaims {
  readonly #objects: ClusterObjects;
  readonly #features: FeatureGates;
  readonly #cache: ClaimCache;

  constructor(objects: ClusterObjects, features: FeatureGates, cache: ClaimCache) {
    this.#objects = objects;
    this.#cache = cache;
    this.#features = features;
  }

  /**
   * Divides the claims that have no devices: pods of one group, which are tried together, share what the first of them
   * was found; the others are to be allocated.
   */
  split(claims: readonly ResourceClaim[], pod: PodInfo): SplitClaims {
    const group = this.#groupOf(pod);
    if (group === '') return { unallocated: claims.filter(hasNoDevices), shared: NO_ALLOCATIONS };
    const shared = new Map<ResourceClaim, AllocationResult>();
    const unallocated = claims.filter((claim) => {
      const found = this.#cache.allocationOfGroup(claim.metadata?.uid ?? '', group);
      if (found !== undefined) shared.set(claim, found);
      return hasNoDevices(claim) && found === undefined;
    });
    return { unallocated, shared };
  }

  /** Whether the claim is being allocated for others than the pod's group. */
  isInFlight({ metadata }: ResourceClaim, pod: PodInfo): boolean {
    return this.#cache.isInFlight(metadata?.uid ?? '', this.#groupOf(pod));
  }

  /** Keeps what was found for the pod, also for the other pods of its group. Returns all that the pod gets. */
  reserve(own: Allocations, shared: Allocations, pod: PodInfo): Allocations {
    const group = this.#groupOf(pod);
    for (const [claim, allocation] of own) {
      this.#cache.reserve(withClaimParts(claim, claim.metadata, { ...claim.status, allocation }), group);
    }
    return shared.size === 0 ? own : new Map([...own, ...shared]);
  }

  /** The key of the pod's group; '' for none. */
  #groupOf({ pod }: PodInfo): string {
    return this.#features.GenericWorkload ? podGroupKeyOf(pod) : '';
  }

  /** The consumer of the pod's claim: its group, if that names the claim in the same way as the pod. */
  userOf({ metadata }: ResourceClaim, pod: PodInfo): ClaimUser {
    if (!this.#features.DRAWorkloadResourceClaims) return podUser(pod);
    const name = podGroupNameOf(pod.pod);
    const group = name === '' ? undefined : this.#objects.get('PodGroup', name, pod.namespace);
    if (group === undefined) return podUser(pod);
    const references = pod.pod.spec?.resourceClaims ?? [];
    const own = references.find((reference) => referredClaim(pod.pod, reference) === metadata?.name);
    if (own === undefined || !sharesClaim(group, own)) return podUser(pod);
    return { apiGroup: 'scheduling.k8s.io', resource: 'podgroups', name, uid: group.metadata?.uid ?? '' };
  }
}

function hasNoDevices({ status }: ResourceClaim): boolean {
  return status?.allocation === undefined;
}
