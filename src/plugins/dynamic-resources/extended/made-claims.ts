import type { OwnerReference } from '../../../api/meta.ts';
import type { ResourceClaim } from '../../../api/resource-claims.ts';
import type { ClusterObjects } from '../../../framework/cluster-objects.ts';
import type { ObjectLog } from '../../../framework/object-log.ts';
import type { PodInfo } from '../../../framework/pod-info.ts';
import { PairMap } from '../../../lib/pair-map.ts';
import type { ClaimCache } from '../claims/claim-cache.ts';
import { claimMadeFor, extendedClaimOwners, uidInMemory } from './extended-claim.ts';

/** The claims that were made for the extended resources of pods, found by pod without a look at all claims. */
export class MadeClaims {
  readonly #objects: ClusterObjects;
  readonly #claims: ClaimCache;
  readonly #log: ObjectLog<ResourceClaim>;
  /** The owners of each claim, by the claim's namespace and name. */
  readonly #ownersOf = new PairMap<readonly OwnerReference[]>();
  /** The number of claims by owner: other owners may have the same key. */
  readonly #counts = new Map<string, number>();

  constructor(objects: ClusterObjects, claims: ClaimCache) {
    this.#objects = objects;
    this.#claims = claims;
    this.#log = objects.followObjects('ResourceClaim');
    this.#readAll();
  }

  /** The claim that an earlier attempt has made for the pod. */
  of(pod: PodInfo): ResourceClaim | undefined {
    this.#catchUp();
    const isInMemory = this.#claims.hasInMemory && this.#claims.isInFlight(uidInMemory(pod), '');
    const mayExist = isInMemory || this.#counts.has(keyOfOwner(pod));
    return mayExist ? claimMadeFor(pod, this.#claims.all()) : undefined;
  }

  #catchUp(): void {
    if (!this.#log.hasChanges) return;
    const changes = this.#log.take();
    if (changes === null) {
      this.#ownersOf.clear();
      this.#counts.clear();
      this.#readAll();
      return;
    }
    for (const { metadata } of changes) {
      const { namespace, name = '' } = metadata ?? {};
      this.#read(namespace || 'default', name, this.#objects.get('ResourceClaim', name, namespace || 'default'));
    }
  }

  #readAll(): void {
    for (const claim of this.#objects.list('ResourceClaim')) {
      this.#read(claim.metadata?.namespace || 'default', claim.metadata?.name ?? '', claim);
    }
  }

  #read(namespace: string, name: string, claim: ResourceClaim | undefined): void {
    const now = claim === undefined ? NOBODY : extendedClaimOwners(claim);
    const before = this.#ownersOf.get(namespace, name) ?? NOBODY;
    if (now === before || (now.length === 0 && before.length === 0)) return;
    for (const owner of now) this.#count(keyOfOwner(owner), 1);
    for (const owner of before) this.#count(keyOfOwner(owner), -1);
    if (now.length === 0) this.#ownersOf.delete(namespace, name);
    else this.#ownersOf.set(namespace, name, now);
  }

  #count(owner: string, change: 1 | -1): void {
    const count = (this.#counts.get(owner) ?? 0) + change;
    if (count > 0) this.#counts.set(owner, count);
    else this.#counts.delete(owner);
  }
}

const NOBODY: readonly OwnerReference[] = [];

/** A key that two owners may share. */
function keyOfOwner({ name, uid }: { readonly name: string; readonly uid: string }): string {
  return uid || name;
}
