/** The values under which an index finds an object; each at most once. */
export type IndexFunction<T> = (object: T) => readonly string[];

/** What a cache has under one key, from its first object to the last. */
export interface CacheEntry<T> {
  readonly key: string;
  object: T;
  /** By the number of the index: where it holds the entry. */
  readonly places: (readonly Bucket<T>[] | undefined)[];
}

const NOTHING: readonly never[] = [];

/** Entries by what one index function says of their objects. */
export class IndexBuckets<T> {
  readonly valuesOf: IndexFunction<T>;
  readonly #number: number;
  readonly #buckets = new Map<string, Bucket<T>>();

  /** `number`: another one for every index of a cache. */
  constructor(number: number, valuesOf: IndexFunction<T>) {
    this.#number = number;
    this.valuesOf = valuesOf;
  }

  list(value: string): readonly T[] {
    return this.#buckets.get(value)?.list() ?? NOTHING;
  }

  values(): string[] {
    return [...this.#buckets.keys()];
  }

  /** The entry is new, or has another object than before. */
  put(entry: CacheEntry<T>): void {
    const places = entry.places[this.#number] ?? NOTHING;
    const values = this.valuesOf(entry.object);
    // Nearly every change leaves an object where it is.
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

/** Entries with one value. The list of their objects is made when it is asked for, and kept until the next change. */
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

  /** One of the entries has another object. */
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

/** In the order of the entries. */
export function objectsOf<T>(entries: Iterable<CacheEntry<T>>): readonly T[] {
  const objects: T[] = [];
  for (const { object } of entries) objects.push(object);
  return objects;
}
