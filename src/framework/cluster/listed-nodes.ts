import type { NodeTree } from './node-tree.ts';

/**
 * The list of the snapshot's nodes, by slot. The list is rebuilt, in the present order of the tree, only if the set of
 * names has changed since the last snapshot (upstream's UpdateSnapshot). So a node that moves to another zone keeps its
 * place, and so does one that is removed and added again between two snapshots.
 */
export class ListedNodes {
  #order: Int32Array = new Int32Array(0);
  /** The names that are not in the list yet. */
  #added = new Set<string>();
  /** The slots under which removed nodes are listed, by name. */
  #removed = new Map<string, number>();
  /** The slots under which nodes are listed that were removed and added again, by their new slots. */
  #returned = new Map<number, number>();

  clone(): ListedNodes {
    const copy = new ListedNodes();
    copy.#order = this.#order;
    copy.#added = new Set(this.#added);
    copy.#removed = new Map(this.#removed);
    copy.#returned = new Map(this.#returned);
    return copy;
  }

  /** Whether nodes are listed under slots that are not theirs any more. */
  get isOutdated(): boolean {
    return this.#removed.size + this.#returned.size > 0;
  }

  /** The slots in list order. The array is replaced, never changed. */
  get order(): Int32Array {
    return this.#order;
  }

  nodeAdded(name: string, slot: number): void {
    const listed = this.#removed.get(name);
    if (listed === undefined) {
      this.#added.add(name);
      return;
    }
    this.#removed.delete(name);
    this.#returned.set(slot, listed);
  }

  nodeRemoved(name: string, slot: number): void {
    if (this.#added.delete(name)) return;
    this.#removed.set(name, this.#returned.get(slot) ?? slot);
    this.#returned.delete(slot);
  }

  /** The names in list order, also of nodes that are gone. `nameAt`: the name of the node in a slot. */
  names(nameAt: (slot: number) => string): string[] {
    const gone = new Map([...this.#removed].map(([name, slot]) => [slot, name]));
    const moved = new Map([...this.#returned].map(([slot, listed]) => [listed, slot]));
    return Array.from(this.#order, (slot) => gone.get(slot) ?? nameAt(moved.get(slot) ?? slot));
  }

  /** Restores a list from its names. `slots`: those of the present nodes, by name. */
  load(names: readonly string[], slots: ReadonlyMap<string, number>): void {
    // Nodes that are gone have no slot, so each gets a number that no slot has.
    this.#order = Int32Array.from(names, (name, i) => slots.get(name) ?? -1 - i);
    const listed = new Set(names);
    for (const name of slots.keys()) if (!listed.has(name)) this.#added.add(name);
    for (const [i, name] of names.entries()) if (!slots.has(name)) this.#removed.set(name, -1 - i);
  }

  update(tree: NodeTree): void {
    if (this.#added.size > 0 || this.#removed.size > 0) {
      this.#order = tree.order();
    } else if (this.#returned.size > 0) {
      const slotsNow = new Map([...this.#returned].map(([slot, listed]) => [listed, slot]));
      this.#order = this.#order.map((listed) => slotsNow.get(listed) ?? listed);
    } else {
      return;
    }
    this.#added.clear();
    this.#removed.clear();
    this.#returned.clear();
  }
}
