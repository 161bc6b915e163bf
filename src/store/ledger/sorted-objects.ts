/** An object under its name, and the objects that were added before and after it. */
interface Place<T> {
  readonly name: string;
  object: T;
  before: Place<T> | null;
  after: Place<T> | null;
}

/**
 * Objects by name. Their order is computed when it is first asked for, and maintained cheaply afterwards. Objects that
 * were added one after the other mostly change in the same order, so that few are looked up by name.
 */
export class SortedObjects<T> {
  readonly #places = new Map<string, Place<T>>();
  #last: Place<T> | null = null;
  /** The place that was found last; null if it is gone. */
  #found: Place<T> | null = null;
  /**
   * The names that were sorted last, some of which may be removed by now, and the names added since; undefined before
   * the order was first asked for.
   */
  #sorted: readonly string[] | undefined;
  #added: string[] = [];
  #hasDeletions = false;

  get size(): number {
    return this.#places.size;
  }

  get(name: string): T | undefined {
    return this.#find(name)?.object;
  }

  /** Adds an object. Returns false, and changes nothing, when the name is taken. */
  add(name: string, object: T): boolean {
    if (this.#places.has(name)) return false;
    const before = this.#last;
    const place: Place<T> = { name, object, before, after: null };
    if (before !== null) before.after = place;
    this.#last = place;
    this.#places.set(name, place);
    if (this.#sorted === undefined) return true;
    this.#added.push(name);
    if (this.#added.length > this.#sorted.length) this.#forgetOrder();
    return true;
  }

  /** Replaces the object of this name, which there is. */
  replace(name: string, object: T): void {
    const place = this.#find(name);
    if (place !== undefined) place.object = object;
  }

  delete(name: string): boolean {
    const place = this.#find(name);
    if (place === undefined) return false;
    const { before, after } = place;
    if (before !== null) before.after = after;
    if (after === null) this.#last = before;
    else after.before = before;
    this.#found = before;
    // A place that is gone must not lead to younger ones: the collector would keep them until it looks at old objects.
    place.before = null;
    place.after = null;
    this.#hasDeletions = true;
    return this.#places.delete(name);
  }

  /** All objects, in no particular order. */
  *values(): Iterable<T> {
    for (const { object } of this.#places.values()) yield object;
  }

  #find(name: string): Place<T> | undefined {
    const found = this.#found;
    if (found !== null) {
      if (found.name === name) return found;
      if (found.after !== null && found.after.name === name) {
        this.#found = found.after;
        return found.after;
      }
    }
    const known = this.#places.get(name);
    if (known !== undefined) this.#found = known;
    return known;
  }

  /** The objects ordered by name, starting at this name. */
  *sortedFrom(start: string): Iterable<T> {
    const names = this.#names();
    for (let i = firstNotBelow(names, start); i < names.length; i++)
      yield this.#places.get(names[i] as string)?.object as T;
  }

  #names(): readonly string[] {
    if (this.#sorted === undefined) this.#sorted = [...this.#places.keys()].sort(byText);
    else if (this.#added.length > 0 || this.#hasDeletions) {
      const merged = mergeSorted(this.#sorted, this.#added.sort(byText));
      this.#sorted = this.#hasDeletions ? merged.filter((name) => this.#places.has(name)) : merged;
    }
    this.#added = [];
    this.#hasDeletions = false;
    return this.#sorted;
  }

  #forgetOrder(): void {
    this.#sorted = undefined;
    this.#added = [];
  }
}

function byText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/**
 * Merges the lists and drops duplicates: a name that was removed and added again is in both lists, or twice in the
 * second.
 */
function mergeSorted(a: readonly string[], b: readonly string[]): string[] {
  const merged: string[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const takesA = j >= b.length || (i < a.length && (a[i] as string) <= (b[j] as string));
    const name = (takesA ? a[i++] : b[j++]) as string;
    if (merged.length === 0 || merged[merged.length - 1] !== name) merged.push(name);
  }
  return merged;
}

function firstNotBelow(names: readonly string[], name: string): number {
  let low = 0;
  let high = names.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((names[middle] as string) < name) low = middle + 1;
    else high = middle;
  }
  return low;
}
