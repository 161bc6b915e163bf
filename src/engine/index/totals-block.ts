import type { Program } from '../../kernels/program.ts';
import { BLOCK_BYTES, COLUMNS, FAN, FIELD } from './layout.ts';
import type { TotalsColumn, TotalsColumnModules } from './totals-column.ts';
import { TotalsRows } from './totals-rows.ts';

export interface TotalsBlockModules extends TotalsColumnModules {
  /** The program that writes the lowest level of trees. */
  readonly maxima: Program;
  /** Pointers for vacant totals columns: a column of verdict id 0, and a total that rejects that id. */
  readonly empty: { readonly ids: number; readonly totals: number };
}

/** Is notified of the totals columns of a block. */
export interface BlockOwner {
  columnTaken(block: TotalsBlock, column: TotalsColumn): void;
  /** The block may be released now if it has no columns any more. */
  columnGone(block: TotalsBlock, column: TotalsColumn): void;
}

/** Eight signatures whose totals stand side by side, so that a node that changes costs one update for all of them. */
export class TotalsBlock {
  readonly pointer: number;
  readonly isStandard: boolean;
  readonly view: DataView;
  readonly columns: (TotalsColumn | null)[] = new Array(COLUMNS).fill(null);
  /** Null if totals columns are only described, for scans. */
  readonly rows: TotalsRows | null;
  owner: BlockOwner | null = null;
  readonly #modules: TotalsBlockModules;
  /** What the totals columns in use request and weigh. */
  readonly #numbers: (readonly number[] | null)[] = new Array(COLUMNS).fill(null);
  /** A bit for each totals column that was used; all rows of the others reject. */
  #used = 0;

  /** With `rowCount` 0, totals columns are only described. */
  constructor(modules: TotalsBlockModules, isStandard: boolean, rowCount: number) {
    const { memory, env } = modules;
    this.#modules = modules;
    this.isStandard = isStandard;
    this.pointer = memory.allocate(BLOCK_BYTES, 'block');
    this.view = new DataView(memory.memory.buffer, this.pointer, BLOCK_BYTES);
    this.rows = rowCount === 0 ? null : this.#newRows(rowCount);
    this.view.setBigInt64(FIELD.cursor, env.logEnd, true);
    for (let column = 0; column < COLUMNS; column++) this.#describeVacant(column);
    this.#setNumbers(0, null);
  }

