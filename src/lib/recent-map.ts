const MOST_RECENT = 4096;

/**
 * Values by keys, such as objects, of which those used lately are kept: at least `mostRecent`, at most twice as many. A
 * WeakMap would keep every key that somebody else holds, and the garbage collector pauses for longer the more there
 * are.
 */
export class RecentMap<Key, Value> {
  readonly #mostRecent: number;
  #recent = new Map<Key, Value>();
  #older = new Map<Key, Value>();

  constructor(mostRecent = MOST_RECENT) {
    this.#mostRecent = mostRecent;
  }

  get(key: Key): Value | undefined {
    const value = this.#recent.get(key);
    if (value !== undefined || this.#older.size === 0) return value;
    const older = this.#older.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  has(key: Key): boolean {
    return this.get(key) !== undefined;
  }

  set(key: Key, value: Value): void {
    if (this.#recent.size >= this.#mostRecent && !this.#recent.has(key)) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(key, value);
  }
}
