import type { AllocationResult, ResourceClaim } from '../../../api/resource-claims.ts';
import type { ClusterObjects } from '../../../framework/cluster-objects.ts';
import type { ObjectLog } from '../../../framework/object-log.ts';
import { PairMap } from '../../../lib/pair-map.ts';
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
  readonly #log: ObjectLog<ResourceClaim>;
  readonly #assumed = new AssumedClaims();
  /** The allocations that were decided and not written, by the claim's UID. */
  readonly #inFlight = new Map<string, ResourceClaim>();
  /** The UIDs of the allocations in flight by namespace and name of the claim. */
  readonly #uidsInFlight = new PairMap<string | Set<string>>();
  /** The UIDs of those that were not known at some time, such as claims that the scheduler makes. */
  readonly #inMemory = new Set<string>();
  /** The groups of pods for which they were decided, by the claim's UID. */
  readonly #groups = new Map<string, string>();
  /** The claims that changed here since `takeChanges` was last called, and the UIDs of those in memory. */
  #changed: ResourceClaim[] = [];
  #changedInMemory: string[] = [];
  #isFirst = true;
  /** The number of claims that were assumed. */
  #assumptions = 0;

  constructor(objects: ClusterObjects, groupsOwnClaims = false) {
    this.groupsOwnClaims = groupsOwnClaims;
    this.#objects = objects;
    this.#log = objects.followObjects('ResourceClaim');
  }

  get(namespace: string, name: string): ResourceClaim | undefined {
    const known = this.#objects.get('ResourceClaim', name, namespace);
    return known === undefined ? undefined : this.#assumed.current(known);
  }

  /** A number that changes with whatever `get` returns. */
  get version(): number {
    return this.#objects.version('ResourceClaim') + this.#assumptions;
  }

  /** All claims, with the allocations that are in flight. */
  *all(): Iterable<ResourceClaim> {
    yield* this.named();
    for (const [, claim] of this.inMemory()) yield claim;
  }

  /** The claims that are known by their names. */
  *named(): Iterable<ResourceClaim> {
    for (const known of this.#objects.list('ResourceClaim')) yield this.#decided(known);
  }

  /** The claims in flight that are not known by their names, by UID. */
  *inMemory(): Iterable<readonly [string, ResourceClaim]> {
    for (const entry of this.#inFlight) if (!this.isKnown(entry[1])) yield entry;
  }

  /** The claim of this name, with what is in flight. */
  getDecided(namespace: string, name: string): ResourceClaim | undefined {
    const known = this.#objects.get('ResourceClaim', name, namespace);
    return known === undefined ? undefined : this.#decided(known);
  }

  /** The claim in flight with this UID; undefined if there is none, or if it is known by its name. */
  getInMemory(uid: string): ResourceClaim | undefined {
    const claim = this.#inFlight.get(uid);
    return claim === undefined || this.isKnown(claim) ? undefined : claim;
  }

  #decided(known: ResourceClaim): ResourceClaim {
    const inFlight = this.#inFlight.size === 0 ? undefined : this.#inFlight.get(known.metadata?.uid ?? '');
    return inFlight ?? this.#assumed.current(known);
  }

  /** What changed since the last call, some of it twice; null if any claim may have. There is one reader. */
  takeChanges(): ClaimChanges | null {
    const arrived = this.#log.hasChanges ? this.#log.take() : NONE;
    const own = this.#changed;
    const inMemory = this.#changedInMemory;
    if (own.length > 0) this.#changed = [];
    if (inMemory.length > 0) this.#changedInMemory = [];
    if (arrived === null || this.#isFirst) {
      this.#isFirst = false;
      for (const uid of this.#inFlight.keys()) this.#noteInMemory(uid);
      return null;
    }
    if (this.#inFlight.size > 0) this.#noteArrived(arrived, inMemory);
    return { arrived, own, inMemory };
  }

  /** Adds the claims in memory that have arrived, or gone: whether a claim is known depends on what has its name. */
  #noteArrived(arrived: readonly ResourceClaim[], inMemory: string[]): void {
    for (let i = 0; i < arrived.length; i++) {
      const { namespace, name = '' } = arrived[i]?.metadata ?? {};
      const uids = this.#uidsInFlight.get(namespace || 'default', name);
      if (typeof uids === 'string') {
        if (this.#noteInMemory(uids)) inMemory.push(uids);
      } else if (uids !== undefined) {
        for (const uid of uids) if (this.#noteInMemory(uid)) inMemory.push(uid);
      }
    }
  }

  /** Notes a claim in flight that is not known; returns whether it is noted. */
  #noteInMemory(uid: string): boolean {
    const claim = this.#inFlight.get(uid);
    if (claim !== undefined && !this.isKnown(claim)) this.#inMemory.add(uid);
    return this.#inMemory.has(uid);
  }

  /** Whether the claim has arrived; one that the scheduler makes is in memory before. */
  isKnown({ metadata }: ResourceClaim): boolean {
    const { namespace, name = '', uid } = metadata ?? {};
    return this.#objects.get('ResourceClaim', name, namespace || 'default')?.metadata?.uid === uid;
  }

  /** Whether some claims in flight were not known by their names at some time. */
  get hasInMemory(): boolean {
    return this.#inMemory.size > 0;
  }

  /** Whether an allocation was decided for pods outside of this group; '' for a pod that belongs to none. */
  isInFlight(uid: string, group: string): boolean {
    return this.#inFlight.size > 0 && this.#inFlight.has(uid) && (group === '' || this.#groups.get(uid) !== group);
  }

  /** What was decided for another pod of this group, which is tried together with this one. */
  allocationOfGroup(uid: string, group: string): AllocationResult | undefined {
    if (group === '' || this.#groups.get(uid) !== group) return undefined;
    return this.#inFlight.get(uid)?.status?.allocation;
  }

  /** Keeps the allocation until it is written or released. */
  reserve(claim: ResourceClaim, group = ''): void {
    const uid = claim.metadata?.uid ?? '';
    this.#land(uid);
    this.#takeOff(uid, claim);
    this.#noteInMemory(uid);
    if (group === '') this.#groups.delete(uid);
    else this.#groups.set(uid, group);
    this.#note(claim);
  }

  release(claim: ResourceClaim): void {
    const uid = claim.metadata?.uid ?? '';
    this.#groups.delete(uid);
    if (this.#land(uid)) this.#note(claim);
  }

  #takeOff(uid: string, claim: ResourceClaim): void {
    this.#inFlight.set(uid, claim);
    const { namespace, name = '' } = claim.metadata ?? {};
    const uids = this.#uidsInFlight.get(namespace || 'default', name);
    // One claim has the name, unless it was made anew meanwhile.
    if (uids === undefined) this.#uidsInFlight.set(namespace || 'default', name, uid);
    else if (typeof uids !== 'string') uids.add(uid);
    else if (uids !== uid) this.#uidsInFlight.set(namespace || 'default', name, new Set([uids, uid]));
  }

  /** Returns whether the allocation was in flight. */
  #land(uid: string): boolean {
    const claim = this.#inFlight.get(uid);
    if (claim === undefined) return false;
    const { namespace, name = '' } = claim.metadata ?? {};
    const uids = this.#uidsInFlight.get(namespace || 'default', name);
    if (uids instanceof Set) uids.delete(uid);
    if (uids === uid || (uids instanceof Set && uids.size === 0)) {
      this.#uidsInFlight.delete(namespace || 'default', name);
    }
    return this.#inFlight.delete(uid);
  }

  /** Takes the claim as it was written, until a newer one arrives. */
  assume(assumed: ResourceClaim): void {
    const { namespace, name } = assumed.metadata ?? {};
    const known = this.#objects.get('ResourceClaim', name ?? '', namespace || 'default');
    if (known !== undefined && known !== assumed) {
      this.#assumptions++;
      this.#assumed.assume(known, assumed, this.#isCurrent);
    }
    this.#note(assumed);
    this.release(assumed);
  }

  readonly #isCurrent = (claim: ResourceClaim): boolean => {
    const { namespace, name = '' } = claim.metadata ?? {};
    return this.#objects.get('ResourceClaim', name, namespace || 'default') === claim;
  };

  #note(claim: ResourceClaim): void {
    this.#changed.push(claim);
    const uid = claim.metadata?.uid ?? '';
    if (!this.#inMemory.has(uid)) return;
    this.#changedInMemory.push(uid);
    if (!this.#inFlight.has(uid)) this.#inMemory.delete(uid);
  }
}

/** Claims that changed, each in some version, by which the present one is found. */
export interface ClaimChanges {
  readonly arrived: readonly ResourceClaim[];
  /** The claims that the scheduler has reserved, released or assumed. */
  readonly own: readonly ResourceClaim[];
  /** The UIDs of claims that were in memory. */
  readonly inMemory: readonly string[];
}

const NONE: readonly ResourceClaim[] = [];
