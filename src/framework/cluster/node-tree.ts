import type { Node } from '../../api/node.ts';
import { PairMap } from '../../lib/pair-map.ts';

/** The value in a zone's list where a node was removed. */
const GAP = -1;

interface Zone {
  slots: number[];
  gaps: number;
}

/**
 * The order in which nodes are searched: zones in order of first appearance, then round robin, the first node of each
 * zone, the second of each zone, ... (upstream's node_tree.go). Holds slots, not nodes.
 *
 *   zone a: 0 3        order: 0 1 2 3 4
 *   zone b: 1 4
 *   zone c: 2
 */
export class NodeTree {
  readonly #zones = new Map<string, Zone>();
  /** The position of each slot in the list of its zone. */
  #positions = new Int32Array(64);
  #order: Int32Array | null = null;
  #count = 0;

  /** Takes over the nodes of another tree. */
  copyFrom(other: NodeTree): void {
    for (const [name, { slots, gaps }] of other.#zones) this.#zones.set(name, { slots: slots.slice(), gaps });
    this.#positions = other.#positions.slice();
    this.#order = other.#order;
    this.#count = other.#count;
  }

  add(zoneName: string, slot: number): void {
    let zone = this.#zones.get(zoneName);
    if (zone === undefined) {
      zone = { slots: [], gaps: 0 };
      this.#zones.set(zoneName, zone);
    }
    if (slot >= this.#positions.length) {
      const positions = new Int32Array(Math.max(slot + 1, this.#positions.length * 2));
      positions.set(this.#positions);
      this.#positions = positions;
    }
    this.#positions[slot] = zone.slots.push(slot) - 1;
    this.#count++;
    this.#order = null;
  }

  /** Removes a node. A zone that becomes empty is removed, too; if it is added again, it is the last zone. */
  remove(zoneName: string, slot: number): void {
    const zone = this.#zones.get(zoneName);
    const position = this.#positions[slot] ?? 0;
    if (zone === undefined || zone.slots[position] !== slot) return;
    zone.slots[position] = GAP;
    zone.gaps++;
    if (zone.gaps === zone.slots.length) this.#zones.delete(zoneName);
    else if (zone.gaps * 2 > zone.slots.length) this.#closeGaps(zone);
    this.#count--;
    this.#order = null;
  }

  #closeGaps(zone: Zone): void {
    zone.slots = zone.slots.filter((slot) => slot !== GAP);
    zone.gaps = 0;
    zone.slots.forEach((slot, position) => {
      this.#positions[slot] = position;
    });
  }

  /** The zones in their order, with the slots of each. */
  *zones(): Iterable<readonly [string, readonly number[]]> {
    for (const [key, { slots }] of this.#zones) yield [key, slots.filter((slot) => slot !== GAP)];
  }

  /** The slots in snapshot order. The array is replaced, never changed. */
  order(): Int32Array {
    this.#order ??= this.#interleave();
    return this.#order;
  }

  #interleave(): Int32Array {
    const order = new Int32Array(this.#count);
    const zones = [...this.#zones.values()];
    for (const zone of zones) if (zone.gaps > 0) this.#closeGaps(zone);
    let filled = 0;
    for (let round = 0; filled < order.length; round++) {
      for (const { slots } of zones) {
        const slot = slots[round];
        if (slot !== undefined) order[filled++] = slot;
      }
    }
    return order;
  }
}

/** The most zones whose keys are kept. */
const MOST_KEYS = 4096;

/** The zones of nodes as one text each, which is made once for all nodes of a zone. */
export class ZoneKeys {
  readonly #known = new PairMap<string>();
  #count = 0;

  /** The region and zone of a node as one key; '' for a node with neither. As upstream, older labels are preferred. */
  of(node: Node): string {
    const labels = node.metadata?.labels;
    if (!labels) return '';
    const region = labels['failure-domain.beta.kubernetes.io/region'] ?? labels['topology.kubernetes.io/region'] ?? '';
    const zone = labels['failure-domain.beta.kubernetes.io/zone'] ?? labels['topology.kubernetes.io/zone'] ?? '';
    if (region === '' && zone === '') return '';
    let key = this.#known.get(region, zone);
    if (key === undefined) {
      if (this.#count++ === MOST_KEYS) {
        this.#known.clear();
        this.#count = 1;
      }
      key = `${region}:\u0000:${zone}`;
      this.#known.set(region, zone, key);
    }
    return key;
  }
}
