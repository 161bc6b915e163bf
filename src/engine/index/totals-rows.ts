import type { Relocatable } from '../../kernels/program.ts';
import { assert } from '../../lib/assert.ts';
import type { SharedMemory } from '../../memory/shared-memory.ts';
import { COLUMNS, FAN, FIELD, MAX_LEVELS } from './layout.ts';

const ROW_BYTES = 2 * COLUMNS;
/** With fewer slots, memory is saved that is not worth making blocks anew. */
const FEWEST_ROWS = 1024;

/** The bytes of this many rows and of the tree above them. */
export function treeBytes(rowCount: number): number {
  return levelSizes(rowCount).reduce((sum, rows) => sum + rows * ROW_BYTES, 0);
}

/** Rows for so many slots and for an eighth more, since blocks are made anew when rows are missing. */
export function rowsWithRoom(slots: number): number {
  return Math.max(FEWEST_ROWS, padded(slots + (slots >> 3)));
}

/** The padded number of rows on each level, from the nodes up to the single row at the top. */
function levelSizes(rowCount: number): number[] {
  const sizes = [padded(rowCount)];
  for (let rows = rowCount; rows > 1; ) {
    rows = Math.ceil(rows / FAN);
    sizes.push(padded(rows));
  }
  return sizes;
}

function padded(rows: number): number {
  return Math.ceil(rows / FAN) * FAN;
}

/** The largest total of a totals column in sixteen rows, of which the first has its total at `first`. */
function largestOf(values: Int16Array, first: number): number {
  let largest = -1;
  for (let k = 0; k < FAN; k++) largest = Math.max(largest, values[first + k * COLUMNS] ?? -1);
  return largest;
}

/** The rows of a block and the tree above them, which kernels write. */
export class TotalsRows implements Relocatable {
  pointer = 0;
  /** The memory of rows and tree. */
  bytes!: Uint8Array<SharedArrayBuffer>;
  readonly byteLength: number;
  readonly rowCount: number;
  /** The bytes from the rows to the lowest level of the tree. */
  readonly maximaOffset: number;
  readonly #memory: SharedMemory;
  readonly #head: DataView;
  #totals!: Int16Array;
  #top!: Int16Array;

  /** `head` is that of the block. Throws OutOfMemoryError and changes nothing if there is no room. */
  constructor(memory: SharedMemory, rowCount: number, head: DataView) {
    this.#memory = memory;
    this.#head = head;
    this.rowCount = rowCount;
    this.byteLength = treeBytes(rowCount);
    this.maximaOffset = padded(rowCount) * ROW_BYTES;
    this.#allocate();
    // All bits set are -1 in every totals column, so that nothing fits anywhere. Large numbers are filled in faster.
    new BigInt64Array(memory.memory.buffer, this.pointer, this.byteLength / BigInt64Array.BYTES_PER_ELEMENT).fill(-1n);
  }

  /** The largest total of a totals column. */
  best(column: number): number {
    return this.#top[column] ?? -1;
  }

  totalAt(column: number, slot: number): number {
    return this.#totals[slot * COLUMNS + column] ?? -1;
  }

  /** Makes these rows of a totals column reject, and brings the tree above them up to date. */
  reject(column: number, slots: Iterable<number>): void {
    const { rowCount, maximaOffset } = this;
    const values = new Int16Array(this.bytes.buffer, this.pointer, this.byteLength / Int16Array.BYTES_PER_ELEMENT);
    for (const slot of slots) {
      values[slot * COLUMNS + column] = -1;
      let [below, level, index] = [0, maximaOffset / ROW_BYTES, slot];
      for (let rows = rowCount; rows > 1; rows = Math.ceil(rows / FAN)) {
        index = Math.floor(index / FAN);
        values[(level + index) * COLUMNS + column] = largestOf(values, (below + index * FAN) * COLUMNS + column);
        [below, level] = [level, level + padded(Math.ceil(rows / FAN))];
      }
    }
  }

  relocate(): void {
    const { bytes } = this;
    this.#allocate();
    this.bytes.set(bytes);
  }

  release(): void {
    this.#memory.free(this.pointer, this.byteLength);
  }

  #allocate(): void {
    this.pointer = this.#memory.allocate(this.byteLength, 'rows of a block');
    const { buffer } = this.#memory.memory;
    this.bytes = new Uint8Array(buffer, this.pointer, this.byteLength);
    const sizes = levelSizes(this.rowCount);
    assert(sizes.length - 1 <= MAX_LEVELS, 'a block has a place for every level');
    this.#head.setUint32(FIELD.rows, this.pointer, true);
    this.#head.setInt32(FIELD.levelCount, sizes.length - 1, true);
    let pointer = this.pointer;
    sizes.slice(0, -1).forEach((rows, level) => {
      pointer += rows * ROW_BYTES;
      this.#head.setUint32(FIELD.levels + level * 4, pointer, true);
    });
    this.#totals = new Int16Array(buffer, this.pointer, this.rowCount * COLUMNS);
    this.#top = new Int16Array(buffer, pointer, COLUMNS);
  }
}
