import { NameMap } from '../../lib/name-map.ts';

/** An object under its name, and the objects that were added before and after it. */
interface Place<T> {
  readonly name: string;
  /** Undefined once it is removed. */
  object: T | undefined;
  before: Place<T> | null;
  after: Place<T> | null;
}

/**
 * Objects by name. Their order is computed when it is first asked for, and maintained cheaply afterwards. Objects that
 * were added one after the other mostly change in the same order, so that few are looked up by name.
 */
export class SortedObjects<T> {
  readonly #places = new NameMap<Place<T>>();
  #first: Place<T> | null = null;
  #last: Place<T> | null = null;
  /** The place that was found last; null if it is gone. */
  #found: Place<T> | null = null;
  /**
   * The places that were sorted last, some of which may be removed by now, and those added since; undefined before the
   * order was first asked for.
   */
  #sorted: readonly Place<T>[] | undefined;
  #added: Place<T>[] = [];
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
    if (before === null) this.#first = place;
    else before.after = place;
    this.#last = place;
    this.#places.set(name, place);
    if (this.#sorted === undefined) return true;
    this.#added.push(place);
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
    if (before === null) this.#first = after;
    else before.after = after;
    if (after === null) this.#last = before;
    else after.before = before;
    this.#found = before;
    // A place that is gone must not lead to younger ones: the collector would keep them until it looks at old objects.
    place.before = null;
    place.after = null;
    place.object = undefined;
    this.#hasDeletions = true;
    return this.#places.delete(name);
  }

  /** All objects, in the order in which they came. */
  *values(): Iterable<T> {
    // What is removed meanwhile leads nowhere.
    for (const { object } of this.#inTurn()) if (object !== undefined) yield object;
  }

  /** The places in the order in which they came. */
  #inTurn(): Place<T>[] {
    const places: Place<T>[] = [];
    for (let place = this.#first; place !== null; place = place.after) places.push(place);
    return places;
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
    const places = this.#inOrder();
    for (let i = firstNotBelow(places, start); i < places.length; i++) yield places[i]?.object as T;
  }

  #inOrder(): readonly Place<T>[] {
    if (this.#sorted === undefined) this.#sorted = this.#inTurn().sort(byName);
    else if (this.#added.length > 0 || this.#hasDeletions) {
      const present = (places: readonly Place<T>[]): readonly Place<T>[] =>
        this.#hasDeletions ? places.filter(({ object }) => object !== undefined) : places;
      this.#sorted = mergeSorted(present(this.#sorted), present(this.#added).toSorted(byName));
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

/** The names of places are different. */
function byName(a: Place<unknown>, b: Place<unknown>): number {
  return a.name < b.name ? -1 : 1;
}

function mergeSorted<T>(a: readonly Place<T>[], b: readonly Place<T>[]): Place<T>[] {
  const merged: Place<T>[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const takesA = j >= b.length || (i < a.length && (a[i] as Place<T>).name < (b[j] as Place<T>).name);
    merged.push((takesA ? a[i++] : b[j++]) as Place<T>);
  }
  return merged;
}

function firstNotBelow(places: readonly Place<unknown>[], name: string): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] as Place<unknown>).name < name) low = middle + 1;
    else high = middle;
  }
  return low;
}
