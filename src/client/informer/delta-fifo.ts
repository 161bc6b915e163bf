import type { KubernetesObject } from '../../api/meta.ts';
import { Fifo } from '../../lib/fifo.ts';
import { objectKey } from '../object-key.ts';

/**
 * What happened to an object. `Replaced`: a list showed it, which may or may not be news. `Sync`: nothing happened, it
 * is shown again.
 */
export type DeltaType = 'Added' | 'Updated' | 'Deleted' | 'Replaced' | 'Sync';

export interface Delta<T> {
  readonly type: DeltaType;
  readonly object: T;
  /** Of a `Deleted`: a list no longer shows the object, so the delete was missed, and `object` is what was known. */
  readonly isFinalStateUnknown: boolean;
}

/** All that happened to one object since it was last popped, the oldest first; never empty. */
export interface Deltas<T> {
  readonly key: string;
  readonly deltas: readonly Delta<T>[];
  /** The object belongs to the first list, or was changed before all of the first list was popped. */
  readonly isInInitialList: boolean;
}

/** The consumer's cache, from which deletes are recognised. */
export interface KnownObjects<T> {
  getByKey(key: string): T | undefined;
  entries(): Iterable<readonly [key: string, object: T]>;
}

/**
 * Changes on their way from a watch to a cache. Objects are popped in the order in which the first of their pending
 * changes came, each with all of them.
 *
 * Upstream: DeltaFIFO in client-go/tools/cache.
 */
export class DeltaFifo<T extends KubernetesObject> {
  readonly #known: KnownObjects<T>;
  readonly #deltasByKey = new Map<string, Delta<T>[]>();
  readonly #keys = new Fifo<string>();
  #isPopulated = false;
  /** Objects of the first list that are still to be popped. */
  #initialCount = 0;

  constructor(known: KnownObjects<T>) {
    this.#known = known;
  }

  get length(): number {
    return this.#keys.length;
  }

  /** Whether all of the first list has been popped. */
  get hasSynced(): boolean {
    return this.#isPopulated && this.#initialCount === 0;
  }

  add(object: T): void {
    this.#isPopulated = true;
    this.#push(objectKey(object), 'Added', object);
  }

  update(object: T): void {
    this.#isPopulated = true;
    this.#push(objectKey(object), 'Updated', object);
  }

  /** A delete of an object that nobody has been told of is nothing. */
  delete(object: T): void {
    this.#isPopulated = true;
    const key = objectKey(object);
    if (this.#known.getByKey(key) === undefined && !this.#deltasByKey.has(key)) return;
    this.#push(key, 'Deleted', object);
  }

  /** A list: what it does not show, and is pending or known, has been deleted. */
  replace(objects: readonly T[]): void {
    const listed = new Set<string>();
    for (const object of objects) {
      const key = objectKey(object);
      listed.add(key);
      this.#push(key, 'Replaced', object);
    }
    const missing = new Map<string, T>();
    for (const [key, deltas] of this.#deltasByKey) {
      if (!listed.has(key)) missing.set(key, newest(deltas).object);
    }
    for (const [key, object] of this.#known.entries()) {
      if (!listed.has(key) && !missing.has(key)) missing.set(key, object);
    }
    for (const [key, object] of missing) this.#push(key, 'Deleted', object, true);
    if (this.#isPopulated) return;
    this.#isPopulated = true;
    this.#initialCount = listed.size + missing.size;
  }

  /** Shows every known object again, except those of which news is on the way. */
  resync(): void {
    for (const [key, object] of this.#known.entries()) {
      if (!this.#deltasByKey.has(key)) this.#push(key, 'Sync', object);
    }
  }

  pop(): Deltas<T> | undefined {
    const isInInitialList = !this.hasSynced;
    const key = this.#keys.shift();
    if (key === undefined) return undefined;
    const deltas = this.#deltasByKey.get(key) as readonly Delta<T>[];
    this.#deltasByKey.delete(key);
    if (this.#initialCount > 0) this.#initialCount--;
    return { key, deltas, isInInitialList };
  }

  #push(key: string, type: DeltaType, object: T, isFinalStateUnknown = false): void {
    const delta: Delta<T> = { type, object, isFinalStateUnknown };
    const pending = this.#deltasByKey.get(key);
    if (pending === undefined) {
      this.#deltasByKey.set(key, [delta]);
      this.#keys.push(key);
    } else if (type !== 'Deleted' || newest(pending).type !== 'Deleted') {
      pending.push(delta);
    } else if (newest(pending).isFinalStateUnknown) {
      // Deleted twice is deleted once, as told by the one that saw the final state.
      pending[pending.length - 1] = delta;
    }
  }
}

function newest<T>(deltas: readonly Delta<T>[]): Delta<T> {
  return deltas[deltas.length - 1] as Delta<T>;
}
