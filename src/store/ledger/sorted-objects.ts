/** Objects by name. Their order is computed when it is first asked for, and maintained cheaply afterwards. */
export class SortedObjects<T> {
  readonly #objects = new Map<string, T>();
  /**
   * The names that were sorted last, some of which may be removed by now, and the names added since; undefined before
   * the order was first asked for.
   */
  #sorted: readonly string[] | undefined;
  #added: string[] = [];
  #hasDeletions = false;

  get size(): number {
    return this.#objects.size;
  }

  get(name: string): T | undefined {
    return this.#objects.get(name);
  }

  /** Adds an object. Returns false, and changes nothing, when the name is taken. */
  add(name: string, object: T): boolean {
    if (this.#objects.has(name)) return false;
    this.#objects.set(name, object);
    if (this.#sorted === undefined) return true;
    this.#added.push(name);
    if (this.#added.length > this.#sorted.length) this.#forgetOrder();
    return true;
  }

  replace(name: string, object: T): void {
    this.#objects.set(name, object);
  }

  delete(name: string): boolean {
    this.#hasDeletions = true;
    return this.#objects.delete(name);
  }

  /** All objects, in no particular order. */
  values(): Iterable<T> {
    return this.#objects.values();
  }

  /** The objects ordered by name, starting at this name. */
  *sortedFrom(start: string): Iterable<T> {
    const names = this.#names();
    for (let i = firstNotBelow(names, start); i < names.length; i++) yield this.#objects.get(names[i] as string) as T;
  }

  #names(): readonly string[] {
    if (this.#sorted === undefined) this.#sorted = [...this.#objects.keys()].sort(byText);
    else if (this.#added.length > 0 || this.#hasDeletions) {
      const merged = mergeSorted(this.#sorted, this.#added.sort(byText));
      this.#sorted = this.#hasDeletions ? merged.filter((name) => this.#objects.has(name)) : merged;
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
