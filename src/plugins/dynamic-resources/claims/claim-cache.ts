import type { ResourceClaim } from '../../../api/resource-claims.ts';
import { AssumedObjects } from '../../../framework/assumed-objects.ts';
import type { ClusterObjects } from '../../../framework/cluster-objects.ts';

/**
 * Claims as they will be once the scheduler's decisions have been carried out (upstream's DRA manager with its assume
 * cache and its allocations in flight).
 *
 *   known ── reserve ──▶ in flight ── written ──▶ assumed ── a newer object arrives ──▶ known
 *                            └──────── released ────────────────────────────────────────▲
 */
export class ClaimCache {
  readonly #objects: ClusterObjects;
  readonly #assumed = new AssumedObjects();
  /** The allocations that were decided and not written, by the claim's UID. */
  readonly #inFlight = new Map<string, ResourceClaim>();

  constructor(objects: ClusterObjects) {
    this.#objects = objects;
  }

  get(namespace: string, name: string): ResourceClaim | undefined {
    const known = this.#objects.get('ResourceClaim', name, namespace);
    return known === undefined ? undefined : this.#assumed.current(known);
  }

  /** All claims, with the allocations that are in flight. */
  *all(): Iterable<ResourceClaim> {
    for (const known of this.#objects.list('ResourceClaim')) {
      yield this.#inFlight.get(known.metadata?.uid ?? '') ?? this.#assumed.current(known);
    }
    for (const claim of this.#inFlight.values()) if (!this.isKnown(claim)) yield claim;
  }

  /** Whether the claim has arrived; one that the scheduler makes is in memory before. */
  isKnown({ metadata }: ResourceClaim): boolean {
    const { namespace, name = '', uid } = metadata ?? {};
    return this.#objects.get('ResourceClaim', name, namespace || 'default')?.metadata?.uid === uid;
  }

  isInFlight(uid: string): boolean {
    return this.#inFlight.has(uid);
  }

  /** Keeps the allocation until it is written or released. */
  reserve(claim: ResourceClaim): void {
    this.#inFlight.set(claim.metadata?.uid ?? '', claim);
  }

  release({ metadata }: ResourceClaim): void {
    this.#inFlight.delete(metadata?.uid ?? '');
  }

  /** Takes the claim as it was written, until a newer one arrives. */
  assume(assumed: ResourceClaim): void {
    const { namespace, name } = assumed.metadata ?? {};
    const known = this.#objects.get('ResourceClaim', name ?? '', namespace || 'default');
    if (known !== undefined && known !== assumed) this.#assumed.assume(known, assumed);
    this.release(assumed);
  }
}
