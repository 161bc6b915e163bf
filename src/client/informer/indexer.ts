import type { Selector } from '../../api/label-selector.ts';
import type { KubernetesObject } from '../../api/meta.ts';
import { assert } from '../../lib/assert.ts';
import { keyOf, objectKey } from '../object-key.ts';
import { Bucket, IndexBuckets, type IndexFunction } from './index-buckets.ts';
import type { Lister, NamespaceLister } from './lister.ts';

const NAMESPACE_INDEX = 'namespace';

/**
 * A cache of objects by `namespace/name`, with named indexes that follow each change. An index that is added late is
 * filled then; the one by namespace is made when somebody first asks for a namespace.
 */
export class Indexer<T extends KubernetesObject> implements Lister<T> {
  readonly #objects = new Bucket<T>();
  readonly #indexes = new Map<string, IndexBuckets<T>>();

  get size(): number {
    return this.#objects.size;
  }

  /** A name stands for one function; giving the same again changes nothing. */
  addIndex(name: string, valuesOf: IndexFunction<T>): void {
    const known = this.#indexes.get(name);
    assert(known === undefined || known.valuesOf === valuesOf, `another index ${name} exists already`);
    if (known !== undefined) return;
    const index = new IndexBuckets(valuesOf);
    for (const [key, object] of this.#objects.entries()) index.change(key, undefined, object);
    this.#indexes.set(name, index);
  }

  hasIndex(name: string): boolean {
    return this.#indexes.has(name);
  }

  /** Adds the object, or replaces the one of that name. `key`: the object's, for those who have it at hand. */
  set(object: T, key: string = objectKey(object)): void {
    this.#changeIndexes(key, object);
    this.#objects.set(key, object);
  }

  delete(key: string): void {
    this.#changeIndexes(key, undefined);
    this.#objects.delete(key);
  }

  getByKey(key: string): T | undefined {
    return this.#objects.get(key);
  }

  entries(): Iterable<readonly [key: string, object: T]> {
    return this.#objects.entries();
  }

  get(namespace: string, name: string): T | undefined {
    return this.#objects.get(keyOf(namespace, name));
  }

  list(selector?: Selector): readonly T[] {
    return select(this.#objects.list(), selector);
  }

  inNamespace(namespace: string): NamespaceLister<T> {
    return {
      list: (selector) => select(this.#namespaceIndex().list(namespace), selector),
      get: (name) => this.get(namespace, name),
    };
  }

  byIndex(indexName: string, value: string): readonly T[] {
    return this.#index(indexName).list(value);
  }

  /** The values that some object has in the index. */
  indexValues(indexName: string): string[] {
    return this.#index(indexName).values();
  }

  #changeIndexes(key: string, after: T | undefined): void {
    if (this.#indexes.size === 0) return;
    const before = this.#objects.get(key);
    for (const index of this.#indexes.values()) index.change(key, before, after);
  }

  #index(name: string): IndexBuckets<T> {
    const index = this.#indexes.get(name);
    assert(index !== undefined, `there is no index ${name}`);
    return index;
  }

  #namespaceIndex(): IndexBuckets<T> {
    if (!this.hasIndex(NAMESPACE_INDEX)) {
      this.addIndex(NAMESPACE_INDEX, (object) => [object.metadata?.namespace ?? '']);
    }
    return this.#index(NAMESPACE_INDEX);
  }
}

function select<T extends KubernetesObject>(objects: readonly T[], selector: Selector | undefined): readonly T[] {
  if (selector === undefined) return objects;
  return objects.filter((object) => selector.matches(object.metadata?.labels));
}
