import type { Int64 } from '../lib/int64.ts';
import { type Column, ColumnTable, type ElementType } from './column-table.ts';
import { LARGEST_EXACT_SCORE_OPERAND, NODE_COLUMNS, STANDARD_RESOURCES } from './layout.ts';
import type { SharedMemory } from './shared-memory.ts';

export interface ResourceColumns {
  readonly allocatable: Column<'f64'>;
  readonly requested: Column<'f64'>;
}

type FixedColumns = { readonly [Name in keyof typeof NODE_COLUMNS]: Column<(typeof NODE_COLUMNS)[Name]> };

/**
 * The allocatable and requested resources of nodes, as columns that kernels read. The host writes whole rows, except
 * for the columns that `touchNode` derives; `placePods` and `chargeNode` add the requests of a placed pod to a row.
 */
export class NodeColumns {
  readonly table: ColumnTable;
  readonly fixed: FixedColumns;
  readonly #resources = new Map<string, ResourceColumns>();
  /** The slots with an amount that is not exact as a double. While there are any, kernels must not be used. */
  readonly #inexact = new Map<Column<'f64'>, Set<number>>();
  #large = false;
  #largest = 0;
  #snapshotOrder: Int32Array | null = null;

  constructor(memory: SharedMemory) {
    this.table = new ColumnTable(memory);
    const entries = Object.entries(NODE_COLUMNS) as [string, ElementType][];
    this.fixed = Object.fromEntries(entries.map(([name, type]) => [name, this.table.add(type, name)])) as FixedColumns;
    for (const name of STANDARD_RESOURCES) this.resource(name);
  }

  /** The columns of a resource, which are added when they are first used. */
  resource(name: string): ResourceColumns {
    let columns = this.#resources.get(name);
    if (columns === undefined) {
      columns = {
        allocatable: this.table.add('f64', `allocatable ${name}`),
        requested: this.table.add('f64', `requested ${name}`),
      };
      this.#resources.set(name, columns);
    }
    return columns;
  }

  /** Whether the resource has columns. */
  has(name: string): boolean {
    return this.#resources.has(name);
  }

  resourceNames(): Iterable<string> {
    return this.#resources.keys();
  }

  /** Whether an amount is beyond 2^53, so that only the reference engine can decide. */
  get isInexact(): boolean {
    return this.#inexact.size > 0;
  }

  /** Whether an amount is (or once was) so large that score kernels must use 64-bit integers. */
  get needsExactScores(): boolean {
    return this.#large;
  }

  /** The largest amount that a node has or had, and so the largest operand of a score. */
  get largestAmount(): number {
    return this.#largest;
  }

  setAmount(column: Column<'f64'>, slot: number, amount: Int64): void {
    const value = Number(amount);
    column.values[slot] = value;
    if (value > this.#largest) this.#largest = value;
    if (typeof amount === 'bigint') this.#markInexact(column, slot);
    else if (this.#inexact.size > 0) this.#markExact(column, slot);
    if (amount > LARGEST_EXACT_SCORE_OPERAND) this.#large = true;
  }

  /** The column of slots in snapshot order, which is copied from `order` if this is another array than before. */
  snapshotOrder(order: Int32Array): Column<'i32'> {
    if (this.#snapshotOrder !== order) {
      this.fixed.snapshotOrder.values.set(order);
      this.#snapshotOrder = order;
    }
    return this.fixed.snapshotOrder;
  }

  /** Clears the row of a slot without a node. */
  clear(slot: number): void {
    for (const { allocatable, requested } of this.#resources.values()) {
      this.setAmount(allocatable, slot, 0);
      this.setAmount(requested, slot, 0);
    }
    this.setAmount(this.fixed.nonZeroMilliCPU, slot, 0);
    this.setAmount(this.fixed.nonZeroMemoryBytes, slot, 0);
  }

  #markInexact(column: Column<'f64'>, slot: number): void {
    const slots = this.#inexact.get(column);
    if (slots !== undefined) slots.add(slot);
    else this.#inexact.set(column, new Set([slot]));
  }

  #markExact(column: Column<'f64'>, slot: number): void {
    const slots = this.#inexact.get(column);
    slots?.delete(slot);
    if (slots?.size === 0) this.#inexact.delete(column);
  }
}
