import { assert } from '../../lib/assert.ts';
import { SegmentedList } from '../../lib/segmented-list.ts';

/** One write to a resource. */
export interface HistoryEntry<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** The resourceVersion that the write made. */
  readonly version: number;
  /** The object after the write; for a deletion, its last state with the version of the deletion. */
  readonly object: T;
  /** The object before the write; undefined when it is new. */
  readonly previous: T | undefined;
}

/**
 * The last writes to one resource, shared by all its watches. Entries are numbered from 0 on; the oldest are dropped.
 *
 *      0 ... start        cursor of a slow watch         end
 *   forgotten  ├───────────────────┴──────────────────────┤  next entry
 *              └──────── at most `limit` entries ─────────┘
 */
export class History<T> {
  readonly #limit: number;
  /** A ring buffer once it is full: entry `n` is at `n % limit`. */
  readonly #entries = new SegmentedList<HistoryEntry<T>>();
  #length = 0;
  #end = 0;
  #forgottenVersion = 0;

  constructor(limit: number) {
    assert(Number.isSafeInteger(limit) && limit > 0, 'a history holds at least one entry');
    this.#limit = limit;
  }

  /** The number of the oldest entry that is still kept. */
  get start(): number {
    return this.#end - this.#length;
  }

  /** The number that the next entry will get. */
  get end(): number {
    return this.#end;
  }

  /**
   * The version of the last entry that was dropped, 0 if none was. A watch can continue from this version, but from no
   * older one.
   */
  get forgottenVersion(): number {
    return this.#forgottenVersion;
  }

  at(number: number): HistoryEntry<T> {
    assert(number >= this.start && number < this.#end, 'an entry that is known');
    return this.#entry(number % this.#limit);
  }

  push(entry: HistoryEntry<T>): void {
    const index = this.#end % this.#limit;
    if (this.#length === this.#limit) this.#forgottenVersion = this.#entry(index).version;
    else this.#length++;
    this.#entries.set(index, entry);
    this.#end++;
  }

  #entry(index: number): HistoryEntry<T> {
    return this.#entries.at(index) as HistoryEntry<T>;
  }

  /** Says that nothing is known of what was up to a version: the history of a resource that came later begins there. */
  beginAt(version: number): void {
    this.#forgottenVersion = Math.max(this.#forgottenVersion, version);
  }

  /** The number of the first entry that is newer than the version. */
  firstAfter(version: number): number {
    let low = this.start;
    let high = this.#end;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (this.at(middle).version <= version) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
