import type { Labels } from '../../api/meta.ts';
import { getOrMake } from '../../lib/get-or-make.ts';

/** A label of which a node must have one of these values. */
export interface RequiredLabel {
  readonly key: string;
  readonly values: readonly string[];
}

/**
 * Items in an order, by a label that a node must have for them, so that the first item that suits a node is found
 * without trying those for other nodes:
 *
 *   kubernetes.io/hostname   node-1   disk-3 disk-9
 *                            node-2   disk-1
 *   no such label                     nfs-2
 */
export class LabelBuckets<T> {
  readonly #requiredBy: (item: T) => RequiredLabel | null;
  readonly #compare: (a: T, b: T) => number;
  readonly #byLabel = new Map<string, Map<string, T[]>>();
  readonly #others: T[] = [];

  /** `requiredBy` returns null for an item that names no such label. */
  constructor(requiredBy: (item: T) => RequiredLabel | null, compare: (a: T, b: T) => number) {
    this.#requiredBy = requiredBy;
    this.#compare = compare;
  }

  /** An item that is equal to others in the order comes after them. */
  add(item: T): void {
    const required = this.#requiredBy(item);
    if (required === null) this.#insert(this.#others, item);
    else for (const value of new Set(required.values)) this.#insert(this.#bucket(required.key, value), item);
  }

  delete(item: T): void {
    const required = this.#requiredBy(item);
    if (required === null) this.#others.splice(this.#others.indexOf(item), 1);
    else for (const value of new Set(required.values)) this.#remove(required.key, value, item);
  }

  /** Returns the first accepted item, in their order; items that require other labels are not tried. */
  find(labels: Labels, accepts: (item: T) => boolean): T | null {
    const own = this.#having(labels);
    const others = this.#others;
    for (let i = 0, j = 0; i < own.length || j < others.length; ) {
      const [first, second] = [own[i], others[j]];
      const isOwn = second === undefined || (first !== undefined && this.#compare(first, second) < 0);
      const item = (isOwn ? first : second) as T;
      if (accepts(item)) return item;
      if (isOwn) i++;
      else j++;
    }
    return null;
  }

  #having(labels: Labels): readonly T[] {
    let items: readonly T[] = [];
    for (const [key, byValue] of this.#byLabel) {
      const value = labels[key];
      const found = value === undefined ? undefined : byValue.get(value);
      if (found !== undefined) items = items.length === 0 ? found : [...items, ...found].sort(this.#compare);
    }
    return items;
  }

  #bucket(key: string, value: string): T[] {
    return getOrMake(
      getOrMake(this.#byLabel, key, () => new Map()),
      value,
      () => [],
    );
  }

  #insert(items: T[], item: T): void {
    let [low, high] = [0, items.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(items[middle] as T, item) <= 0) low = middle + 1;
      else high = middle;
    }
    items.splice(low, 0, item);
  }

  #remove(key: string, value: string, item: T): void {
    const items = this.#bucket(key, value);
    items.splice(items.indexOf(item), 1);
    if (items.length === 0) this.#byLabel.get(key)?.delete(value);
  }
}
