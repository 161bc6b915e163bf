import { assert } from './assert.ts';

/** A map that holds at most `limit` entries: the one that was used longest ago makes room. */
export class LruMap<Key, Value> {
  readonly #limit: number;
  /** In the order of use, the oldest first. */
  readonly #entries = new Map<Key, Value>();
  #newest: Key | undefined;

  constructor(limit: number) {
    assert(limit >= 1, 'a map holds at least one entry');
    this.#limit = limit;
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
    if (this.#entries.size >= this.#limit) {
      const [oldest] = this.#entries.keys();
      this.#entries.delete(oldest as Key);
    }
    this.#entries.set(key, value);
    this.#newest = key;
  }
}
