import { assert } from './assert.ts';

/** A map that holds at most `limit` entries: the one that was used longest ago makes room. */
export class LruMap<Key, Value> {
  readonly #limit: number;
  /** In the order of use, the oldest first. */
  readonly #entries = new Map<Key, Value>();
  #newest: Key | undefined;
  /** Stands before the oldest entry: what it has passed is gone, or was used since. */
  #oldest: Iterator<Key>;

  constructor(limit: number) {
    assert(limit >= 1, 'a map holds at least one entry');
    this.#limit = limit;
    this.#oldest = this.#entries.keys();
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Counts as a use. */
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

  /** A new iterator would have to go past all places whose entries are gone. */
  #nextOldest(): Key {
    let next = this.#oldest.next();
    if (next.done) {
      this.#oldest = this.#entries.keys();
      next = this.#oldest.next();
    }
    return next.value as Key;
  }
}
