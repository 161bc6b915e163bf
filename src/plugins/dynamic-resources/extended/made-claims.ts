import type { ResourceClaim } from '../../../api/resource-claims.ts';
import type { ClusterObjects } from '../../../framework/cluster-objects.ts';
import type { ObjectFeed } from '../../../framework/object-feed.ts';
import type { PodInfo } from '../../../framework/pod-info.ts';
import { getOrMake } from '../../../lib/get-or-make.ts';
import type { ClaimCache } from '../claims/claim-cache.ts';
import { claimMadeFor, extendedClaimOwners, uidInMemory } from './extended-claim.ts';

/** The claims that were made for the extended resources of pods, found by pod without a look at all claims. */
export class MadeClaims {
  readonly #objects: ClusterObjects;
  readonly #claims: ClaimCache;
  readonly #feed: ObjectFeed;
  /** The owners of each claim, by the claim's namespace and name. */
  readonly #ownersOf = new Map<string, readonly string[]>();
  /** The number of claims by owner. */
  readonly #counts = new Map<string, number>();

  constructor(objects: ClusterObjects, claims: ClaimCache) {
    this.#objects = objects;
    this.#claims = claims;
    this.#feed = objects.follow(['ResourceClaim']);
    this.#readAll();
  }

  /** The claim that an earlier attempt has made for the pod. */
  of(pod: PodInfo): ResourceClaim | undefined {
    this.#catchUp();
    const mayExist = this.#counts.has(keyOfOwner(pod)) || this.#claims.isInFlight(uidInMemory(pod), '');
    return mayExist ? claimMadeFor(pod, this.#claims.all()) : undefined;
  }

  #catchUp(): void {
    if (!this.#feed.hasChanges) return;
    const changes = this.#feed.take();
    if (changes === null) {
      this.#ownersOf.clear();
      this.#counts.clear();
      this.#readAll();
      return;
    }
    for (const key of changes.keys()) {
      const claim = key.slice(key.indexOf(' ') + 1);
      const slash = claim.indexOf('/');
      this.#read(claim, this.#objects.get('ResourceClaim', claim.slice(slash + 1), claim.slice(0, slash)));
    }
  }

  #readAll(): void {
    for (const claim of this.#objects.list('ResourceClaim')) {
      this.#read(`${claim.metadata?.namespace || 'default'}/${claim.metadata?.name ?? ''}`, claim);
    }
  }

  #read(key: string, claim: ResourceClaim | undefined): void {
    const now = claim === undefined ? NOBODY : extendedClaimOwners(claim).map(keyOfOwner);
    const before = this.#ownersOf.get(key) ?? NOBODY;
    if (now.length === 0 && before.length === 0) return;
    for (const owner of now) this.#counts.set(owner, getOrMake(this.#counts, owner, () => 0) + 1);
    for (const owner of before) {
      const count = (this.#counts.get(owner) ?? 0) - 1;
      if (count > 0) this.#counts.set(owner, count);
      else this.#counts.delete(owner);
    }
    if (now.length === 0) this.#ownersOf.delete(key);
    else this.#ownersOf.set(key, now);
  }
}

const NOBODY: readonly string[] = [];

function keyOfOwner({ name, uid }: { readonly name: string; readonly uid: string }): string {
  return `${name} ${uid}`;
}
