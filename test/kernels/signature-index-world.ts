import { COLUMNS, FIELD, STOP } from '../../src/engine/index/layout.ts';
import { NodeEnv } from '../../src/engine/index/node-env.ts';
import { TotalsBlock } from '../../src/engine/index/totals-block.ts';
import type { TotalsRows } from '../../src/engine/index/totals-rows.ts';
import type { SearchWindow } from '../../src/framework/node-search.ts';
import type { Kernels } from '../../src/kernels/abi.ts';
import type { KernelKind } from '../../src/kernels/load.ts';
import { Program } from '../../src/kernels/program.ts';
import type { Column } from '../../src/memory/column-table.ts';
import { NodeColumns } from '../../src/memory/node-columns.ts';
import { NodeResourcesFit } from '../../src/plugins/node-resources/fit.ts';
import { InlineRunner } from '../../src/pool/inline-runner.ts';
import { guardedKernels } from '../guard/guarded-kernels.ts';
import { GuardedMemory } from '../guard/guarded-memory.ts';
import { allocateArray, ColumnWriter, scaleTotals, type WrittenColumn } from './signature-index-columns.ts';
import {
  type ModelNode,
  type ModelResult,
  type ModelRules,
  type ModelSignature,
  RESOURCES,
} from './signature-index-model.ts';

const VERDICTS = 2;
const RESULT_WORDS = 3;
const ROW_BYTES = 16;
const MOST_PODS = 64;

export interface WorldOptions {
  readonly rules: ModelRules;
  readonly signatures: readonly ModelSignature[];
  readonly nodes: readonly ModelNode[];
  /** Smaller is earlier; not by slot: slots were used again. */
  readonly order: readonly number[];
  /** Whether the blocks are of the standard form. */
  readonly isStandard: boolean;
}

/** What a search over part of the nodes comes to. */
export interface Found {
  readonly total: number;
  readonly ties: readonly number[];
  readonly first: number;
  readonly found: number;
  readonly processed: number;
  readonly root: number;
}

/** The signature index as its host drives it, with signatures that are described by hand. */
export class SignatureIndexWorld {
  readonly kernels: Kernels;
  /** Kernels must keep to what is theirs in it. */
  readonly memory = new GuardedMemory();
  readonly env: NodeEnv;
  readonly blocks: readonly TotalsBlock[];
  /** How often a block had fallen so far behind that it was scanned anew, and a column's maximum was another. */
  rescans = 0;
  renormalizations = 0;
  /** Node verdicts in which some node has another id than before. */
  readonly #changedVerdicts = new Set<number>();
  readonly #columns = new NodeColumns(this.memory);
  readonly #written: readonly WrittenColumn[];
  readonly #slotCount: number;
  readonly #verdictIds: readonly Column<'u16'>[];
  readonly #queued: Int32Array;
  readonly #results: Int32Array;
  readonly #scanned: Int16Array;
  readonly #listed: Int32Array;
  readonly #snapshot: Int32Array;

  constructor(kind: KernelKind, { rules, signatures, nodes, order, isStandard }: WorldOptions) {
    const { memory } = this;
    this.kernels = guardedKernels(kind, memory);
    this.#slotCount = nodes.length;
    this.#columns.table.reserve(nodes.length);
    this.#columns.resource('gpu');
    this.#verdictIds = Array.from({ length: VERDICTS }, () => this.#columns.table.add('u16'));
    const fit = new NodeResourcesFit({ scoringStrategy: rules.strategy });
    this.env = new NodeEnv({ kernels: this.kernels, memory, columns: this.#columns }, fit.resourceScore);
    if (order.some((place, slot) => place !== slot)) for (const slot of [1, 0]) this.env.nodeCame(slot);
    this.#columns.fixed.order.values.set(order);
    this.#queued = allocateArray(memory, Int32Array, MOST_PODS * 3);
    this.#results = allocateArray(memory, Int32Array, MOST_PODS * RESULT_WORDS);
    this.#scanned = allocateArray(memory, Int16Array, nodes.length);
    this.#listed = allocateArray(memory, Int32Array, nodes.length);
    this.#snapshot = allocateArray(memory, Int32Array, nodes.length);
    nodes.forEach((node, slot) => {
      this.setNode(slot, node);
    });
    this.env.renew(nodes.length);
    this.blocks = this.#makeBlocks(signatures.length, isStandard);
    const writer = new ColumnWriter(memory, this.#columns, rules, this.#verdictIds);
    this.#written = signatures.map((of, i) => {
      const block = this.blocks[i % this.blocks.length] as TotalsBlock;
      const number = Math.floor(i / this.blocks.length);
      // One column of each block stays empty, and it is not the last.
      return writer.write(of, block, number < 3 ? number : number + 1);
    });
    for (const block of this.blocks) this.rescan(block);
    this.rescans = 0;
  }

  get rowCount(): number {
    return this.#columns.table.capacity;
  }

  setNode(slot: number, { allocatable, requested, nonZero, verdictIds }: ModelNode): void {
    const columns = this.#columns;
    for (const name of RESOURCES) {
      columns.setAmount(columns.resource(name).allocatable, slot, allocatable[name]);
      columns.setAmount(columns.resource(name).requested, slot, requested[name]);
    }
    columns.setAmount(columns.fixed.nonZeroMilliCPU, slot, nonZero.cpu);
    columns.setAmount(columns.fixed.nonZeroMemoryBytes, slot, nonZero.memory);
    this.#verdictIds.forEach((column, verdicts) => {
      if (column.values[slot] !== verdictIds[verdicts]) this.#changedVerdicts.add(verdicts);
      column.values[slot] = verdictIds[verdicts] ?? 0;
    });
    this.env.touch(slot, this.#slotCount);
  }

