import { Heap, type HeapItem } from '../../lib/heap.ts';

interface WaitingKey<K> extends HeapItem {
  readonly key: K;
  dueMillis: number;
}

/** Keys by the time at which they are due; keys with equal times are ordered by name. */
export class WaitingKeys<K extends string> {
  readonly #byKey = new Map<K, WaitingKey<K>>();
  readonly #heap = new Heap<WaitingKey<K>>(
    (a, b) => a.dueMillis < b.dueMillis || (a.dueMillis === b.dueMillis && a.key < b.key),
  );

  /** When the first key is due; undefined when none waits. */
  get nextDueMillis(): number | undefined {
    return this.#heap.peek()?.dueMillis;
  }

  /** Adds a key. A key that waits already keeps the earlier of the two times. */
  add(key: K, dueMillis: number): void {
    const waiting = this.#byKey.get(key);
    if (waiting === undefined) {
      const entry = { key, dueMillis, heapIndex: -1 };
      this.#byKey.set(key, entry);
      this.#heap.push(entry);
    } else if (dueMillis < waiting.dueMillis) {
      waiting.dueMillis = dueMillis;
      this.#heap.update(waiting);
    }
  }

  /** Removes and returns the first key that is due at `nowMillis`; undefined when none is. */
  takeDue(nowMillis: number): K | undefined {
    const first = this.#heap.peek();
    if (first === undefined || first.dueMillis > nowMillis) return undefined;
    this.#heap.pop();
    this.#byKey.delete(first.key);
    return first.key;
  }

  dueMillisOf(key: K): number | undefined {
    return this.#byKey.get(key)?.dueMillis;
  }

  /** The keys, in no particular order. */
  keys(): Iterable<K> {
    return this.#byKey.keys();
  }

  clear(): void {
    while (this.#heap.pop() !== undefined);
    this.#byKey.clear();
  }
}
