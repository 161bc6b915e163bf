import type { Program } from '../../kernels/program.ts';
import { HISTOGRAM_SIZE } from '../../kernels/registers.ts';
import type { Column } from '../../memory/column-table.ts';
import type { EngineModules } from './engine-modules.ts';
import { CHARGE_BYTES, FIELD } from './layout.ts';
import type { NodeEnv } from './node-env.ts';
import type { PodSignature } from './pod-signature.ts';
import type { TotalsBlock } from './totals-block.ts';
import { type TotalsForm, writeCharges } from './totals-form.ts';

/** The bytes between two i16 totals: in a block, where eight stand in a row, and in a column of their own. */
const ROW_STRIDE = 16;
const SCAN_STRIDE = 2;

/** The place of totals, which stand `stride` bytes apart. */
export interface Totals {
  readonly pointer: number;
  readonly stride: number;
}

export interface TotalsColumnModules extends Pick<EngineModules, 'kernels' | 'memory' | 'runner'> {
  readonly env: NodeEnv;
  readonly program: Program;
}

/** Totals and counts of feasible nodes by verdict id, in shared memory. */
interface Tables {
  readonly totals: Int16Array<SharedArrayBuffer>;
  readonly counts: Int32Array<SharedArrayBuffer>;
}

const NO_COUNTS = new Int32Array(0);

/**
 * The totals of one pod signature in a block, and what the kernels need to compute them: its requests, the verdict id
 * of each slot, and the scores by verdict id from outside the resource kernels (-1 for nodes that are rejected).
 */
export class TotalsColumn {
  readonly signature: PodSignature;
  readonly form: TotalsForm;
  readonly block: TotalsBlock;
  readonly number: number;
  /** The number that stands for the column in calls of kernels. */
  readonly reference: number;
  /** The run that used it last. */
  lastRun = 0;
  isReleased = false;
  /** Whether all rows rejected when the column was made. */
  protected readonly isBlank: boolean;
  protected readonly modules: TotalsColumnModules;
  readonly #chargesPointer: number;
  readonly #ids: Column<'u16'>;
  #tables: Tables | null = null;
  /** The register in which a scan counts; null if there are too many verdict ids. */
  #register: number | null = null;
  /** Whether a scan counts by verdict id. */
  #isCounted = false;

  /** Takes the block's first free totals column. */
  constructor(
    modules: TotalsColumnModules,
    block: TotalsBlock,
    signature: PodSignature,
    form: TotalsForm,
    ids: Column<'u16'>,
  ) {
    this.modules = modules;
    this.signature = signature;
    this.form = form;
    this.block = block;
    this.number = block.take(this);
    this.reference = block.pointer + this.number;
    this.#chargesPointer = writeCharges(modules.memory, form.charges);
    this.#ids = ids;
    this.isBlank = block.takeBlank(this.number);
    this.#describe();
  }

  get lastUse(): number {
    return this.lastRun;
  }

  get feasibleNodes(): number {
    return this.block.view.getInt32(FIELD.feasible + this.number * 4, true);
  }

  /** The best total; -1 if the signature fits nowhere. */
  get bestTotal(): number {
    return this.block.bestTotal(this.number);
  }

  /** Returns the total of the node in a slot, as the block has it; -1 if the signature does not fit there. */
  totalAt(slot: number): number {
    return this.block.rows?.totalAt(this.number, slot) ?? -1;
  }

  get hasTables(): boolean {
    return this.#tables !== null;
  }

  /** The number of feasible nodes by verdict id, if the column counts them. */
  counts(): Int32Array {
    return this.#tables?.counts ?? NO_COUNTS;
  }

  /** Sets totals by verdict id; returns whether they have changed. A change of the number of ids clears the counts. */
  setTotals(totals: Int16Array): boolean {
    let tables = this.#tables;
    if (tables === null || tables.totals.length !== totals.length) tables = this.#makeTables(totals.length);
    else if (totals.every((total, id) => total === tables?.totals[id])) return false;
    tables.totals.set(totals);
    return true;
  }

  /** Sets whether feasible nodes are counted by verdict id. */
  setTracked(isTracked: boolean): void {
    this.block.setBit(FIELD.tracked, this.number, isTracked);
  }

  /** Called when rows were written without an entry in the log of nodes. */
  rowsChanged(): void {}

  /** Adds to a program what writes the totals, into a column or into the block, whose tree is left as it is. */
  planTotals(program: Program, out?: Column<'i32'>): void {
    const { env } = this.modules;
    const { block, number } = this;
    if (out !== undefined) program.scanTotals(env.pointer, block.pointer, number, out, 0, SCAN_STRIDE);
    else if (block.rows !== null) {
      program.scanTotals(env.pointer, block.pointer, number, block.rows, number * 2, ROW_STRIDE);
    }
  }

