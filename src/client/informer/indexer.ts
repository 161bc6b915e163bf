import type { Selector } from '../../api/label-selector.ts';
import type { KubernetesObject } from '../../api/meta.ts';
import { assert } from '../../lib/assert.ts';
import { objectKey, splitKey } from '../object-key.ts';
import { EntryList } from './entry-list.ts';
import { type CacheEntry, IndexBuckets, type IndexFunction } from './index-buckets.ts';
import type { Lister, NamespaceLister } from './lister.ts';

const NAMESPACE_INDEX = 'namespace';

/**
 * A cache of objects by `namespace/name`, with named indexes that are updated with each change. An index that is added
 * later is filled at once; the one by namespace is made on the first look-up of a namespace.
 */
export class Indexer<T extends KubernetesObject> implements Lister<T> {
  readonly #entries = new EntryList<T>();
  /** The list of all objects, made on demand and kept until the next change. */
  #list: readonly T[] | undefined;
  readonly #indexes = new Map<string, IndexBuckets<T>>();
  /** The same, by their numbers: they are walked through with each change. */
  readonly #numbered: IndexBuckets<T>[] = [];

  /** Adds an index. A name stands for one function; adding the same function again changes nothing. */
  addIndex(name: string, valuesOf: IndexFunction<T>): void {
    const known = this.#indexes.get(name);
    assert(known === undefined || known.valuesOf === valuesOf, `another index ${name} exists already`);
    if (known !== undefined) return;
    const index = new IndexBuckets(this.#indexes.size, valuesOf);
    for (const entry of this.#entries) index.put(entry);
    this.#indexes.set(name, index);
    this.#numbered.push(index);
  }

  /** Adds the object, or replaces the one of the same name. */
  set(object: T): void {
    const { namespace = '', name = '' } = object.metadata ?? {};
    this.put(object, this.#entries.find(namespace, name));
  }

  /** As `set`, for a caller that has looked the entry of this name up; undefined: there is none. */
  put(object: T, known: CacheEntry<T> | undefined): void {
    const before = known?.object;
    let entry = known;
    if (entry === undefined) {
      const { namespace = '', name = '' } = object.metadata ?? {};
      entry = this.#entries.add(namespace, name, object, this.#indexes.size);
    } else {
      entry.object = object;
    }
    this.#list = undefined;
    for (let i = 0; i < this.#numbered.length; i++) this.#numbered[i]?.put(entry, before);
  }

  find(namespace: string, name: string): CacheEntry<T> | undefined {
    return this.#entries.find(namespace, name);
  }

  delete(key: string): void {
    const { namespace, name } = splitKey(key);
    this.#delete(namespace, name);
  }

  /** Removes the object of this one's name. */
  remove({ metadata }: T): void {
    this.#delete(metadata?.namespace ?? '', metadata?.name ?? '');
  }

  #delete(namespace: string, name: string): void {
    const entry = this.#entries.find(namespace, name);
    if (entry === undefined) return;
    for (let i = 0; i < this.#numbered.length; i++) this.#numbered[i]?.remove(entry);
    this.#entries.delete(entry);
    this.#list = undefined;
  }

  getByKey(key: string): T | undefined {
    const { namespace, name } = splitKey(key);
    return this.get(namespace, name);
  }

  *entries(): Iterable<readonly [key: string, object: T]> {
    for (const { object } of this.#entries) yield [objectKey(object), object];
  }

  get(namespace: string, name: string): T | undefined {
    return this.#entries.find(namespace, name)?.object;
  }

  list(selector?: Selector): readonly T[] {
    this.#list ??= this.#entries.objects();
    return select(this.#list, selector);
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

  #index(name: string): IndexBuckets<T> {
    const index = this.#indexes.get(name);
    assert(index !== undefined, `there is no index ${name}`);
    return index;
  }

  #namespaceIndex(): IndexBuckets<T> {
    if (!this.#indexes.has(NAMESPACE_INDEX)) {
      this.addIndex(NAMESPACE_INDEX, (object) => [object.metadata?.namespace ?? '']);
    }
    return this.#index(NAMESPACE_INDEX);
  }
}

function select<T extends KubernetesObject>(objects: readonly T[], selector: Selector | undefined): readonly T[] {
  if (selector === undefined) return objects;
  return objects.filter((object) => selector.matches(object.metadata?.labels));
}
