import type { ResourceClaim } from '../../api/resource-claims.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { ExtendedClaim, ExtendedRefusal, NodeClaim } from './extended/extended-claim.ts';

/** What one node is asked for. */
export interface NodeAsk {
  /** Nodes with equal kinds are asked for the same. */
  readonly kind: string;
  readonly claims: readonly ResourceClaim[];
  /** The last of the claims, if it is the one for extended resources; null if the node needs none. */
  readonly extended: NodeClaim | null;
}

/** The claims for which an attempt asks nodes for devices. */
export class AskedClaims {
  /** The claims of the pod, other than for extended resources. */
  readonly unallocated: readonly ResourceClaim[];
  readonly #extended: ExtendedClaim | null;
  readonly #withoutExtended: NodeAsk;
  /** What nodes were asked for; most attempts meet one kind of node. */
  readonly #asks: NodeAsk[] = [];

  /** `extended`: the claim for extended resources that devices provide; null if the pod requests none. */
  constructor(unallocated: readonly ResourceClaim[], extended: ExtendedClaim | null) {
    this.unallocated = unallocated;
    this.#extended = extended;
    this.#withoutExtended = { kind: '', claims: unallocated, extended: null };
  }

  /** All of the pod on which the claim for extended resources depends; '' without such. */
  get extendedKey(): string {
    return this.#extended === null ? '' : this.#extended.key;
  }

  /** What the node is asked for, or why it is rejected at once. */
  on(node: NodeInfo): NodeAsk | ExtendedRefusal {
    const extended = this.#extended?.on(node) ?? null;
    if (typeof extended === 'string') return extended;
    if (extended === null) return this.#withoutExtended;
    for (const known of this.#asks) if (known.extended === extended) return known;
    const ask = { kind: extended.resources, claims: [...this.unallocated, extended.claim], extended };
    this.#asks.push(ask);
    return ask;
  }
}
