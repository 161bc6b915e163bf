/**
 * A map that mostly has one entry, or none: the first one has its place in the map itself, and only further ones need
 * a table. Entries are in the order in which their keys came.
 */
export class SmallMap<Key, Value> {
  #key: Key | undefined;
  #value: Value | undefined;
  #hasFirst = false;
  /** The entries after the first. */
  #others: Map<Key, Value> | undefined;

  get size(): number {
    return (this.#hasFirst ? 1 : 0) + (this.#others?.size ?? 0);
  }

  get(key: Key): Value | undefined {
    return this.#hasFirst && this.#key === key ? this.#value : this.#others?.get(key);
  }

  has(key: Key): boolean {
    return (this.#hasFirst && this.#key === key) || this.#others?.has(key) === true;
  }

  set(key: Key, value: Value): void {
    if (this.#hasFirst ? this.#key === key : !this.#others?.size) {
      this.#hasFirst = true;
      this.#key = key;
      this.#value = value;
      return;
    }
    this.#others ??= new Map();
    this.#others.set(key, value);
  }

  delete(key: Key): boolean {
    if (!this.#hasFirst || this.#key !== key) return this.#others?.delete(key) === true;
    this.#hasFirst = false;
    this.#key = undefined;
    this.#value = undefined;
    return true;
  }

  clear(): void {
    this.#hasFirst = false;
    this.#key = undefined;
    this.#value = undefined;
    this.#others = undefined;
  }

  /** Entries may be deleted meanwhile, as in a `Map`. */
  *[Symbol.iterator](): Generator<readonly [Key, Value]> {
    if (this.#hasFirst) yield [this.#key as Key, this.#value as Value];
    if (this.#others !== undefined) yield* this.#others;
  }

  /** Walks through the entries without an object for each of them, as iterators have. They may be deleted meanwhile. */
  forEach(visit: (value: Value, key: Key) => void): void {
    if (this.#hasFirst) visit(this.#value as Value, this.#key as Key);
    if (this.#others !== undefined && this.#others.size > 0) this.#others.forEach(visit);
  }

  *keys(): Generator<Key> {
    if (this.#hasFirst) yield this.#key as Key;
    if (this.#others !== undefined) yield* this.#others.keys();
  }

  *values(): Generator<Value> {
    if (this.#hasFirst) yield this.#value as Value;
    if (this.#others !== undefined) yield* this.#others.values();
  }
}
