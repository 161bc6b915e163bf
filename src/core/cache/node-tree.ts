import type { Node } from '../../api/node.ts';

/**
 * The order in which nodes are searched: zones in order of first appearance, then round robin, the first node of each
 * zone, the second of each zone, ... (upstream's node_tree.go). Holds slots, not nodes.
 *
 *   zone a: 0 3        order: 0 1 2 3 4
 *   zone b: 1 4
 *   zone c: 2
 */
export class NodeTree {
  readonly #zones = new Map<string, Set<number>>();
  #order: Int32Array | null = null;
  #count = 0;

  add(zone: string, slot: number): void {
    let slots = this.#zones.get(zone);
    if (slots === undefined) {
      slots = new Set();
      this.#zones.set(zone, slots);
    }
    slots.add(slot);
    this.#count++;
    this.#order = null;
  }

  /** A zone that becomes empty is forgotten: when it comes back, it comes back last. */
  remove(zone: string, slot: number): void {
    const slots = this.#zones.get(zone);
    if (!slots?.delete(slot)) return;
    if (slots.size === 0) this.#zones.delete(zone);
    this.#count--;
    this.#order = null;
  }

  /** Slots in snapshot order. The array is replaced, never changed, when the node set changes. */
  order(): Int32Array {
    this.#order ??= this.#interleave();
    return this.#order;
  }

  #interleave(): Int32Array {
    const order = new Int32Array(this.#count);
    const zones = [...this.#zones.values()].map((slots) => slots.values());
    let filled = 0;
    while (filled < order.length) {
      for (const zone of zones) {
        const next = zone.next();
        if (!next.done) order[filled++] = next.value;
      }
    }
    return order;
  }
}

/** Region and zone of a node as one key; '' for a node with neither. The older label names count first, as upstream. */
export function zoneKey(node: Node): string {
  const labels = node.metadata?.labels ?? {};
  const region = labels['failure-domain.beta.kubernetes.io/region'] ?? labels['topology.kubernetes.io/region'] ?? '';
  const zone = labels['failure-domain.beta.kubernetes.io/zone'] ?? labels['topology.kubernetes.io/zone'] ?? '';
  return region === '' && zone === '' ? '' : `${region}:\u0000:${zone}`;
}
