import { assert } from './assert.ts';

/** A map that holds at most `limit` entries; the least recently used entry is evicted. */
export class LruMap<Key, Value> {
  readonly #limit: number;
  /** The entries in the order of use, oldest first. */
  readonly #entries = new Map<Key, Value>();
  #newest: Key | undefined;
  /**
   * An iterator just before the oldest entry: entries that it has passed are gone, or were used since. It is kept
   * because a new one skips all entries that were deleted, and given up in time because V8 keeps, for an iterator that
   * stands still, all tables that the map has had since.
   */
  #oldest: Iterator<Key> | null = null;
  /** The uses since the iterator was made, or has moved. */
  #usesSince = 0;

  constructor(limit: number) {
    assert(limit >= 1, 'a map holds at least one entry');
    this.#limit = limit;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Returns the value; this counts as a use. */
  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined && key !== this.#newest) {
      this.#entries.delete(key);
      this.#entries.set(key, value);
      this.#newest = key;
      this.#countUse();
    }
    return value;
  }

  set(key: Key, value: Value): void {
    const { size } = this.#entries;
    this.#entries.set(key, value);
    if (this.#entries.size === size) {
      // A key that was there keeps its place in the order.
      this.#entries.delete(key);
      this.#entries.set(key, value);
      this.#countUse();
    } else if (size === this.#limit) {
      this.#entries.delete(this.#nextOldest());
    }
    this.#newest = key;
  }

  #countUse(): void {
    if (this.#oldest !== null && ++this.#usesSince > this.#limit) this.#oldest = null;
  }

  #nextOldest(): Key {
    this.#usesSince = 0;
    this.#oldest ??= this.#entries.keys();
    let next = this.#oldest.next();
    if (next.done) {
      this.#oldest = this.#entries.keys();
      next = this.#oldest.next();
    }
    return next.value as Key;
  }
}
