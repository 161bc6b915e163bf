/** Returns the values under which an index holds an object; each value at most once. */
export type IndexFunction<T> = (object: T) => readonly string[];

type ArePartsShared<T> = (before: T, after: T) => boolean;

/** How index functions tell that an object has the values of the one before it. */
const arePartsShared = new WeakMap<IndexFunction<never>, ArePartsShared<never>>();

/** The same function, which is not called where the object shares all that it reads with the one before it. */
export function readingParts<T>(valuesOf: IndexFunction<T>, areShared: ArePartsShared<T>): IndexFunction<T> {
  arePartsShared.set(valuesOf, areShared);
  return valuesOf;
}

/** A cache entry. It lives from the first object of its name to the last. */
export interface CacheEntry<T> {
  readonly namespace: string;
  readonly name: string;
  object: T;
  /** The buckets that hold the entry, by the number of the index; null while there are none. */
  places: (readonly Place<T>[] | undefined)[] | null;
  /** The entries that came before and after this one. Only the cache changes them. */
  before: CacheEntry<T> | null;
  after: CacheEntry<T> | null;
}

/** The place of an entry in a bucket. */
interface Place<T> {
  readonly bucket: Bucket<T>;
  readonly entry: CacheEntry<T>;
  /** The position in the bucket; maintained by the bucket. */
  position: number;
}

const NOTHING: readonly never[] = [];
/** The places of a bucket before it has any. Nobody changes it. */
const NO_PLACES: never[] = [];

/** Entries grouped by the values that one index function gives for their objects. */
export class IndexBuckets<T> {
  readonly valuesOf: IndexFunction<T>;
  readonly #number: number;
  readonly #arePartsShared: ArePartsShared<T> | undefined;
  readonly #buckets = new Map<string, Bucket<T>>();

  /** `number`: a number that is unique among the indexes of a cache. */
  constructor(number: number, valuesOf: IndexFunction<T>) {
    this.#number = number;
    this.valuesOf = valuesOf;
    this.#arePartsShared = arePartsShared.get(valuesOf) as ArePartsShared<T> | undefined;
  }

  list(value: string): readonly T[] {
    return this.#buckets.get(value)?.list() ?? NOTHING;
  }

  /** Updates the buckets of an entry that is new, or has another object than `before`. */
  put(entry: CacheEntry<T>, before?: T): void {
    entry.places ??= new Array(this.#number + 1);
    const places = entry.places[this.#number] ?? NOTHING;
    // Nearly every change leaves an object in its buckets.
    if (before !== undefined && this.#arePartsShared?.(before, entry.object)) {
      markChanged(places);
      return;
    }
    const values = this.valuesOf(entry.object);
    if (areOf(places, values)) {
      markChanged(places);
      return;
    }
    for (const place of places) if (!values.includes(place.bucket.value)) this.#leave(place);
    if (places.length === 0 && values.length === 1) {
      entry.places[this.#number] = [this.#bucket(values[0] as string).add(entry)];
      return;
    }
    entry.places[this.#number] = values.map((value) => {
      const kept = places.find(({ bucket }) => bucket.value === value);
      kept?.bucket.changed(kept);
      return kept ?? this.#bucket(value).add(entry);
    });
  }

  remove(entry: CacheEntry<T>): void {
    if (entry.places === null) return;
    for (const place of entry.places[this.#number] ?? NOTHING) this.#leave(place);
    entry.places[this.#number] = undefined;
  }

  #bucket(value: string): Bucket<T> {
    let bucket = this.#buckets.get(value);
    if (bucket === undefined) {
      bucket = new Bucket(value);
      this.#buckets.set(value, bucket);
    }
    return bucket;
  }

  #leave(place: Place<T>): void {
    const { bucket } = place;
    bucket.delete(place);
    if (bucket.size === 0) this.#buckets.delete(bucket.value);
  }
}

function markChanged<T>(places: readonly Place<T>[]): void {
  for (let i = 0; i < places.length; i++) (places[i] as Place<T>).bucket.changed(places[i] as Place<T>);
}

function areOf<T>(places: readonly Place<T>[], values: readonly string[]): boolean {
  if (places.length !== values.length) return false;
  for (let i = 0; i < values.length; i++) if (places[i]?.bucket.value !== values[i]) return false;
  return true;
}

/**
 * The entries with one value, in the order in which they came. The list of their objects is made on demand, and kept
 * until the next change. A list is never changed, since readers keep it: after changes of single objects a copy is
 * made, in which only these are replaced.
 */
export class Bucket<T> {
  readonly value: string;
  /** An entry that leaves, leaves a hole for a while. */
  #places: (Place<T> | undefined)[] = NO_PLACES;
  #size = 0;
  /** The last list; undefined when its positions are not those of the places. */
  #list: readonly T[] | undefined;
  /** The positions at which the last list is out of date; those after its end are not noted. */
  #changed: number[] | null = null;

  constructor(value: string) {
    this.value = value;
  }

  get size(): number {
    return this.#size;
  }

  add(entry: CacheEntry<T>): Place<T> {
    const place = { bucket: this, entry, position: this.#places.length };
    // Most buckets have one entry, for which a list that grows would be much too long.
    if (this.#places === NO_PLACES) this.#places = [place];
    else this.#places.push(place);
    this.#size++;
    return place;
  }

  /** The entry at this place has another object, so the list is out of date. */
  changed({ position }: Place<T>): void {
    if (this.#list === undefined || position >= this.#list.length) return;
    if (this.#changed === null && this.#list.length > 1) this.#changed = [position];
    else if (this.#changed !== null && this.#changed.length < this.#list.length) this.#changed.push(position);
    else this.#forgetList();
  }

  delete({ position }: Place<T>): void {
    this.#places[position] = undefined;
    this.#size--;
    this.#forgetList();
    if (this.#places.length > 2 * this.#size + HOLES_MIN) this.#closeHoles();
  }

  list(): readonly T[] {
    const list = this.#list;
    if (list === undefined) this.#list = this.#newList();
    else if (this.#changed !== null || list.length < this.#places.length) this.#list = this.#nextList(list);
    else return list;
    this.#changed = null;
    return this.#list;
  }

  #forgetList(): void {
    this.#list = undefined;
    this.#changed = null;
  }

  #newList(): readonly T[] {
    this.#closeHoles();
    const only = this.#places.length === 1 ? this.#places[0] : undefined;
    if (only !== undefined) return [only.entry.object];
    const objects: T[] = [];
    for (const place of this.#places as Place<T>[]) objects.push(place.entry.object);
    return objects;
  }

  #nextList(list: readonly T[]): readonly T[] {
    const objects = list.slice();
    const places = this.#places as Place<T>[];
    for (const position of this.#changed ?? NOTHING) objects[position] = (places[position] as Place<T>).entry.object;
    for (let i = list.length; i < places.length; i++) objects.push((places[i] as Place<T>).entry.object);
    return objects;
  }

  #closeHoles(): void {
    const places = this.#places;
    if (places.length === this.#size) return;
    let count = 0;
    for (const place of places) {
      if (place === undefined) continue;
      place.position = count;
      places[count++] = place;
    }
    places.length = count;
  }
}

/** This many holes are always left, until the next list is made. */
const HOLES_MIN = 16;
