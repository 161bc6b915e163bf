import type { KubernetesObject } from '../../api/meta.ts';
import { SortedObjects } from './sorted-objects.ts';

/** The place of an object; cluster-wide objects have the namespace ''. */
export interface ObjectKey {
  readonly namespace: string;
  readonly name: string;
}

/** The objects of one resource, by namespace and name. */
export class Collection<T extends KubernetesObject> {
  #namespaces = new SortedObjects<SortedObjects<T>>();

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
    return objects.add(name, object);
  }

  replace(namespace: string, name: string, object: T): void {
    this.#namespaces.get(namespace)?.replace(name, object);
  }

  delete(namespace: string, name: string): void {
    const objects = this.#namespaces.get(namespace);
    if (objects?.delete(name) && objects.size === 0) this.#namespaces.delete(namespace);
  }

  clear(): void {
    this.#namespaces = new SortedObjects();
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

  #namespacesFrom(namespace: string | undefined, start: string): Iterable<SortedObjects<T>> {
    if (namespace === undefined) return this.#namespaces.sortedFrom(start);
    const objects = namespace < start ? undefined : this.#namespaces.get(namespace);
    return objects === undefined ? [] : [objects];
  }
}

/** The key that sorts before all others. */
export const FIRST_KEY: ObjectKey = { namespace: '', name: '' };

export function isBelow(a: ObjectKey, b: ObjectKey): boolean {
  return a.namespace < b.namespace || (a.namespace === b.namespace && a.name < b.name);
}

export function keyOf({ metadata }: KubernetesObject): ObjectKey {
  return { namespace: metadata?.namespace ?? '', name: metadata?.name ?? '' };
}
