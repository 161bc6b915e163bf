import type { AllocationResult, ResourceClaim } from '../../../api/resource-claims.ts';
import type { ClusterObjects } from '../../../framework/cluster-objects.ts';
import type { ObjectFeed } from '../../../framework/object-feed.ts';
import { AssumedClaims } from './assumed-claims.ts';

/**
 * Claims as they will be once the scheduler's decisions have been carried out (upstream's DRA manager with its assume
 * cache and its allocations in flight).
 *
 *   known ── reserve ──▶ in flight ── written ──▶ assumed ── a newer object arrives ──▶ known
 *                            └──────── released ────────────────────────────────────────▲
 */
export class ClaimCache {
  /** Whether pods may use claims that were made for their group (feature gate DRAWorkloadResourceClaims). */
  readonly groupsOwnClaims: boolean;
  readonly #objects: ClusterObjects;
  readonly #feed: ObjectFeed;
  readonly #assumed = new AssumedClaims();
  /** The allocations that were decided and not written, by the claim's UID. */
  readonly #inFlight = new Map<string, ResourceClaim>();
  /** The UIDs of those that were not known at some time, such as claims that the scheduler makes. */
  readonly #inMemory = new Set<string>();
  /** The groups of pods for which they were decided, by the claim's UID. */
  readonly #groups = new Map<string, string>();
  /** The keys of the claims that changed here since `takeChanges` was last called. */
  #changed = new Set<string>();
  #isFirst = true;

  constructor(objects: ClusterObjects, groupsOwnClaims = false) {
    this.groupsOwnClaims = groupsOwnClaims;
    this.#objects = objects;
    this.#feed = objects.follow(['ResourceClaim']);
  }

  get(namespace: string, name: string): ResourceClaim | undefined {
    const known = this.#objects.get('ResourceClaim', name, namespace);
    return known === undefined ? undefined : this.#assumed.current(known);
  }

  /** All claims, with the allocations that are in flight. */
  *all(): Iterable<ResourceClaim> {
    for (const [, claim] of this.byKey()) yield claim;
  }

  /** All claims with their keys. */
  *byKey(): Iterable<readonly [string, ResourceClaim]> {
    for (const known of this.#objects.list('ResourceClaim')) {
      const { namespace, name, uid } = known.metadata ?? {};
      yield [keyOf(namespace, name), this.#inFlight.get(uid ?? '') ?? this.#assumed.current(known)];
    }
    for (const claim of this.#inFlight.values())
      if (!this.isKnown(claim)) yield [IN_FLIGHT + (claim.metadata?.uid ?? ''), claim];
  }

  /** The claim of a key of `byKey` or `takeChanges`. */
  byOwnKey(key: string): ResourceClaim | undefined {
    if (key.startsWith(IN_FLIGHT)) {
      const claim = this.#inFlight.get(key.slice(IN_FLIGHT.length));
      return claim === undefined || this.isKnown(claim) ? undefined : claim;
    }
    const slash = key.indexOf('/');
    const known = this.#objects.get('ResourceClaim', key.slice(slash + 1), key.slice(0, slash));
    if (known === undefined) return undefined;
    return this.#inFlight.get(known.metadata?.uid ?? '') ?? this.#assumed.current(known);
  }

  /** The keys of claims that changed since the last call, some twice; null if any may have. There is one reader. */
  takeChanges(): Iterable<string> | null {
    const arrived = this.#feed.hasChanges ? this.#feed.take() : NONE;
    const changed: string[] = this.#changed.size === 0 ? [] : [...this.#changed];
    this.#changed.clear();
    // Whether a claim in flight is known depends on what has arrived.
    if (arrived !== NONE) {
      for (const [uid, claim] of this.#inFlight) if (!this.isKnown(claim)) this.#inMemory.add(uid);
      for (const uid of this.#inMemory) changed.push(IN_FLIGHT + uid);
    }
    if (arrived === null || this.#isFirst) {
      this.#isFirst = false;
      return null;
    }
    for (const key of arrived.keys()) changed.push(key.slice(key.indexOf(' ') + 1));
    return changed;
  }

  /** Whether the claim has arrived; one that the scheduler makes is in memory before. */
  isKnown({ metadata }: ResourceClaim): boolean {
    const { namespace, name = '', uid } = metadata ?? {};
    return this.#objects.get('ResourceClaim', name, namespace || 'default')?.metadata?.uid === uid;
  }

  /** Whether an allocation was decided for pods outside of this group; '' for a pod that belongs to none. */
  isInFlight(uid: string, group: string): boolean {
    return this.#inFlight.has(uid) && (group === '' || this.#groups.get(uid) !== group);
  }

  /** What was decided for another pod of this group, which is tried together with this one. */
  allocationOfGroup(uid: string, group: string): AllocationResult | undefined {
    if (group === '' || this.#groups.get(uid) !== group) return undefined;
    return this.#inFlight.get(uid)?.status?.allocation;
  }

  /** Keeps the allocation until it is written or released. */
  reserve(claim: ResourceClaim, group = ''): void {
    const uid = claim.metadata?.uid ?? '';
    this.#inFlight.set(uid, claim);
    if (!this.isKnown(claim)) this.#inMemory.add(uid);
    if (group === '') this.#groups.delete(uid);
    else this.#groups.set(uid, group);
    this.#note(claim);
  }

  release(claim: ResourceClaim): void {
    const uid = claim.metadata?.uid ?? '';
    this.#groups.delete(uid);
    if (this.#inFlight.delete(uid)) this.#note(claim);
  }

  /** Takes the claim as it was written, until a newer one arrives. */
  assume(assumed: ResourceClaim): void {
    const { namespace, name } = assumed.metadata ?? {};
    const known = this.#objects.get('ResourceClaim', name ?? '', namespace || 'default');
    if (known !== undefined && known !== assumed)
      this.#assumed.assume(known, assumed, (claim) => this.#isCurrent(claim));
    this.#note(assumed);
    this.release(assumed);
  }

  #isCurrent(claim: ResourceClaim): boolean {
    const { namespace, name = '' } = claim.metadata ?? {};
    return this.#objects.get('ResourceClaim', name, namespace || 'default') === claim;
  }

  #note(claim: ResourceClaim): void {
    this.#changed.add(keyOf(claim.metadata?.namespace, claim.metadata?.name));
    const uid = claim.metadata?.uid ?? '';
    if (!this.#inMemory.has(uid)) return;
    this.#changed.add(IN_FLIGHT + uid);
    if (!this.#inFlight.has(uid)) this.#inMemory.delete(uid);
  }
}

const NONE: ReadonlyMap<string, boolean> = new Map();
/** Before the UID of a claim in flight that is not known by its name. */
const IN_FLIGHT = 'in flight ';

function keyOf(namespace: string | undefined, name: string | undefined): string {
  return `${namespace || 'default'}/${name}`;
}
