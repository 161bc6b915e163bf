import type { Selector } from '../../api/label-selector.ts';

/** Reads from a cache. Objects are the store's own and frozen; lists are snapshots that later changes leave alone. */
export interface Lister<T> {
  /** All objects, or those whose labels match, in the order in which the cache learned of them. */
  list(selector?: Selector): readonly T[];
  /** `namespace`: '' for kinds without namespaces. */
  get(namespace: string, name: string): T | undefined;
  inNamespace(namespace: string): NamespaceLister<T>;
  /** Objects for which the named index function gave this value. The index must exist. */
  byIndex(indexName: string, value: string): readonly T[];
}

export interface NamespaceLister<T> {
  list(selector?: Selector): readonly T[];
  get(name: string): T | undefined;
}