  /** Counts by verdict id cannot follow a node whose id changes: such totals columns are scanned anew. */
  #refresh(): void {
    for (const column of this.#written) {
      if (column.of.raw === null || !this.#changedVerdicts.has(column.of.verdicts)) continue;
      this.#scanRows(column);
      this.kernels.buildTree(column.block.pointer, 1, this.rowCount);
    }
    this.#changedVerdicts.clear();
  }

  /** Pods of these signatures, each perhaps for one slot only, up to the first that fits nowhere. */
  place(signatures: readonly number[], only: readonly number[] = []): ModelResult[] {
    this.#refresh();
    const referenceOf = (of: number): number => this.#columnOf(of).block.pointer + this.#columnOf(of).number;
    this.#queued.set(signatures.flatMap((of, i) => [referenceOf(of), only[i] ?? -1, 0]));
    let placed = 0;
    while (placed < signatures.length) {
      placed += this.kernels.placePods(
        this.env.pointer,
        this.#queued.byteOffset + placed * 12,
        signatures.length - placed,
        this.#results.byteOffset + placed * RESULT_WORDS * 4,
      );
      if (this.env.stopReason === STOP.none || this.env.stopReason === STOP.infeasible) break;
      const column = this.#columnOf(signatures[placed] as number);
      if (this.env.stopReason === STOP.stale) this.rescan(column.block);
      else this.#renormalize(column);
    }
    return Array.from({ length: placed }, (_, i) => {
      const [slot = -1, total = -1, feasibleNodes = -1] = this.#results.subarray(i * RESULT_WORDS);
      return { slot, total, feasibleNodes };
    });
  }

