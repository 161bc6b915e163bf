/** Up to here there is one map. */
const FEW = 512;
/** How many maps there are then: a power of two. */
const PARTS = 64;

/**
 * A map by names. V8 moves a large `Map` whenever it doubles, to memory that is touched for the first time, so that
 * adding to it takes several times as long as to one of many small maps. The order of the names is lost.
 */
export class NameMap<V> {
  #only = new Map<string, V>();
  /** The maps by the hash of the name; null while one map holds them all. */
  #parts: readonly Map<string, V>[] | null = null;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(name: string): V | undefined {
    return this.#mapOf(name).get(name);
  }

  has(name: string): boolean {
    return this.#mapOf(name).has(name);
  }

  set(name: string, value: V): void {
    const map = this.#mapOf(name);
    const before = map.size;
    map.set(name, value);
    this.#size += map.size - before;
    if (this.#parts === null && this.#size > FEW) this.#divide();
  }

  delete(name: string): boolean {
    if (!this.#mapOf(name).delete(name)) return false;
    this.#size--;
    if (this.#size === 0) this.#parts = null;
    return true;
  }

  #mapOf(name: string): Map<string, V> {
    return this.#parts === null ? this.#only : (this.#parts[partOf(name)] as Map<string, V>);
  }

  #divide(): void {
    const parts = Array.from({ length: PARTS }, () => new Map<string, V>());
    for (const [name, value] of this.#only) (parts[partOf(name)] as Map<string, V>).set(name, value);
    this.#parts = parts;
    this.#only = new Map();
  }
}

/** A hash of few characters. Names mostly differ in the last ones, or before an ending that all of them have. */
function partOf(name: string): number {
  const end = name.length;
  if (end < 4) return 0;
  const last = (name.charCodeAt(end - 1) * 31 + name.charCodeAt(end - 2)) * 31 + name.charCodeAt(end - 3);
  return (last ^ (name.charCodeAt(end >> 1) * 17)) & (PARTS - 1);
}
