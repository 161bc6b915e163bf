import type { Kernels } from '../../kernels/abi.ts';
import type { Program } from '../../kernels/program.ts';
import { HISTOGRAM_SIZE } from '../../kernels/registers.ts';
import type { Column } from '../../memory/column-table.ts';
import type { SharedMemory } from '../../memory/shared-memory.ts';
import type { TaskRunner } from '../../pool/task-runner.ts';
import { FIELD } from './layout.ts';
import type { NodeEnv } from './node-env.ts';
import type { PodSignature } from './pod-signature.ts';
import type { TotalsBlock } from './totals-block.ts';
import type { TotalsForm } from './totals-form.ts';

/** Bytes between the totals in a block, and in a column of their own: i16 side by side. */
const ROW_STRIDE = 16;
const SCAN_STRIDE = 2;

/** Where totals stand, `stride` bytes apart. */
export interface Totals {
  readonly pointer: number;
  readonly stride: number;
}

export interface TotalsColumnModules {
  readonly kernels: Kernels;
  readonly memory: SharedMemory;
  readonly env: NodeEnv;
  /** Who scans all nodes for a pod, with whoever helps. */
  readonly runner: TaskRunner;
  readonly program: Program;
}

/** By verdict id of node, in shared memory. */
interface Tables {
  readonly totals: Int16Array<SharedArrayBuffer>;
  readonly counts: Int32Array<SharedArrayBuffer>;
}

const NO_COUNTS = new Int32Array(0);

/**
 * The totals of one pod signature in a block, and what the kernels need to know to compute them: its requests, which
 * verdict id of each slot, and what nodes with each id get outside the resource kernels (-1: they are rejected).
 */
export class TotalsColumn {
  readonly signature: PodSignature;
  readonly form: TotalsForm;
  readonly block: TotalsBlock;
  readonly number: number;
  /** How the kernels call it. */
  readonly reference: number;
  /** The run that used it last. */
  lastRun = 0;
  isReleased = false;
  protected readonly modules: TotalsColumnModules;
  readonly #chargesPointer: number;
  readonly #ids: Column<'u16'>;
  #tables: Tables | null = null;
  /** Where a scan counts; null: nowhere, there are too many verdict ids. */
  #register: number | null = null;
  /** Whether it counts by verdict id. */
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
    this.number = block.freeColumn;
    this.reference = block.pointer + this.number;
    this.#chargesPointer = form.writeCharges(modules.memory);
    this.#ids = ids;
    block.columns[this.number] = this;
    this.#describe();
  }

  get feasibleNodes(): number {
    return this.block.view.getInt32(FIELD.feasible + this.number * 4, true);
  }

  /** The best total; -1 when the signature fits nowhere. */
  get bestTotal(): number {
    return this.block.bestTotal(this.number);
  }

  /** Returns the total of the node in a slot, as the block has it; -1 if the signature does not fit there. */
  totalAt(slot: number): number {
    return this.block.totalAt(this.number, slot);
  }

  get hasTables(): boolean {
    return this.#tables !== null;
  }

  /** Feasible nodes by verdict id, of a totals column that counts them. */
  counts(): Int32Array {
    return this.#tables?.counts ?? NO_COUNTS;
  }

  /** Sets totals by verdict id; false if they are as they were. Counts are lost when there are more ids than before. */
  setTotals(totals: Int16Array): boolean {
    let tables = this.#tables;
    if (tables === null || tables.totals.length !== totals.length) tables = this.#makeTables(totals.length);
    else if (totals.every((total, id) => total === tables?.totals[id])) return false;
    tables.totals.set(totals);
    return true;
  }

  /** Whether feasible nodes are counted by verdict id. */
  setTracked(isTracked: boolean): void {
    this.block.setBit(FIELD.tracked, this.number, isTracked);
  }

  /** Writes what computes the totals: into the block, where the tree above is left as it is, or into a column. */
  planTotals(program: Program, out?: Column<'i32'>): void {
    const { env } = this.modules;
    const { block, number } = this;
    if (out !== undefined) program.scanTotals(env.pointer, block.pointer, number, out, 0, SCAN_STRIDE);
    else if (block.rows !== null) {
      program.scanTotals(env.pointer, block.pointer, number, block.rows, number * 2, ROW_STRIDE);
    }
  }

  /** Writes what counts feasible nodes too; `takeScan` reads it. */
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

  /** After the program has run; true when totals are others by what it has found. */
  takeScan(program: Program, out?: Column<'i32'>): boolean {
    const { kernels, env } = this.modules;
    const { block, number } = this;
    const counts = this.counts().fill(0);
    block.setBit(FIELD.dirty, number, false);
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

  /** Of the column, or of the block. */
  totalsIn(column?: Column<'i32'>): Totals {
    if (column !== undefined) return { pointer: column.pointer, stride: SCAN_STRIDE };
    return { pointer: (this.block.rows?.pointer ?? 0) + this.number * 2, stride: ROW_STRIDE };
  }

  release(): void {
    const { memory } = this.modules;
    this.block.vacate(this.number);
    this.isReleased = true;
    this.#freeTables();
    memory.free(this.#chargesPointer, this.form.chargeBytes);
  }

  /** All but the verdict ids of the nodes: those come with the tables that they are looked up in. */
  #describe(): void {
    const { block, number, signature, form } = this;
    const { view } = block;
    const list = (field: number, { pointer, count }: { readonly pointer: number; readonly count: number }): void => {
      view.setUint32(field + number * 4, pointer, true);
      view.setInt32(field + 32 + number * 4, count, true);
    };
    form.requests.forEach((request, row) => {
      view.setFloat64(FIELD.requests + row * 64 + number * 8, request, true);
    });
    view.setFloat64(FIELD.fitWeights + number * 8, form.fitWeight, true);
    view.setFloat64(FIELD.balancedWeights + number * 8, form.balancedWeight, true);
    list(FIELD.filterEntries, signature.filterEntries);
    list(FIELD.fitEntries, signature.fitScoreEntries);
    list(FIELD.balancedEntries, signature.balancedEntries);
    list(FIELD.extraEntries, form.extraEntries);
    list(FIELD.charges, { pointer: this.#chargesPointer, count: form.chargeCount });
    block.setBit(FIELD.extras, number, form.extraEntries.count > 0);
  }

  /**
   * From its first tables on the totals column looks at verdict ids; with none, the kernels take it for one without a
   * signature.
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

  /** Throws OutOfMemoryError with nothing changed. */
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
