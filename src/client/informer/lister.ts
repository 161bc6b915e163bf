import type { Selector } from '../../api/label-selector.ts';

/**
 * Reads from a cache. Objects are the store's own, frozen ones; lists are snapshots that later changes do not affect.
 */
export interface Lister<T> {
  /** All objects, or those whose labels match, in the order in which the cache first received them. */
  list(selector?: Selector): readonly T[];
  /** `namespace`: '' for cluster-wide kinds. */
  get(namespace: string, name: string): T | undefined;
  inNamespace(namespace: string): NamespaceLister<T>;
  /** Objects for which the named index function returned this value. The index must exist. */
  byIndex(indexName: string, value: string): readonly T[];
}

/** The cached objects of one namespace. */
export interface NamespaceLister<T> {
  list(selector?: Selector): readonly T[];
  get(name: string): T | undefined;
}
