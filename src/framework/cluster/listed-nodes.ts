import type { NodeTree } from './node-tree.ts';

/**
 * The nodes as the snapshot lists them, by slot. The list is made anew, in the order that the tree has by then, only
 * when other names are in it than at the snapshot before (upstream's UpdateSnapshot): a node that merely moves to
 * another zone keeps its place, and so does one that is removed and added again before anybody looks.
 */
export class ListedNodes {
  #order: Int32Array = new Int32Array(0);
  /** Names that are not in the list yet. */
  #added = new Set<string>();
  /** Listed nodes that are gone: the slots under which they are listed, by name. */
  #removed = new Map<string, number>();
  /** Listed nodes that have come back: the slots under which they are listed, by the slot that they have now. */
  #returned = new Map<number, number>();

  clone(): ListedNodes {
    const copy = new ListedNodes();
    copy.#order = this.#order;
    copy.#added = new Set(this.#added);
    copy.#removed = new Map(this.#removed);
    copy.#returned = new Map(this.#returned);
    return copy;
  }

  /** Another array whenever anything about it is another. */
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