  /** A pod goes to a node that was chosen otherwise. */
  charge(of: number, slot: number): void {
    this.kernels.chargeNode(this.env.pointer, this.#columnOf(of).block.pointer, this.#columnOf(of).number, slot);
  }

  /** Brings all blocks up to date. */
  sync(): void {
    this.#refresh();
    for (const block of this.blocks) {
      if (!this.kernels.syncBlock(this.env.pointer, block.pointer)) this.rescan(block);
    }
    for (const column of this.#written) if (column.block.hasBit(FIELD.dirty, column.number)) this.#renormalize(column);
  }

  /** Reads the totals from the rows, up to the end of the table. */
  totals(of: number): number[] {
    const { block, number } = this.#columnOf(of);
    const rows = new Int16Array(this.memory.memory.buffer, rowsOf(block), this.rowCount * COLUMNS);
    return Array.from({ length: this.rowCount }, (_, slot) => rows[slot * COLUMNS + number] ?? 0);
  }

  bestTotal(of: number): number {
    return this.#columnOf(of).block.bestTotal(this.#columnOf(of).number);
  }

  feasibleNodes(of: number): number {
    return this.#columnOf(of).block.view.getInt32(FIELD.feasible + this.#columnOf(of).number * 4, true);
  }

  /** Feasible nodes by verdict id. */
  counts(of: number): number[] {
    return [...this.#columnOf(of).counts];
  }

  /** What a search over these slots finds, by totals that stand in the rows, or (`isScan`) are computed on the way. */
  search(of: number, snapshot: readonly number[], { start, wanted }: SearchWindow, isScan: boolean): Found {
    const { kernels, env } = this;
    const { block, number } = this.#columnOf(of);
    const { pointer: order } = this.#columns.fixed.order;
    this.#snapshot.set(snapshot);
    const totals = isScan ? this.#scanned.byteOffset : rowsOf(block) + number * 2;
    kernels.selectInWindow(
      ...([env.pointer, block.pointer, number, totals, isScan ? 2 : ROW_BYTES] as const),
      ...([this.#snapshot.byteOffset, snapshot.length, start, wanted, order, this.#slotCount] as const),
      ...([this.#listed.byteOffset, this.#results.byteOffset] as const),
    );
    const [total = -1, ties = 0, first = -1, found = 0, processed = 0, root = -1] = this.#results;
    return { total, ties: [...this.#listed.subarray(0, ties)], first, found, processed, root };
  }

  /** Upstream's choice when all of these slots are seen; by the rows. */
  rootOfTies(of: number, snapshot: readonly number[], start: number, best: number): number {
    const { block, number } = this.#columnOf(of);
    this.#snapshot.set(snapshot);
    const totals = rowsOf(block) + number * 2;
    return this.kernels.rootOfTies(totals, ROW_BYTES, this.#snapshot.byteOffset, snapshot.length, start, best);
  }

  /** The totals of a range, over -7 everywhere; and how many of all of them the kernel counts in that range. */
  scan(of: number, from: number, to: number): { readonly totals: number[]; readonly feasible: number } {
    const { kernels } = this;
    const { block, number, counts } = this.#columnOf(of);
    const { byteOffset } = this.#scanned.fill(-7);
    kernels.scanTotals(this.env.pointer, block.pointer, number, byteOffset, 2, from, to);
    const totals = [...this.#scanned];
    const before = [...counts];
    const feasible = kernels.countTotals(block.pointer, number, byteOffset, 2, from, to);
    counts.set(before);
    return { totals, feasible };
  }

  listBest(of: number): number[] {
    const { block, number } = this.#columnOf(of);
    return [
      ...this.#listed.subarray(
        0,
        this.kernels.listBest(block.pointer, number, this.#listed.byteOffset, this.#listed.length),
      ),
    ];
  }

  rescan(block: TotalsBlock): void {
    this.rescans++;
    block.view.setBigInt64(FIELD.cursor, this.env.logEnd, true);
    for (const column of this.#written) if (column.block === block) this.#scanRows(column);
    this.kernels.buildTree(block.pointer, 1, this.rowCount);
  }

  #scanRows(column: WrittenColumn): void {
    const { block, number, counts, of } = column;
    const rows = rowsOf(block) + number * 2;
    counts.fill(0);
    block.setBit(FIELD.dirty, number, false);
    this.kernels.scanTotals(this.env.pointer, block.pointer, number, rows, 16, 0, this.#slotCount);
    const feasible = this.kernels.countTotals(block.pointer, number, rows, 16, 0, this.#slotCount);
    block.view.setInt32(FIELD.feasible + number * 4, feasible, true);
    if (of.raw === null) return;
    scaleTotals(column);
    this.kernels.scanTotals(this.env.pointer, block.pointer, number, rows, 16, 0, this.#slotCount);
  }

  #renormalize(column: WrittenColumn): void {
    this.renormalizations++;
    const { block, number } = column;
    block.setBit(FIELD.dirty, number, false);
    scaleTotals(column);
    const rows = rowsOf(block) + number * 2;
    this.kernels.scanTotals(this.env.pointer, block.pointer, number, rows, 16, 0, this.#slotCount);
    this.kernels.buildTree(block.pointer, 1, this.rowCount);
  }

  #makeBlocks(signatureCount: number, isStandard: boolean): TotalsBlock[] {
    const { kernels, memory, env, rowCount } = this;
    const rejection = allocateArray(memory, Int16Array, 1).fill(-1);
    const empty = { ids: this.#columns.table.add('u16').pointer, totals: rejection.byteOffset };
    const pool = {
      runner: new InlineRunner({ memory, kernels }),
      program: new Program(memory),
      maxima: new Program(memory),
    };
    return Array.from(
      { length: Math.ceil(signatureCount / (COLUMNS - 1)) },
      () => new TotalsBlock({ kernels, memory, env, empty, ...pool }, isStandard, rowCount),
    );
  }

  #columnOf(of: number): WrittenColumn {
    return this.#written[of] as WrittenColumn;
  }
}

function rowsOf({ rows }: TotalsBlock): number {
  return (rows as TotalsRows).pointer;
}
