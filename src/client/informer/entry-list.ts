import type { KubernetesObject } from '../../api/meta.ts';
import { getOrMake } from '../../lib/get-or-make.ts';
import { NameMap } from '../../lib/name-map.ts';
import type { CacheEntry } from './index-buckets.ts';

type Entry<T> = CacheEntry<T>;

/**
 * The entries of a cache by namespace and name, and in the order in which they came:
 *
 *   first ─▶ a ◀─▶ b ◀─▶ c ◀─▶ d ◀─ last
 *                  ▲ found last; the next change is probably about b again, or about c
 *
 * Objects that were created one after the other mostly change in the same order, so that few are looked up by name.
 */
export class EntryList<T extends KubernetesObject> {
  readonly #namespaces = new Map<string, NameMap<Entry<T>>>();
  #first: Entry<T> | null = null;
  #last: Entry<T> | null = null;
  /** The entry that was found last; null if it is gone. */
  #found: Entry<T> | null = null;

  find(namespace: string, name: string): Entry<T> | undefined {
    const found = this.#found;
    if (found !== null) {
      if (isOf(found, namespace, name)) return found;
      const { after } = found;
      if (after !== null && isOf(after, namespace, name)) {
        this.#found = after;
        return after;
      }
    }
    const known = this.#namespaces.get(namespace)?.get(name);
    if (known !== undefined) this.#found = known;
    return known;
  }

  /**
   * Adds an entry for the object, whose name has none. `indexCount`: how many indexes there are. A list that grows
   * takes room for sixteen more.
   */
  add(namespace: string, name: string, object: T, indexCount: number): Entry<T> {
    const before = this.#last;
    const places = indexCount === 0 ? null : new Array(indexCount);
    const entry: Entry<T> = { namespace, name, object, places, before, after: null };
    getOrMake(this.#namespaces, namespace, newNames<T>).set(name, entry);
    if (before === null) this.#first = entry;
    else before.after = entry;
    this.#last = entry;
    return entry;
  }

  delete(entry: Entry<T>): void {
    const { namespace, name, before, after } = entry;
    const names = this.#namespaces.get(namespace);
    names?.delete(name);
    if (names?.size === 0) this.#namespaces.delete(namespace);
    if (before === null) this.#first = after;
    else before.after = after;
    if (after === null) this.#last = before;
    else after.before = before;
    if (this.#found === entry) this.#found = before;
    // An entry that is gone must not lead to younger ones: the collector would keep them until it looks at old objects.
    entry.before = null;
    entry.after = null;
  }

  /** The entries in the order in which they came. None may be deleted meanwhile. */
  *[Symbol.iterator](): Iterator<Entry<T>> {
    for (let entry = this.#first; entry !== null; entry = entry.after) yield entry;
  }

  /** The objects in the order of their entries. */
  objects(): readonly T[] {
    const objects: T[] = [];
    for (let entry = this.#first; entry !== null; entry = entry.after) objects.push(entry.object);
    return objects;
  }
}

function newNames<T>(): NameMap<Entry<T>> {
  return new NameMap();
}

function isOf(entry: Entry<unknown>, namespace: string, name: string): boolean {
  return entry.name === name && entry.namespace === namespace;
}
