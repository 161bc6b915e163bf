import type { SharedMemory } from '../../memory/shared-memory.ts';
import { ORDERED, ORDERED_WORDS } from './search-layout.ts';

const WORD_BYTES = Int32Array.BYTES_PER_ELEMENT;
/** The cursor of totals that are all to be read from the rows: two words of an i64. */
const OUTDATED = [-1, -1] as const;

/**
 * The totals of a signature in snapshot order, side by side, so that a search reads many at once. Kernels bring them up
 * to date with the rows of the block, from the log of nodes or by reading all rows.
 */
export class OrderedTotals {
  readonly #memory: SharedMemory;
  readonly #words: Int32Array;
  readonly #totals: number;
  readonly #bytes: number;
  #order = -1;

  /** `capacity`: the most nodes. Throws OutOfMemoryError if there is no room. */
  constructor(memory: SharedMemory, capacity: number) {
    this.#memory = memory;
    this.#bytes = capacity * Int16Array.BYTES_PER_ELEMENT;
    const pointer = memory.allocate(ORDERED_WORDS * WORD_BYTES + this.#bytes, 'totals in snapshot order');
    this.#words = new Int32Array(memory.memory.buffer, pointer, ORDERED_WORDS);
    this.#totals = pointer + ORDERED_WORDS * WORD_BYTES;
    this.#words[ORDERED.totals] = this.#totals;
    this.rowsChanged();
  }

  get pointer(): number {
    return this.#words.byteOffset;
  }

  /** Prepares for a search. `order`: a number that stands for the snapshot order. */
  renew(order: number, windowScores: number): void {
    this.#words[ORDERED.scores] = windowScores;
    if (this.#order === order) return;
    this.#order = order;
    this.rowsChanged();
  }

  /** Reports that rows were written without an entry in the log. */
  rowsChanged(): void {
    this.#words.set(OUTDATED, ORDERED.cursor);
  }

  release(): void {
    this.#memory.free(this.pointer, ORDERED_WORDS * WORD_BYTES + this.#bytes);
  }
}
