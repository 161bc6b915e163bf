/** Returns the values under which an index holds an object; each value at most once. */
export type IndexFunction<T> = (object: T) => readonly string[];

/** A cache entry. It lives from the first object under its key to the last. */
export interface CacheEntry<T> {
  readonly key: string;
  object: T;
  /** The buckets that hold the entry, by the number of the index. */
  readonly places: (readonly Bucket<T>[] | undefined)[];
}

const NOTHING: readonly never[] = [];

/** Entries grouped by the values that one index function gives for their objects. */
export class IndexBuckets<T> {
  readonly valuesOf: IndexFunction<T>;
  readonly #number: number;
  readonly #buckets = new Map<string, Bucket<T>>();

  /** `number`: a number that is unique among the indexes of a cache. */
  constructor(number: number, valuesOf: IndexFunction<T>) {
    this.#number = number;
    this.valuesOf = valuesOf;
  }

  list(value: string): readonly T[] {
    return this.#buckets.get(value)?.list() ?? NOTHING;
  }

  /** Updates the buckets of an entry that is new, or has another object than before. */
  put(entry: CacheEntry<T>): void {
    const places = entry.places[this.#number] ?? NOTHING;
    const values = this.valuesOf(entry.object);
    // Nearly every change leaves an object in its buckets.
    if (areOf(places, values)) {
      for (const bucket of places) bucket.changed();
      return;
    }
    for (const bucket of places) if (!values.includes(bucket.value)) this.#leave(bucket, entry);
    const buckets = values.map((value) => this.#bucket(value));
    for (const bucket of buckets) bucket.add(entry);
    entry.places[this.#number] = buckets;
  }

  remove(entry: CacheEntry<T>): void {
    for (const bucket of entry.places[this.#number] ?? NOTHING) this.#leave(bucket, entry);
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

  #leave(bucket: Bucket<T>, entry: CacheEntry<T>): void {
    bucket.delete(entry);
    if (bucket.size === 0) this.#buckets.delete(bucket.value);
  }
}

function areOf<T>(buckets: readonly Bucket<T>[], values: readonly string[]): boolean {
  if (buckets.length !== values.length) return false;
  for (let i = 0; i < values.length; i++) if (buckets[i]?.value !== values[i]) return false;
  return true;
}

/** The entries with one value. The list of their objects is made on demand, and kept until the next change. */
export class Bucket<T> {
  readonly value: string;
  readonly #entries = new Set<CacheEntry<T>>();
  #list: readonly T[] | undefined;

  constructor(value: string) {
    this.value = value;
  }

  get size(): number {
    return this.#entries.size;
  }

  add(entry: CacheEntry<T>): void {
    this.#entries.add(entry);
    this.#list = undefined;
  }

  /** One of the entries has another object, so the list is out of date. */
  changed(): void {
    this.#list = undefined;
  }

  delete(entry: CacheEntry<T>): void {
    if (this.#entries.delete(entry)) this.#list = undefined;
  }

  list(): readonly T[] {
    this.#list ??= objectsOf(this.#entries);
    return this.#list;
  }
}

/** The objects in the order of their entries. */
export function objectsOf<T>(entries: Iterable<CacheEntry<T>>): readonly T[] {
  const objects: T[] = [];
  for (const { object } of entries) objects.push(object);
  return objects;
}
