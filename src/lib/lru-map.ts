import { assert } from './assert.ts';

/** A map that holds at most `limit` entries; the least recently used entry is evicted. */
export class LruMap<Key, Value> {
  readonly #limit: number;
  /** The entries in the order of use, oldest first. */
  readonly #entries = new Map<Key, Value>();
  #newest: Key | undefined;
  /** An iterator just before the oldest entry: entries that it has passed are gone, or were used since. */
  #oldest: Iterator<Key>;

  constructor(limit: number) {
    assert(limit >= 1, 'a map holds at least one entry');
    this.#limit = limit;
    this.#oldest = this.#entries.keys();
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
    }
    return value;
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key);
    if (this.#entries.size >= this.#limit) this.#entries.delete(this.#nextOldest());
    this.#entries.set(key, value);
    this.#newest = key;
  }

  /** Returns the oldest key. The iterator is kept because a new one would have to skip all deleted entries. */
  #nextOldest(): Key {
    let next = this.#oldest.next();
    if (next.done) {
      this.#oldest = this.#entries.keys();
      next = this.#oldest.next();
    }
    return next.value as Key;
  }
}
