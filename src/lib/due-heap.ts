/** An item that a heap orders by its time. It knows its index, so that it can be removed from the middle. */
export interface DueItem {
  readonly dueMillis: number;
  /** Orders items of the same time; no two items have the same number. */
  readonly sequence: number;
  /** Maintained by the heap; -1 while the item is in no heap. */
  heapIndex: number;
}

/**
 * A heap of items by the time when they are due. Each item has up to four children, and the times lie in a list of
 * their own, so that finding a place in a heap of many thousand timers reads few cache lines.
 */
export class DueHeap<Item extends DueItem> {
  readonly #items: Item[] = [];
  readonly #dueMillis: number[] = [];

  get length(): number {
    return this.#items.length;
  }

  peek(): Item | undefined {
    return this.#items[0];
  }

  push(item: Item): void {
    const index = this.#items.length;
    this.#items.push(item);
    this.#dueMillis.push(item.dueMillis);
    this.#siftUp(item, index);
  }

  pop(): Item | undefined {
    const root = this.#items[0];
    if (root !== undefined) this.remove(root);
    return root;
  }

  /** Removes the item, wherever it is in the heap; does nothing when it is in no heap. */
  remove(item: Item): void {
    const index = item.heapIndex;
    if (index < 0) return;
    item.heapIndex = -1;
    const last = this.#items.pop() as Item;
    this.#dueMillis.pop();
    if (last === item) return;
    this.#siftUp(last, index);
    if (last.heapIndex === index) this.#siftDown(last, index);
  }

  #siftUp(item: Item, start: number): void {
    const dueMillis = item.dueMillis;
    let index = start;
    while (index > 0) {
      const parentIndex = (index - 1) >> 2;
      const parentMillis = this.#dueMillis[parentIndex] as number;
      if (parentMillis < dueMillis) break;
      const parent = this.#items[parentIndex] as Item;
      if (parentMillis === dueMillis && parent.sequence < item.sequence) break;
      this.#put(parent, parentMillis, index);
      index = parentIndex;
    }
    this.#put(item, dueMillis, index);
  }

  #siftDown(item: Item, start: number): void {
    const items = this.#items;
    const dueMillis = item.dueMillis;
    let index = start;
    for (;;) {
      const childIndex = this.#firstChild(index);
      if (childIndex < 0) break;
      const childMillis = this.#dueMillis[childIndex] as number;
      if (childMillis > dueMillis) break;
      const child = items[childIndex] as Item;
      if (childMillis === dueMillis && child.sequence > item.sequence) break;
      this.#put(child, childMillis, index);
      index = childIndex;
    }
    this.#put(item, dueMillis, index);
  }

  /** The index of the child that is due first; -1 when there is none. */
  #firstChild(index: number): number {
    const begin = 4 * index + 1;
    const end = Math.min(begin + 4, this.#items.length);
    if (begin >= end) return -1;
    let first = begin;
    let firstMillis = this.#dueMillis[begin] as number;
    for (let i = begin + 1; i < end; i++) {
      const millis = this.#dueMillis[i] as number;
      if (millis > firstMillis || (millis === firstMillis && this.#isLater(i, first))) continue;
      first = i;
      firstMillis = millis;
    }
    return first;
  }

  /** Whether the first of two items of the same time comes later. */
  #isLater(index: number, other: number): boolean {
    return (this.#items[index] as Item).sequence > (this.#items[other] as Item).sequence;
  }

  #put(item: Item, dueMillis: number, index: number): void {
    this.#items[index] = item;
    this.#dueMillis[index] = dueMillis;
    item.heapIndex = index;
  }
}
