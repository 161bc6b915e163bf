/** The values under which an index finds an object; each at most once. */
export type IndexFunction<T> = (object: T) => readonly string[];

const NOTHING: readonly never[] = [];

/** Objects by what one index function says of them. */
export class IndexBuckets<T> {
  readonly valuesOf: IndexFunction<T>;
  readonly #buckets = new Map<string, Bucket<T>>();

  constructor(valuesOf: IndexFunction<T>) {
    this.valuesOf = valuesOf;
  }

  list(value: string): readonly T[] {
    return this.#buckets.get(value)?.list() ?? NOTHING;
  }

  values(): string[] {
    return [...this.#buckets.keys()];
  }

  /** `before` is the object of that key so far, `after` the one from now on; undefined where there is none. */
  change(key: string, before: T | undefined, after: T | undefined): void {
    const oldValues = before === undefined ? NOTHING : this.valuesOf(before);
    const newValues = after === undefined ? NOTHING : this.valuesOf(after);
    for (const value of oldValues) if (!newValues.includes(value)) this.#remove(value, key);
    for (const value of newValues) this.#bucket(value).set(key, after as T);
  }

  #bucket(value: string): Bucket<T> {
    let bucket = this.#buckets.get(value);
    if (bucket === undefined) {
      bucket = new Bucket();
      this.#buckets.set(value, bucket);
    }
    return bucket;
  }

  #remove(value: string, key: string): void {
    const bucket = this.#buckets.get(value);
    bucket?.delete(key);
    if (bucket?.size === 0) this.#buckets.delete(value);
  }
}

/** Objects by key. Their list is made when it is asked for, and kept until the next change. */
export class Bucket<T> {
  readonly #byKey = new Map<string, T>();
  #list: readonly T[] | undefined;

  get size(): number {
    return this.#byKey.size;
  }

  get(key: string): T | undefined {
    return this.#byKey.get(key);
  }

  set(key: string, object: T): void {
    this.#byKey.set(key, object);
    this.#list = undefined;
  }

  delete(key: string): void {
    if (this.#byKey.delete(key)) this.#list = undefined;
  }

  entries(): Iterable<[string, T]> {
    return this.#byKey;
  }

  list(): readonly T[] {
    this.#list ??= [...this.#byKey.values()];
    return this.#list;
  }
}
