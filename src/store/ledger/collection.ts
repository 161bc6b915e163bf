import type { KubernetesObject } from '../../api/meta.ts';
import { FieldIndex } from './field-index.ts';
import type { ObjectKey } from './object-key.ts';
import { SortedObjects } from './sorted-objects.ts';

/** The objects of one resource, by namespace and name. */
export class Collection<T extends KubernetesObject> {
  #namespaces = new SortedObjects<SortedObjects<T>>();
  readonly #indexedPath: readonly string[] | undefined;
  /** Null before somebody asks by the indexed field. */
  #index: FieldIndex<T> | null = null;

  /** `indexedPath`: the path of a field by whose value objects are found, too. */
  constructor(indexedPath?: readonly string[]) {
    this.#indexedPath = indexedPath;
  }

  get(namespace: string, name: string): T | undefined {
    return this.#namespaces.get(namespace)?.get(name);
  }

  /** Adds an object. Returns false, and changes nothing, when the name is taken. */
  add(namespace: string, name: string, object: T): boolean {
    let objects = this.#namespaces.get(namespace);
    if (objects === undefined) {
      objects = new SortedObjects();
      this.#namespaces.add(namespace, objects);
    }
    const isNew = objects.add(name, object);
    if (isNew) this.#index?.wrote(undefined, object);
    return isNew;
  }

  replace(namespace: string, name: string, object: T): void {
    this.#index?.wrote(this.get(namespace, name), object);
    this.#namespaces.get(namespace)?.replace(name, object);
  }

  delete(namespace: string, name: string): void {
    this.#index?.wrote(this.get(namespace, name), undefined);
    const objects = this.#namespaces.get(namespace);
    if (objects?.delete(name) && objects.size === 0) this.#namespaces.delete(namespace);
  }

  clear(): void {
    this.#namespaces = new SortedObjects();
    this.#index = null;
  }

  isEmpty(namespace: string): boolean {
    return this.#namespaces.get(namespace) === undefined;
  }

  /** All objects, or those of one namespace, in no particular order. */
  *values(namespace?: string): Iterable<T> {
    if (namespace !== undefined) yield* this.#namespaces.get(namespace)?.values() ?? [];
    else for (const objects of this.#namespaces.values()) yield* objects.values();
  }

  /** The objects ordered by namespace and name, starting at this key; with `name` those of this name alone. */
  *sortedFrom(namespace: string | undefined, start: ObjectKey, name?: string): Iterable<T> {
    const atStart = this.#namespaces.get(start.namespace);
    for (const objects of this.#namespacesFrom(namespace, start.namespace)) {
      const first = objects === atStart ? start.name : '';
      const named = name === undefined ? undefined : objects.get(name);
      if (name === undefined) yield* objects.sortedFrom(first);
      else if (named !== undefined && name >= first) yield named;
    }
  }

  /** The objects whose indexed field has this value, in the order of their keys; null if no index tells. */
  withIndexed(value: string | undefined): readonly T[] | null {
    if (this.#indexedPath === undefined || !value) return null;
    this.#index ??= new FieldIndex(this.#indexedPath, this.values());
    return this.#index.keysOf(value).map(({ namespace, name }) => this.get(namespace, name) as T);
  }

  #namespacesFrom(namespace: string | undefined, start: string): Iterable<SortedObjects<T>> {
    if (namespace === undefined) return this.#namespaces.sortedFrom(start);
    const objects = namespace < start ? undefined : this.#namespaces.get(namespace);
    return objects === undefined ? [] : [objects];
  }
}
