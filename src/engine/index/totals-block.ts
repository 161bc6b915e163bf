import type { Kernels } from '../../kernels/abi.ts';
import { assert } from '../../lib/assert.ts';
import type { SharedMemory } from '../../memory/shared-memory.ts';
import { FAN, FIELD, GROUP_BYTES, LANES, MAX_LEVELS } from './layout.ts';
import type { NodeEnv } from './node-env.ts';
import type { TotalsColumn } from './totals-column.ts';

const ROW_BYTES = 2 * LANES;

export interface TotalsBlockModules {
  readonly kernels: Kernels;
  readonly memory: SharedMemory;
  readonly env: NodeEnv;
  /** What totals columns without a signature read: a column of kind 0, and a total that rejects it. */
  readonly empty: { readonly kinds: number; readonly totals: number };
}

/** Bytes of the rows and of the tree above them, for tables of this many rows. */
export function treeBytes(rowCount: number): number {
  return levelSizes(rowCount).reduce((sum, rows) => sum + rows * ROW_BYTES, 0);
}

/** Rows on each level from the nodes up to the single row at the top; padded, but the last. */
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

/** Eight signatures whose totals stand side by side, so that a node that changes costs one update for all of them. */
export class TotalsBlock {
  readonly pointer: number;
  readonly isStandard: boolean;
  readonly view: DataView;
  readonly columns: (TotalsColumn | null)[] = new Array(LANES).fill(null);
  readonly rows: number;
  readonly #modules: TotalsBlockModules;
  readonly #rowCount: number;
  #top: Int16Array | null = null;
  #totals: Int16Array | null = null;

  /** `rowCount` 0: totals columns that are only described, for scans. */
  constructor(modules: TotalsBlockModules, isStandard: boolean, rowCount: number) {
    const { memory, env } = modules;
    this.#modules = modules;
    this.#rowCount = rowCount;
    this.isStandard = isStandard;
    this.pointer = memory.allocate(GROUP_BYTES, 'block');
    this.rows = rowCount === 0 ? 0 : this.#allocateRows();
    this.view = new DataView(memory.memory.buffer, this.pointer, GROUP_BYTES);
    this.view.setInt32(FIELD.isStandard, isStandard ? 1 : 0, true);
    this.view.setBigInt64(FIELD.cursor, env.logEnd, true);
    for (let column = 0; column < LANES; column++) this.vacate(column);
    if (rowCount > 0) this.#layOut();
  }

  #allocateRows(): number {
    const { memory } = this.#modules;
    try {
      return memory.allocate(treeBytes(this.#rowCount), 'rows of a block');
    } catch (error) {
      memory.free(this.pointer, GROUP_BYTES);
      throw error;
    }
  }

  #layOut(): void {
    const { memory } = this.#modules;
    // All bits set is -1 in every totals column: nothing fits anywhere.
    new Uint8Array(memory.memory.buffer, this.rows, treeBytes(this.#rowCount)).fill(0xff);
    const sizes = levelSizes(this.#rowCount);
    assert(sizes.length - 1 <= MAX_LEVELS, 'a block has a place for every level');
    this.view.setUint32(FIELD.rows, this.rows, true);
    this.view.setInt32(FIELD.levelCount, sizes.length - 1, true);
    let pointer = this.rows;
    sizes.slice(0, -1).forEach((rows, level) => {
      pointer += rows * ROW_BYTES;
      this.view.setUint32(FIELD.levels + level * 4, pointer, true);
    });
    this.#totals = new Int16Array(memory.memory.buffer, this.rows, this.#rowCount * LANES);
    this.#top = new Int16Array(memory.memory.buffer, pointer, LANES);
  }

  get hasRows(): boolean {
    return this.#rowCount > 0;
  }

  /** The largest total of a totals column; -1 when the signature fits nowhere. */
  bestTotal(column: number): number {
    return this.#top?.[column] ?? -1;
  }

  totalAt(column: number, slot: number): number {
    return this.#totals?.[slot * LANES + column] ?? -1;
  }

  /** The totals column has no signature (any more): whatever node it is shown, it rejects it. */
  vacate(column: number): void {
    const { empty } = this.#modules;
    this.columns[column] = null;
    this.view.setUint32(FIELD.kinds + column * 4, empty.kinds, true);
    this.view.setUint32(FIELD.totals + column * 4, empty.totals, true);
    this.view.setUint32(FIELD.counts + column * 4, 0, true);
    this.view.setInt32(FIELD.kindCount + column * 4, 1, true);
    for (const field of [FIELD.lanes, FIELD.tracked, FIELD.dirty, FIELD.extras]) this.setBit(field, column, false);
  }

  get freeColumn(): number {
    return this.columns.indexOf(null);
  }

  setBit(field: number, column: number, on: boolean): void {
    const bits = this.view.getUint32(field, true);
    this.view.setUint32(field, on ? bits | (1 << column) : bits & ~(1 << column), true);
  }

  hasBit(field: number, column: number): boolean {
    return (this.view.getUint32(field, true) & (1 << column)) !== 0;
  }

  /** All totals columns from the columns as they are now; later changes are taken from the log. */
  rescan(): void {
    const { kernels, env } = this.#modules;
    for (const column of this.columns) column?.scan();
    kernels.buildTree(this.pointer, this.#rowCount);
    this.view.setBigInt64(FIELD.cursor, env.logEnd, true);
  }

  /** After the totals of some totals column have been written. */
  rebuildTree(): void {
    this.#modules.kernels.buildTree(this.pointer, this.#rowCount);
  }

  release(): void {
    const { memory } = this.#modules;
    for (const column of this.columns) column?.release();
    if (this.hasRows) memory.free(this.rows, treeBytes(this.#rowCount));
    memory.free(this.pointer, GROUP_BYTES);
  }
}
