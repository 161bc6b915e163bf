/** An item that a heap can hold. It knows its index, so that it can be moved, or removed from the middle. */
export interface HeapItem {
  /** Maintained by the heap; -1 while the item is in no heap. */
  heapIndex: number;
}

/**
 * A binary heap; the item that stands before all others is at the root. Every step costs at most log2(length) moves.
 * `isBefore` must order any two different items, else their order depends on how the heap was filled.
 */
export class Heap<Item extends HeapItem> {
  readonly #items: Item[] = [];
  readonly #isBefore: (a: Item, b: Item) => boolean;

  constructor(isBefore: (a: Item, b: Item) => boolean) {
    this.#isBefore = isBefore;
  }

  get length(): number {
    return this.#items.length;
  }

  peek(): Item | undefined {
    return this.#items[0];
  }

  push(item: Item): void {
    this.#items.push(item);
    this.#siftUp(item, this.#items.length - 1);
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
    if (last !== item) this.#restoreOrder(last, index);
  }

  /** Restores the order after something has changed that `isBefore` reads of the item. */
  update(item: Item): void {
    if (item.heapIndex >= 0) this.#restoreOrder(item, item.heapIndex);
  }

  #restoreOrder(item: Item, index: number): void {
    this.#siftUp(item, index);
    if (item.heapIndex === index) this.#siftDown(item, index);
  }

  #siftUp(item: Item, start: number): void {
    let index = start;
    while (index > 0) {
      const parentIndex = (index - 1) >> 1;
      const parent = this.#items[parentIndex] as Item;
      if (!this.#isBefore(item, parent)) break;
      this.#put(parent, index);
      index = parentIndex;
    }
    this.#put(item, index);
  }

  #siftDown(item: Item, start: number): void {
    const items = this.#items;
    let index = start;
    for (;;) {
      let childIndex = 2 * index + 1;
      if (childIndex >= items.length) break;
      const right = childIndex + 1;
      if (right < items.length && this.#isBefore(items[right] as Item, items[childIndex] as Item)) childIndex = right;
      const child = items[childIndex] as Item;
      if (!this.#isBefore(child, item)) break;
      this.#put(child, index);
      index = childIndex;
    }
    this.#put(item, index);
  }

  #put(item: Item, index: number): void {
    this.#items[index] = item;
    item.heapIndex = index;
  }
}
