/** Signatures written by hand into blocks of the signature index, as src/engine/index/layout.ts draws them. */

import { CHARGE_BYTES, FIELD } from '../../src/engine/index/layout.ts';
import { ResourceEntries, type ResourceEntry } from '../../src/engine/index/resource-entries.ts';
import type { TotalsBlock } from '../../src/engine/index/totals-block.ts';
import type { Column } from '../../src/memory/column-table.ts';
import type { NodeColumns } from '../../src/memory/node-columns.ts';
import type { SharedMemory } from '../../src/memory/shared-memory.ts';
import { type ModelRules, type ModelSignature, type Resource, scaled } from './signature-index-model.ts';

export interface WrittenColumn {
  readonly of: ModelSignature;
  readonly block: TotalsBlock;
  readonly number: number;
  /** The totals by the verdict id of the node. */
  readonly totals: Int16Array;
  readonly counts: Int32Array;
}

interface ArrayType<T> {
  new (buffer: SharedArrayBuffer, pointer: number, length: number): T;
  readonly BYTES_PER_ELEMENT: number;
}

export function allocateArray<T>(memory: SharedMemory, type: ArrayType<T>, length: number): T {
  // The pointer comes first: to allocate may replace the buffer by a longer one.
  const pointer = memory.allocate(length * type.BYTES_PER_ELEMENT);
  return new type(memory.memory.buffer, pointer, length);
}

/** The totals by verdict id, once it is known which ids feasible nodes have. */
export function scaleTotals({ of: { raw }, totals, counts }: WrittenColumn): void {
  if (raw === null) return;
  const max = Math.max(0, ...raw.filter((_, id) => (counts[id] ?? 0) > 0));
  raw.forEach((value, id) => {
    totals[id] = id === 0 ? -1 : scaled(value, max);
  });
}

export class ColumnWriter {
  readonly #memory: SharedMemory;
  readonly #columns: NodeColumns;
  readonly #rules: ModelRules;
  /** The columns of verdict ids, by the number of the verdicts. */
  readonly #verdictIds: readonly Column<'u16'>[];

  constructor(memory: SharedMemory, columns: NodeColumns, rules: ModelRules, verdictIds: readonly Column<'u16'>[]) {
    this.#memory = memory;
    this.#columns = columns;
    this.#rules = rules;
    this.#verdictIds = verdictIds;
  }

  write(of: ModelSignature, block: TotalsBlock, number: number): WrittenColumn {
    const { view } = block;
    this.#writeRequests(of, block, number);
    this.#writeLists(of, block, number);
    const totals = allocateArray(this.#memory, Int16Array, of.totals.length);
    const counts = allocateArray(this.#memory, Int32Array, of.totals.length);
    totals.set(of.totals);
    view.setUint32(FIELD.ids + number * 4, this.#verdictIds[of.verdicts]?.pointer ?? 0, true);
    view.setUint32(FIELD.totals + number * 4, totals.byteOffset, true);
    view.setUint32(FIELD.counts + number * 4, counts.byteOffset, true);
    view.setInt32(FIELD.idCount + number * 4, of.totals.length, true);
    block.setBit(FIELD.used, number, true);
    block.setBit(FIELD.extras, number, of.gpu !== undefined);
    block.setBit(FIELD.tracked, number, of.raw !== null);
    return { of, block, number, totals, counts };
  }

  #writeRequests(
    { requests, scored, fitWeight, balancedWeight }: ModelSignature,
    block: TotalsBlock,
    column: number,
  ): void {
    const unfiltered = Number.NEGATIVE_INFINITY;
    const rows = [
      ...[requests.cpu ?? unfiltered, requests.memory ?? unfiltered],
      ...[scored.cpu, scored.memory],
      ...[requests.cpu ?? 0, requests.memory ?? 0],
    ];
    block.describe(column, rows, fitWeight, balancedWeight);
  }

  #writeLists(of: ModelSignature, { view }: TotalsBlock, column: number): void {
    const { requests, scored, gpu } = of;
    const { nonZeroMilliCPU, nonZeroMemoryBytes } = this.#columns.fixed;
    const extras = gpu === undefined ? [] : [this.#entry('gpu', gpu)];
    const filters = [
      this.#entry('pods', 1),
      ...(requests.cpu === undefined ? [] : [this.#entry('cpu', requests.cpu)]),
      ...(requests.memory === undefined ? [] : [this.#entry('memory', requests.memory)]),
    ];
    const scores = [
      { ...this.#entry('cpu', scored.cpu), requested: nonZeroMilliCPU },
      { ...this.#entry('memory', scored.memory), requested: nonZeroMemoryBytes },
      ...(this.#rules.strategy.resources.some(({ name }) => name === 'gpu') ? extras : []),
    ];
    const balanced = [this.#entry('cpu', requests.cpu ?? 0), this.#entry('memory', requests.memory ?? 0)];
    const list = (field: number, pointer: number, count: number): void => {
      view.setUint32(field + column * 4, pointer, true);
      view.setInt32(field + 32 + column * 4, count, true);
    };
    const entries = (field: number, all: readonly ResourceEntry[]): void =>
      list(field, new ResourceEntries(this.#memory, all).pointer, all.length);
    entries(FIELD.filterEntries, [...filters, ...extras]);
    entries(FIELD.fitEntries, scores);
    entries(FIELD.balancedEntries, balanced);
    entries(FIELD.extraEntries, extras);
    const charges = this.#charges(of);
    list(FIELD.charges, this.#writeCharges(charges), charges.length);
  }

  #entry(resource: Resource, podRequest: number): ResourceEntry {
    const { resources } = this.#rules.strategy;
    const weight = resources.find(({ name }) => name === resource)?.weight ?? 0;
    return { ...this.#columns.resource(resource), podRequest, weight };
  }

  #charges({ requests, scored, gpu = 0 }: ModelSignature): (readonly [Column<'f64'>, number])[] {
    const columns = this.#columns;
    return [
      [columns.resource('pods').requested, 1],
      [columns.resource('cpu').requested, requests.cpu ?? 0],
      [columns.resource('memory').requested, requests.memory ?? 0],
      [columns.resource('gpu').requested, gpu],
      [columns.fixed.nonZeroMilliCPU, scored.cpu],
      [columns.fixed.nonZeroMemoryBytes, scored.memory],
    ];
  }

  #writeCharges(charges: readonly (readonly [Column<'f64'>, number])[]): number {
    const pointer = this.#memory.allocate(charges.length * CHARGE_BYTES);
    const list = new DataView(this.#memory.memory.buffer, pointer, charges.length * CHARGE_BYTES);
    charges.forEach(([column, amount], i) => {
      list.setUint32(i * CHARGE_BYTES, column.pointer, true);
      list.setFloat64(i * CHARGE_BYTES + 8, amount, true);
    });
    return pointer;
  }
}
