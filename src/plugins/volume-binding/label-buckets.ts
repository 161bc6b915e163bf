import type { Labels } from '../../api/meta.ts';

/** A label of which a node must have one of these values. */
export interface RequiredLabel {
  readonly key: string;
  readonly values: readonly string[];
}

const NOWHERE = Number.POSITIVE_INFINITY;
const NONE: readonly number[] = [];

/**
 * Items in an order, by a label that a node must have for them, so that the first item that suits a node is found
 * without trying those for other nodes:
 *
 *   kubernetes.io/hostname   node-1   disk-3 disk-9
 *                            node-2   disk-1
 *   no such label                     nfs-2
 */
export class LabelBuckets<T> {
  readonly #items: readonly T[];
  /** The positions of items, in ascending order. */
  readonly #byLabel = new Map<string, Map<string, number[]>>();
  readonly #others: number[] = [];

  /** `requiredBy` returns null for an item that names no such label. */
  constructor(items: readonly T[], requiredBy: (item: T) => RequiredLabel | null) {
    this.#items = items;
    for (let position = 0; position < items.length; position++) {
      const required = requiredBy(items[position] as T);
      if (required === null) this.#others.push(position);
      else this.#add(required, position);
    }
  }

  /** Returns the first accepted item, in their order; items that require other labels are not tried. */
  find(labels: Labels, accepts: (item: T) => boolean): T | null {
    const own = this.#positions(labels);
    const others = this.#others;
    for (let i = 0, j = 0; i < own.length || j < others.length; ) {
      const [first = NOWHERE, second = NOWHERE] = [own[i], others[j]];
      const item = this.#items[Math.min(first, second)] as T;
      if (accepts(item)) return item;
      if (first < second) i++;
      else j++;
    }
    return null;
  }

  #positions(labels: Labels): readonly number[] {
    let positions: readonly number[] = NONE;
    for (const [key, byValue] of this.#byLabel) {
      const value = labels[key];
      const found = value === undefined ? undefined : byValue.get(value);
      if (found !== undefined) positions = positions.length === 0 ? found : [...positions, ...found].sort(ascending);
    }
    return positions;
  }

  #add({ key, values }: RequiredLabel, position: number): void {
    for (const value of values) {
      const positions = this.#bucket(key, value);
      // A value that is there twice counts once.
      if (positions.at(-1) !== position) positions.push(position);
    }
  }

  #bucket(key: string, value: string): number[] {
    let byValue = this.#byLabel.get(key);
    if (byValue === undefined) {
      byValue = new Map();
      this.#byLabel.set(key, byValue);
    }
    let positions = byValue.get(value);
    if (positions === undefined) {
      positions = [];
      byValue.set(value, positions);
    }
    return positions;
  }
}

function ascending(a: number, b: number): number {
  return a - b;
}