  #newRows(rowCount: number): TotalsRows {
    const { memory } = this.#modules;
    try {
      return new TotalsRows(memory, rowCount, this.view);
    } catch (error) {
      memory.free(this.pointer, BLOCK_BYTES);
      throw error;
    }
  }

  /** The largest total of a totals column; -1 if the signature fits nowhere. */
  bestTotal(column: number): number {
    return this.rows?.best(column) ?? -1;
  }

  /** Gives the first free place to a totals column; returns its number. */
  take(column: TotalsColumn): number {
    const number = this.freeColumn;
    this.columns[number] = column;
    this.owner?.columnTaken(this, column);
    return number;
  }

  /**
   * Leaves the totals column without a signature, so that it rejects every node. `holders`: the slots that it may fit,
   * if these are few. If it fits no other, all its rows reject from now on, and the next signature finds it unused.
   */
  vacate(column: number, holders: ReadonlyMap<number, unknown> | null = null): void {
    const gone = this.columns[column] ?? null;
    this.columns[column] = null;
    this.#describeVacant(column);
    this.view.setUint32(FIELD.counts + column * 4, 0, true);
    for (const field of [FIELD.used, FIELD.tracked, FIELD.dirty, FIELD.extras]) this.setBit(field, column, false);
    this.#setNumbers(column, null);
    if (holders !== null) this.rows?.reject(column, holders.keys());
    if (this.bestTotal(column) < 0) this.#used &= ~(1 << column);
    if (gone !== null) this.owner?.columnGone(this, gone);
  }

  #describeVacant(column: number): void {
    const { empty } = this.#modules;
    this.view.setUint32(FIELD.ids + column * 4, empty.ids, true);
    this.view.setUint32(FIELD.totals + column * 4, empty.totals, true);
    this.view.setInt32(FIELD.idCount + column * 4, 1, true);
  }

  /** Describes a totals column: the requests of `TotalsForm`, and the weights of its scores. */
  describe(column: number, requests: readonly number[], fitWeight: number, balancedWeight: number): void {
    const { view } = this;
    for (let row = 0; row < requests.length; row++) {
      view.setFloat64(FIELD.requests + row * 64 + column * 8, requests[row] as number, true);
    }
    view.setInt16(FIELD.fitWeights + column * 2, fitWeight, true);
    view.setInt16(FIELD.balancedWeights + column * 2, balancedWeight, true);
    this.#setNumbers(column, [...requests, fitWeight, balancedWeight]);
  }

  #setNumbers(column: number, numbers: readonly number[] | null): void {
    this.#numbers[column] = numbers;
    this.view.setInt32(FIELD.isAlike, this.#isAlike() ? 1 : 0, true);
    this.view.setInt32(FIELD.isStandard, this.isStandard ? (this.#areTight() ? 3 : 1) : 0, true);
  }

  #areTight(): boolean {
    for (let column = 0; column < COLUMNS; column++) {
      const numbers = this.#numbers[column] ?? null;
      if (numbers !== null && !isTight(numbers)) return false;
    }
    return true;
  }

  #isAlike(): boolean {
    let first: readonly number[] | null = null;
    for (let column = 0; column < COLUMNS; column++) {
      const numbers = this.#numbers[column] ?? null;
      if (numbers === null) continue;
      first ??= numbers;
      for (let i = 0; i < numbers.length; i++) if (numbers[i] !== first[i]) return false;
    }
    return true;
  }

  /** Whether no totals column is taken. */
  get isVacant(): boolean {
    return this.columns.every((column) => column === null);
  }

  get freeColumn(): number {
    return this.columns.indexOf(null);
  }

  /** Marks the totals column as used; returns whether it never was before, so that all its rows reject. */
  takeBlank(column: number): boolean {
    const isBlank = (this.#used & (1 << column)) === 0;
    this.#used |= 1 << column;
    return isBlank;
  }

  setBit(field: number, column: number, on: boolean): void {
    const bits = this.view.getUint32(field, true);
    this.view.setUint32(field, on ? bits | (1 << column) : bits & ~(1 << column), true);
  }

  hasBit(field: number, column: number): boolean {
    return (this.view.getUint32(field, true) & (1 << column)) !== 0;
  }

  /** Computes all totals columns anew; later changes are taken from the log. */
  rescan(): void {
    this.scan(this.columns.filter((column) => column !== null));
    this.view.setBigInt64(FIELD.cursor, this.#modules.env.logEnd, true);
  }

  /** Computes some totals columns anew, and the tree. */
  scan(columns: readonly TotalsColumn[]): void {
    const { env, runner, program } = this.#modules;
    program.clear();
    for (const column of columns) column.planScan(program);
    runner.run(program, env.slots);
    for (const column of columns) column.rowsChanged();
    this.writeTotals(columns.filter((column) => column.takeScan(program)));
    this.rebuildTree();
  }

  /** Computes the row of a node, and the tree above it. */
  updateNode(slot: number): void {
    const { kernels, env } = this.#modules;
    kernels.updateNode(env.pointer, this.pointer, slot);
  }

  /** Computes the totals alone, if no node has become feasible or infeasible. */
  writeTotals(columns: readonly TotalsColumn[]): void {
    if (columns.length === 0) return;
    const { env, runner, program } = this.#modules;
    program.clear();
    for (const column of columns) column.planTotals(program);
    runner.run(program, env.slots);
    for (const column of columns) column.rowsChanged();
  }

  /** Computes the tree of maxima after some totals have been written. */
  rebuildTree(): void {
    if (this.rows === null) return;
    const { kernels, runner, env, maxima } = this.#modules;
    maxima.clear();
    maxima.writeMaxima(this.rows, this.rows.maximaOffset);
    runner.run(maxima, Math.ceil(env.slots / FAN));
    kernels.buildTree(this.pointer, 2, this.rows.rowCount);
  }

  release(): void {
    const { memory } = this.#modules;
    for (const column of this.columns) column?.release();
    this.rows?.release();
    memory.free(this.pointer, BLOCK_BYTES);
  }
}

/** Whether what is balanced is what has to fit. */
function isTight(numbers: readonly number[]): boolean {
  return numbers[0] === numbers[4] && numbers[1] === numbers[5];
}
