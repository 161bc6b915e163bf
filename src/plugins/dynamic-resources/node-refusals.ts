import type { ResourceClaim } from '../../api/resource-claims.ts';
import type { NodeFeed } from '../../framework/plugin.ts';
import type { Allocator, Refusal } from './allocator/allocator.ts';
import type { NodeLog } from './allocator/node-log.ts';

/** Claims of so many shapes are followed; the shape that was used longest ago is given up first. */
const MOST_SHAPES = 32;

/** The nodes that cannot serve claims of one shape. */
export interface RefusingNodes {
  /** Every node that may refuse the claims. */
  readonly slots: ReadonlySet<number>;
  /** Why nodes refuse them; a node without a reason has to be asked. */
  readonly reasons: ReadonlyMap<number, Refusal>;
}

interface Refusals extends RefusingNodes {
  readonly slots: Set<number>;
  readonly reasons: Map<number, Refusal>;
  nodeCursor: number;
  deviceCursor: number;
}

/**
 * The nodes without devices for claims, by the shape of the claims: what their requests say, apart from names. After a
 * placement only the nodes are asked again on which devices have changed hands.
 */
export class NodeRefusals {
  readonly #log: NodeLog;
  readonly #shapes = new Map<string, Refusals>();
  readonly #keys = new WeakMap<object, string>();
  #classVersion = -1;

  constructor(log: NodeLog) {
    this.#log = log;
  }

  /**
   * The nodes that may refuse the claims; all others accept them. `classVersion` changes with every device
   * class. Both the devices and the claims must be up to date.
   */
  of(claims: readonly ResourceClaim[], allocator: Allocator, nodes: NodeFeed, classVersion: number): RefusingNodes {
    if (classVersion !== this.#classVersion) this.#shapes.clear();
    this.#classVersion = classVersion;
    const key = claims.map((claim) => this.#keyOf(claim)).join();
    const known = this.#shapes.get(key);
    const refusals = known ?? {
      slots: new Set<number>(),
      reasons: new Map<number, Refusal>(),
      nodeCursor: 0,
      deviceCursor: 0,
    };
    // The shapes stand in the order in which they were last used.
    this.#shapes.delete(key);
    this.#shapes.set(key, refusals);
    if (this.#shapes.size > MOST_SHAPES) {
      for (const oldest of this.#shapes.keys()) {
        this.#shapes.delete(oldest);
        break;
      }
    }
    for (const slot of this.#changed(known, nodes)) this.#ask(refusals, slot, claims, allocator, nodes);
    refusals.nodeCursor = nodes.end;
    refusals.deviceCursor = this.#log.end;
    return refusals;
  }

  #changed(known: Refusals | undefined, nodes: NodeFeed): Iterable<number> {
    const slots = known === undefined ? null : nodes.storageChangedSince(known.nodeCursor);
    const names = known === undefined ? null : this.#log.since(known.deviceCursor);
    if (slots === null || names === null) return Array.from({ length: nodes.slotCount }, (_, slot) => slot);
    if (names.length === 0) return slots;
    const all = new Set(slots);
    for (const name of names) {
      const slot = nodes.node(name)?.slot;
      if (slot !== undefined) all.add(slot);
    }
    return all;
  }

  #ask(
    { slots, reasons }: Refusals,
    slot: number,
    claims: readonly ResourceClaim[],
    allocator: Allocator,
    nodes: NodeFeed,
  ): void {
    const node = nodes.nodeAt(slot);
    const found = node === undefined ? [] : allocator.allocate(node.node, claims);
    reasons.delete(slot);
    if (Array.isArray(found)) {
      slots.delete(slot);
      return;
    }
    slots.add(slot);
    // A failure ends the attempt, and names the claim, so that the filter must report it anew.
    // So must a search that took too long, which another time may not.
    if (typeof found === 'string' && found !== 'timed out trying to allocate devices') reasons.set(slot, found);
  }

  #keyOf({ spec }: ResourceClaim): string {
    if (spec === undefined) return '';
    let key = this.#keys.get(spec);
    if (key === undefined) {
      key = JSON.stringify(spec);
      this.#keys.set(spec, key);
    }
    return key;
  }
}
