import { madeClaim, owningGroupOf } from '../../../api/claims-of-pod.ts';
import type { OwnerReference } from '../../../api/meta.ts';
import type { Pod, PodResourceClaim } from '../../../api/pod.ts';
import { podGroupNameOf } from '../../../api/pod-group.ts';
import type { ResourceClaim } from '../../../api/resource-claims.ts';
import type { PodInfo } from '../../../framework/pod-info.ts';
import type { ClaimCache } from './claim-cache.ts';

export function usesClaims({ spec }: Pod): boolean {
  return !!spec?.resourceClaims?.length;
}

/** The claims that the pod names, in its order; or why one of them cannot be used yet. */
export function podClaims(pod: PodInfo, cache: ClaimCache): readonly ResourceClaim[] | string {
  // Most pods name one claim, for which an array that grows by `push` would be too large.
  let claims: readonly ResourceClaim[] = NO_CLAIMS;
  const references = pod.pod.spec?.resourceClaims ?? NO_REFERENCES;
  for (let i = 0; i < references.length; i++) {
    const reference = references[i] as PodResourceClaim;
    const named = claimName(pod, reference);
    if ('problem' in named) return named.problem;
    // The pod was found to need no claim.
    if (named.name === undefined) continue;
    const claim = cache.get(pod.namespace, named.name);
    if (claim === undefined) return notFound(pod.namespace, named.name);
    if (claim.metadata?.deletionTimestamp) return `resourceclaim "${named.name}" is being deleted`;
    if (named.mustBeOwned && !isOwnedBy(claim, pod)) {
      const group = cache.groupsOwnClaims ? podGroupNameOf(pod.pod) : '';
      if (group === '' || owningGroupOf(claim)?.name !== group) {
        const why = group === '' ? 'Pod is not owner' : `neither Pod nor PodGroup ${group} is the owner`;
        return `ResourceClaim ${pod.namespace}/${named.name} was not created for Pod ${pod.key} (${why})`;
      }
    }
    claims = claims.length === 0 ? [claim] : [...claims, claim];
  }
  return claims;
}

export function notFound(namespace: string, name: string): string {
  return `could not find ResourceClaim "${namespace}/${name}"`;
}

const NO_CLAIMS: readonly ResourceClaim[] = [];
const NO_REFERENCES: readonly PodResourceClaim[] = [];

/** The claims of the pod that was asked about last: PreEnqueue and PreFilter often ask one after the other. */
export class LastPodClaims {
  readonly #cache: ClaimCache;
  #pod: Pod | null = null;
  #version = -1;
  #claims: readonly ResourceClaim[] | string = NO_CLAIMS;

  constructor(cache: ClaimCache) {
    this.#cache = cache;
  }

  /** As `podClaims`. */
  of(pod: PodInfo): readonly ResourceClaim[] | string {
    const { version } = this.#cache;
    if (pod.pod !== this.#pod || version !== this.#version) {
      this.#claims = podClaims(pod, this.#cache);
      this.#pod = pod.pod;
      this.#version = version;
    }
    return this.#claims;
  }
}

/** The names of the claims that the pod uses, as far as they are known. */
export function namedClaims(pod: Pod): string[] {
  const references = pod.spec?.resourceClaims ?? NO_REFERENCES;
  const names: string[] = [];
  for (let i = 0; i < references.length; i++) {
    const name = referredClaim(pod, references[i] as PodResourceClaim);
    if (name !== undefined) names.push(name);
  }
  return names;
}

/** The name of the claim that a reference of the pod stands for; undefined if it is not known. */
export function referredClaim({ status }: Pod, { name, resourceClaimName }: PodResourceClaim): string | undefined {
  return resourceClaimName ?? madeClaim(status?.resourceClaimStatuses, name)?.resourceClaimName;
}

type NamedClaim = { readonly name: string | undefined; readonly mustBeOwned: boolean } | { readonly problem: string };

/** The name of the claim, which a controller chooses for a claim from a template. */
function claimName(pod: PodInfo, reference: PodResourceClaim): NamedClaim {
  const { name, resourceClaimName, resourceClaimTemplateName } = reference;
  if (resourceClaimName !== undefined) return { name: resourceClaimName, mustBeOwned: false };
  if (resourceClaimTemplateName === undefined) {
    return { problem: `pod "${pod.key}", spec.resourceClaim "${name}": none of the supported fields are set` };
  }
  const made = madeClaim(pod.pod.status?.resourceClaimStatuses, name);
  if (made === undefined) return { problem: `pod "${pod.key}": ResourceClaim not created yet` };
  return { name: made.resourceClaimName, mustBeOwned: true };
}

const NO_OWNERS: readonly OwnerReference[] = [];

/** Whether the pod is the claim's controller. */
function isOwnedBy({ metadata }: ResourceClaim, { uid }: PodInfo): boolean {
  const owners = metadata?.ownerReferences ?? NO_OWNERS;
  for (let i = 0; i < owners.length; i++) if (owners[i]?.controller === true && owners[i]?.uid === uid) return true;
  return false;
}

/** The consumer for which a claim is reserved: a pod or a pod group. */
export interface ClaimUser {
  readonly apiGroup?: string;
  readonly resource: string;
  readonly name: string;
  readonly uid: string;
}

export function podUser({ name, uid }: PodInfo): ClaimUser {
  return { resource: 'pods', name, uid };
}
