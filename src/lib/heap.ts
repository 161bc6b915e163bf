/** What a heap can hold: the item knows its place, so that it can be moved or taken out of the middle. */
export interface HeapItem {
  /** -1 while it is in no heap; kept by the heap. */
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

  /** Takes the item out, wherever it is; nothing happens when it is in no heap. */
  remove(item: Item): void {
    const index = item.heapIndex;
    if (index < 0) return;
    item.heapIndex = -1;
    const last = this.#items.pop() as Item;
    if (last !== item) this.#settle(last, index);
  }

  /** To be called when what `isBefore` reads of the item has changed. */
  update(item: Item): void {
    if (item.heapIndex >= 0) this.#settle(item, item.heapIndex);
  }

  #settle(item: Item, index: number): void {
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
