import type { Node } from '../../api/node.ts';
import { topologyValue } from '../../api/topology-spread.ts';

/** The number of matches for each pair of topology key and value. A pair is removed when its count becomes 0. */
export class TopologyCounts {
  readonly #byKey = new Map<string, Map<string, number>>();

  get isEmpty(): boolean {
    return this.#byKey.size === 0;
  }

  /** The count of the pair in which the node lies; 0 for a node without the label. */
  of(node: Node, topologyKey: string): number {
    const counts = this.#byKey.get(topologyKey);
    if (counts === undefined) return 0;
    const value = topologyValue(node, topologyKey);
    return value === undefined ? 0 : (counts.get(value) ?? 0);
  }

  /** Whether some pair in which the node lies has a count above 0. */
  hasAny(node: Node): boolean {
    for (const topologyKey of this.#byKey.keys()) if (this.of(node, topologyKey) > 0) return true;
    return false;
  }

  /** Adds to the pair in which the node lies; a node without the label lies in none. */
  add(node: Node, topologyKey: string, delta: number): void {
    const value = topologyValue(node, topologyKey);
    if (value === undefined) return;
    let counts = this.#byKey.get(topologyKey);
    if (counts === undefined) {
      counts = new Map();
      this.#byKey.set(topologyKey, counts);
    }
    const count = (counts.get(value) ?? 0) + delta;
    if (count !== 0) counts.set(value, count);
    else counts.delete(value);
    if (counts.size === 0) this.#byKey.delete(topologyKey);
  }

  clone(): TopologyCounts {
    const copy = new TopologyCounts();
    for (const [key, counts] of this.#byKey) copy.#byKey.set(key, new Map(counts));
    return copy;
  }
}
