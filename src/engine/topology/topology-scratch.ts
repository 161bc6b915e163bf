import type { Column, ColumnTable } from '../../memory/column-table.ts';
import type { SharedMemory } from '../../memory/shared-memory.ts';
import { SharedVector } from '../../memory/shared-vector.ts';

const RANGE_BYTES = 2 * Float64Array.BYTES_PER_ELEMENT;

/** Columns in which topology scores are computed; each plan overwrites the results of the one before. */
export class TopologyScratch {
  /**
   * -1 for nodes that are scored. This is the feasible column itself, or `mask` if some feasible nodes are not scored.
   */
  scored: Column<'i32'>;
  readonly mask: Column<'i32'>;
  readonly raw: Column<'f64'>;
  readonly normalized: Column<'i32'>;
  /** Marks by domain, with which distinct domains are counted. */
  readonly marks: SharedVector;
  /** The address to which the `scoredRange` kernel writes. */
  readonly rangePointer: number;
  readonly #range: Float64Array;
  #stamp = 0;

  constructor(memory: SharedMemory, table: ColumnTable) {
    this.mask = table.add('i32', 'scored');
    this.scored = this.mask;
    this.raw = table.add('f64', 'raw topology scores');
    this.normalized = table.add('i32', 'normalized topology scores');
    this.marks = new SharedVector(memory, 'marks of domains');
    this.rangePointer = memory.allocate(RANGE_BYTES, 'range of scores');
    this.#range = new Float64Array(memory.memory.buffer, this.rangePointer, 2);
  }

  /** The least and the largest value that the kernel found. */
  range(): readonly [number, number] {
    return [this.#range[0] ?? 0, this.#range[1] ?? 0];
  }

  /** Returns a mark that no domain has yet. */
  nextStamp(): number {
    this.#stamp++;
    return this.#stamp;
  }
}