  /** Adds to a program what writes the totals and counts feasible nodes, for `takeScan`. */
  planScan(program: Program, out?: Column<'i32'>): void {
    const { block, number } = this;
    this.planTotals(program, out);
    const { pointer, stride } = this.totalsIn(out);
    const idCount = this.#tables?.counts.length ?? 0;
    this.#isCounted = block.hasBit(FIELD.tracked, number);
    if (!this.#isCounted) this.#register = program.countTotals(block.pointer, number, pointer, stride);
    else if (idCount > HISTOGRAM_SIZE) this.#register = null;
    else this.#register = program.countVerdicts(block.pointer, number, pointer, stride);
  }

  /**
   * Takes the counts of the program that has run; returns whether they give other totals. A column that does not
   * normalise itself is left dirty, for whoever does.
   */
  takeScan(program: Program, out?: Column<'i32'>): boolean {
    const { kernels, env } = this.modules;
    const { block, number } = this;
    const counts = this.counts().fill(0);
    block.setBit(FIELD.dirty, number, this.#isCounted);
    let feasible: number;
    if (this.#register === null) {
      const { pointer, stride } = this.totalsIn(out);
      feasible = kernels.countTotals(block.pointer, number, pointer, stride, 0, env.slots);
    } else if (this.#isCounted) {
      counts.set(program.histogram(this.#register).subarray(0, counts.length));
      feasible = counts.reduce((sum, count) => sum + count, 0);
    } else feasible = program.number(this.#register);
    block.view.setInt32(FIELD.feasible + number * 4, feasible, true);
    return false;
  }

  /** The place of the totals in the given column, or in the block. */
  totalsIn(column?: Column<'i32'>): Totals {
    if (column !== undefined) return { pointer: column.pointer, stride: SCAN_STRIDE };
    return { pointer: (this.block.rows?.pointer ?? 0) + this.number * 2, stride: ROW_STRIDE };
  }

  release(): void {
    const { memory } = this.modules;
    this.block.vacate(this.number, this.form.holders);
    this.isReleased = true;
    this.#freeTables();
    memory.free(this.#chargesPointer, this.form.charges.length * CHARGE_BYTES);
  }

  /** Writes all but the verdict ids, which are written with the tables in which kernels look them up. */
  #describe(): void {
    const { block, number, signature, form } = this;
    const { view } = block;
    const list = (field: number, { pointer, count }: { readonly pointer: number; readonly count: number }): void => {
      view.setUint32(field + number * 4, pointer, true);
      view.setInt32(field + 32 + number * 4, count, true);
    };
    block.describe(number, form.requests, form.fitWeight, form.balancedWeight);
    list(FIELD.filterEntries, signature.filterEntries);
    list(FIELD.fitEntries, signature.fitScoreEntries);
    list(FIELD.balancedEntries, signature.balancedEntries);
    list(FIELD.extraEntries, form.extraEntries);
    list(FIELD.charges, { pointer: this.#chargesPointer, count: form.charges.length });
    block.setBit(FIELD.extras, number, form.extraEntries.count > 0);
  }

  /**
   * Makes tables for this many verdict ids. Until the first tables are made, kernels take the totals column for a
   * vacant one.
   */
  #makeTables(idCount: number): Tables {
    const tables = this.#allocateTables(idCount);
    this.#freeTables();
    this.#tables = tables;
    const { block, number } = this;
    block.view.setUint32(FIELD.totals + number * 4, tables.totals.byteOffset, true);
    block.view.setUint32(FIELD.counts + number * 4, tables.counts.byteOffset, true);
    block.view.setInt32(FIELD.idCount + number * 4, idCount, true);
    block.view.setUint32(FIELD.ids + number * 4, this.#ids.pointer, true);
    block.setBit(FIELD.used, number, true);
    return tables;
  }

  /** Throws OutOfMemoryError and changes nothing if there is no room. */
  #allocateTables(idCount: number): Tables {
    const { memory } = this.modules;
    const totalsBytes = idCount * Int16Array.BYTES_PER_ELEMENT;
    const totals = memory.allocate(totalsBytes, 'totals by verdict id');
    let counts: number;
    try {
      counts = memory.allocate(idCount * Int32Array.BYTES_PER_ELEMENT, 'counts by verdict id');
    } catch (error) {
      memory.free(totals, totalsBytes);
      throw error;
    }
    const { buffer } = memory.memory;
    return { totals: new Int16Array(buffer, totals, idCount), counts: new Int32Array(buffer, counts, idCount) };
  }

  #freeTables(): void {
    if (this.#tables === null) return;
    const { memory } = this.modules;
    const { totals, counts } = this.#tables;
    memory.free(totals.byteOffset, totals.byteLength);
    memory.free(counts.byteOffset, counts.byteLength);
    this.#tables = null;
  }
}
