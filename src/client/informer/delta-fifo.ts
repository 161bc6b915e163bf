import type { KubernetesObject } from '../../api/meta.ts';
import { Fifo } from '../../lib/fifo.ts';
import { objectKey } from '../object-key.ts';
import type { ChangeType } from './reflector.ts';

/**
 * What happened to an object. `Replaced`: a list contains it, so it may or may not have changed. `Sync`: a resync
 * delivers it again, unchanged.
 */
export type DeltaType = ChangeType | 'Replaced' | 'Sync';

export interface Delta<T> {
  readonly type: DeltaType;
  readonly object: T;
  /**
   * For `Deleted`: the object is missing from a list, so its delete event was missed, and `object` is the last known
   * state.
   */
  readonly isFinalStateUnknown: boolean;
}

/** All changes of one object since it was last popped, oldest first; never empty. */
export interface Deltas<T> {
  readonly deltas: readonly Delta<T>[];
  /** Whether the object belongs to the first list, or was changed before all of the first list was popped. */
  readonly isInInitialList: boolean;
}

/** The consumer's cache, by which deletions are recognised. */
export interface KnownObjects<T> {
  getByKey(key: string): T | undefined;
  entries(): Iterable<readonly [key: string, object: T]>;
}

/**
 * A queue of changes between a watch and a cache. Objects are popped in the order of their first pending change, each
 * with all of its changes.
 *
 * Upstream: DeltaFIFO in client-go/tools/cache.
 */
export class DeltaFifo<T extends KubernetesObject> {
  readonly #known: KnownObjects<T>;
  readonly #deltasByKey = new Map<string, Delta<T>[]>();
  readonly #keys = new Fifo<string>();
  #isPopulated = false;
  /** How many objects of the first list are still to be popped. */
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

  /** Queues a change, except for the delete of an object that is neither pending nor known. */
  change(type: ChangeType, object: T): void {
    this.#isPopulated = true;
    const key = objectKey(object);
    if (type === 'Deleted' && this.#known.getByKey(key) === undefined && !this.#deltasByKey.has(key)) return;
    this.#push(key, type, object);
  }

  /** Queues the objects of a list, and deletes of the pending and known objects that it does not contain. */
  replace(objects: readonly T[]): void {
    const listed = new Set<string>();
    for (const object of objects) {
      const key = objectKey(object);
      listed.add(key);
      this.#push(key, 'Replaced', object);
    }
    const missing = new Map<string, T>();
    for (const [key, deltas] of this.#deltasByKey) {
      if (!listed.has(key)) missing.set(key, (deltas.at(-1) as Delta<T>).object);
    }
    for (const [key, object] of this.#known.entries()) {
      if (!listed.has(key) && !missing.has(key)) missing.set(key, object);
    }
    for (const [key, object] of missing) this.#push(key, 'Deleted', object, true);
    if (this.#isPopulated) return;
    this.#isPopulated = true;
    this.#initialCount = listed.size + missing.size;
  }

  /** Queues every known object again, except those that have pending changes. */
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
    return { deltas, isInInitialList };
  }

  #push(key: string, type: DeltaType, object: T, isFinalStateUnknown = false): void {
    const delta: Delta<T> = { type, object, isFinalStateUnknown };
    const pending = this.#deltasByKey.get(key);
    if (pending === undefined) {
      this.#deltasByKey.set(key, [delta]);
      this.#keys.push(key);
    } else if (type !== 'Deleted' || pending.at(-1)?.type !== 'Deleted') {
      pending.push(delta);
    } else if (pending.at(-1)?.isFinalStateUnknown) {
      // Two deletes count as one, the one that knows the final state of the object.
      pending[pending.length - 1] = delta;
    }
  }
}
