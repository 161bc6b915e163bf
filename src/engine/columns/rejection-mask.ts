import type { Column, ColumnTable } from '../../memory/column-table.ts';
import type { SharedMemory } from '../../memory/shared-memory.ts';
import { SharedVector } from '../../memory/shared-vector.ts';
import type { NodeMask } from '../index/node-mask.ts';

const REJECTED = 1;
const ACCEPTED = 1;

/** The nodes that an attempt rejects one by one, as a mask for a search of the signature index. */
export class RejectionMask {
  readonly #memory: SharedMemory;
  readonly #table: ColumnTable;
  readonly #purpose: string;
  readonly #slots: number[] = [];
  /** REJECTED in the slots of these nodes, once there was one. */
  #column: Column<'i32'> | null = null;
  /** What masks accept that have a mark for rejected nodes, once there was one. */
  #unmarked: SharedVector | null = null;

  /** `purpose` of the column, for profiles. */
  constructor(memory: SharedMemory, table: ColumnTable, purpose: string) {
    this.#memory = memory;
    this.#table = table;
    this.#purpose = purpose;
  }

  /** Begins a new attempt. */
  clear(): void {
    if (this.#column === null || this.#slots.length === 0) return;
    for (const slot of this.#slots) this.#column.values[slot] = 0;
    this.#slots.length = 0;
  }

  reject(slot: number): void {
    this.#column ??= this.#table.add('i32', this.#purpose);
    this.#column.values[slot] = REJECTED;
    this.#slots.push(slot);
  }

  /** The mask of what this attempt rejects; null if it rejects nothing. */
  get mask(): NodeMask | null {
    return this.#column === null || this.#slots.length === 0 ? null : this.of(this.#column);
  }

  /** The mask of the nodes that are not REJECTED in the column. */
  of(column: Column<'i32'>): NodeMask {
    if (this.#unmarked === null) {
      this.#unmarked = new SharedVector(this.#memory, 'marks that are not rejections');
      this.#unmarked.values[0] = ACCEPTED;
    }
    return { column, accepted: this.#unmarked };
  }
}
