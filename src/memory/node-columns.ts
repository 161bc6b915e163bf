import { getOrMake } from '../lib/get-or-make.ts';
import type { Int64 } from '../lib/int64.ts';
import { type Column, ColumnTable, type ElementType } from './column-table.ts';
import { DERIVED_COLUMNS, LARGEST_EXACT_SCORE_OPERAND, NODE_COLUMNS, STANDARD_RESOURCES } from './layout.ts';
import type { SharedMemory } from './shared-memory.ts';

export interface ResourceColumns {
  readonly allocatable: Column<'f64'>;
  readonly requested: Column<'f64'>;
}

/** The amounts of one resource on a node. */
interface Amounts {
  allocatable: Int64;
  requested: Int64;
}

/** A resource that few nodes have, such as the devices of one vendor: it has columns only while a pod is compared. */
interface RareResource {
  readonly name: string;
  /** The slots that have or had an amount. The amounts are not kept up to date while there are columns. */
  readonly holders: Map<number, Amounts>;
  columns: ResourceColumns | null;
  /** The number of readers that hold the columns. */
  readers: number;
}

/** A resource with more holders than this is common, and has columns for good. */
const MOST_HOLDERS = 64;
/** The most columns without amounts that are kept for the next rare resource. */
const MOST_SPARES = 16;
const NO_LIMIT = Number.POSITIVE_INFINITY;

type Columns<Types extends Record<string, ElementType>> = { readonly [Name in keyof Types]: Column<Types[Name]> };
type FixedColumns = Columns<typeof NODE_COLUMNS>;
type DerivedColumns = Columns<typeof DERIVED_COLUMNS>;

/**
 * The allocatable and requested resources of nodes, as columns that kernels read. The host writes whole rows, but the
 * derived columns are written by `deriveNodes` and `touchNode`; `placePods` and `chargeNode` add the requests of a
 * placed pod to a row.
 */
export class NodeColumns {
  readonly table: ColumnTable;
  readonly fixed: FixedColumns;
  #derived: DerivedColumns | null = null;
  /** The columns of all resources that are not rare. */
  readonly #common = new Map<string, ResourceColumns>();
  /** Their names in the same order, which are read for every node that comes. */
  readonly #commonNames: string[] = [];
  readonly #rare = new Map<string, RareResource>();
  /** The names of the rare resources of which the slot is a holder. */
  readonly #rareAt = new Map<number, Set<string>>();
  /** The rare resources with columns, by the column of what is allocatable. */
  readonly #rareByColumn = new Map<Column, RareResource>();
  /** Columns of rare resources that nobody reads any more, with 0 in every row. */
  readonly #spares: ResourceColumns[] = [];
  /** What is allocatable of common resources, without limit where there is none of them: see `resourceOrDevices`. */
  readonly #orDevices = new Map<string, Column<'f64'>>();
  /** The slots with an amount that is not exact as a double. While there are any, kernels must not be used. */
  readonly #inexact = new Map<Column<'f64'>, Set<number>>();
  #large = false;
  #largest = 0;
  #snapshotOrder: Int32Array | null = null;

  constructor(memory: SharedMemory) {
    this.table = new ColumnTable(memory);
    this.fixed = addColumns(this.table, NODE_COLUMNS);
    for (const name of STANDARD_RESOURCES) this.common(name);
  }

  /** The columns that kernels derive from the others, which are added when they are first used. */
  get derived(): DerivedColumns {
    this.#derived ??= addColumns(this.table, DERIVED_COLUMNS);
    return this.#derived;
  }

  /**
   * Takes over the rows of other columns, of which there are not more than have room here, but not the amounts of rare
   * resources, which `rareNames` lists.
   */
  copyFrom(other: NodeColumns, rows: number): void {
    const copy = (from: Column, to: Column): void => {
      to.values.set(from.values.subarray(0, rows));
      const inexact = other.#inexact.get(from as Column<'f64'>);
      if (inexact !== undefined) this.#inexact.set(to as Column<'f64'>, new Set(inexact));
    };
    for (const name of Object.keys(this.fixed) as (keyof FixedColumns)[]) copy(other.fixed[name], this.fixed[name]);
    for (const [name, { allocatable, requested }] of other.#common) {
      const own = this.common(name);
      copy(allocatable, own.allocatable);
      copy(requested, own.requested);
    }
    this.#snapshotOrder = null;
    this.#large = other.#large;
    this.#largest = other.#largest;
  }

  /** The names of the rare resources of which slots are holders, by slot. */
  get rareNames(): Iterable<readonly [slot: number, names: Iterable<string>]> {
    return this.#rareAt;
  }

  /** The columns of a resource that most nodes have, which are added when they are first used. */
  common(name: string): ResourceColumns {
    let columns = this.#common.get(name);
    if (columns === undefined) {
      columns = this.#rare.get(name)?.columns ?? this.#newColumns(name);
      this.#rare.delete(name);
      this.#rareByColumn.delete(columns.allocatable);
      this.#common.set(name, columns);
      this.#commonNames.push(name);
    }
    return columns;
  }

  /** The columns of a resource, which are added when they are first used. */
  resource(name: string): ResourceColumns {
    const common = this.#common.get(name);
    if (common !== undefined) return common;
    const rare = this.#rareResource(name);
    if (rare.columns === null) {
      rare.columns = this.#newColumns(name);
      this.#rareByColumn.set(rare.columns.allocatable, rare);
    }
    return rare.columns;
  }

  /**
   * The columns of a resource that devices back: a node that has none of it leaves it to its devices, so that there any
   * request fits. The resource is common from then on.
   */
  resourceOrDevices(name: string): ResourceColumns {
    const { allocatable: own, requested } = this.common(name);
    let allocatable = this.#orDevices.get(name);
    if (allocatable === undefined) {
      allocatable = this.table.add('f64', `allocatable ${name} or devices`, NO_LIMIT);
      for (const [slot, amount] of own.values.entries()) if (amount !== 0) allocatable.values[slot] = amount;
      this.#orDevices.set(name, allocatable);
    }
    return { allocatable, requested };
  }

  #newColumns(name: string): ResourceColumns {
    const columns = this.#spares.pop() ?? {
      allocatable: this.table.add('f64', `allocatable ${name}`),
      requested: this.table.add('f64', `requested ${name}`),
    };
    for (const [slot, { allocatable, requested }] of this.#rare.get(name)?.holders ?? []) {
      this.setAmount(columns.allocatable, slot, allocatable);
      this.setAmount(columns.requested, slot, requested);
    }
    return columns;
  }

  /** Whether the resource is common. */
  isCommon(name: string): boolean {
    return this.#common.has(name);
  }

  /** The names of the resources of which the slot may have an amount: the common ones, and the rare ones it holds. */
  namesAt(slot: number): readonly string[] {
    const rare = this.#rareAt.get(slot);
    return rare === undefined ? this.#commonNames : [...this.#commonNames, ...rare];
  }

  /** The slots that have or had an amount of the resource; null if it is common. */
  holders(name: string): ReadonlyMap<number, unknown> | null {
    return this.#rare.get(name)?.holders ?? null;
  }

  /**
   * Keeps the columns of a resource, if it is rare, until `release`; returns whether it is. `allocatable`: one of the
   * two columns.
   */
  hold(allocatable: Column<'f64'>): boolean {
    const rare = this.#rareByColumn.get(allocatable);
    if (rare !== undefined) rare.readers++;
    return rare !== undefined;
  }

  /** Reverts `hold`. Removes the columns of a rare resource that nobody reads any more; its amounts are kept. */
  release(allocatable: Column<'f64'>): void {
    const rare = this.#rareByColumn.get(allocatable);
    if (rare === undefined || rare.columns === null || --rare.readers > 0 || this.isInexact) return;
    const { requested } = rare.columns;
    for (const [slot, amounts] of rare.holders) {
      amounts.allocatable = allocatable.values[slot] ?? 0;
      amounts.requested = requested.values[slot] ?? 0;
      allocatable.values[slot] = 0;
      requested.values[slot] = 0;
    }
    if (this.#spares.length < MOST_SPARES) this.#spares.push(rare.columns);
    else for (const column of [allocatable, requested]) this.table.remove(column);
    this.#rareByColumn.delete(allocatable);
    rare.columns = null;
    if (rare.holders.size === 0) this.#rare.delete(rare.name);
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
    column.values[slot] = Number(amount);
    if (typeof amount === 'bigint') this.#markInexact(column, slot);
    else if (this.#inexact.size > 0) this.#markExact(column, slot);
    this.#noteSize(amount);
  }

  /** Sets the amount of a resource by its name. A rare resource without columns keeps it beside them. */
  setResource(kind: keyof ResourceColumns, name: string, slot: number, amount: Int64): void {
    const common = this.#common.get(name);
    if (common !== undefined) {
      this.setAmount(common[kind], slot, amount);
      if (kind === 'allocatable' && this.#orDevices.size > 0) this.#setOrDevices(name, slot, amount);
      return;
    }
    const rare = this.#rareResource(name);
    let amounts = rare.holders.get(slot);
    if (amounts === undefined) {
      amounts = { allocatable: 0, requested: 0 };
      rare.holders.set(slot, amounts);
      getOrMake(this.#rareAt, slot, () => new Set<string>()).add(name);
    }
    amounts[kind] = amount;
    this.#noteSize(amount);
    if (rare.columns !== null) this.setAmount(rare.columns[kind], slot, amount);
    // While an amount is not exact as a double, `isInexact` must say so.
    else if (typeof amount === 'bigint') this.resource(name);
    if (rare.holders.size > MOST_HOLDERS) this.#makeCommon(name, rare);
  }

  #setOrDevices(name: string, slot: number, amount: Int64): void {
    const column = this.#orDevices.get(name);
    if (column !== undefined) column.values[slot] = Number(amount) || NO_LIMIT;
  }

  #noteSize(amount: Int64): void {
    if (amount > this.#largest) this.#largest = Number(amount);
    if (amount > LARGEST_EXACT_SCORE_OPERAND) this.#large = true;
  }

  #rareResource(name: string): RareResource {
    return getOrMake(this.#rare, name, () => ({
      name,
      holders: new Map<number, Amounts>(),
      columns: null,
      readers: 0,
    }));
  }

  #makeCommon(name: string, { holders }: RareResource): void {
    this.common(name);
    for (const slot of holders.keys()) {
      const names = this.#rareAt.get(slot);
      names?.delete(name);
      if (names?.size === 0) this.#rareAt.delete(slot);
    }
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
    for (const name of this.namesAt(slot)) {
      this.setResource('allocatable', name, slot, 0);
      this.setResource('requested', name, slot, 0);
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

function addColumns<Types extends Record<string, ElementType>>(table: ColumnTable, types: Types): Columns<Types> {
  const entries = Object.entries(types).map(([name, type]) => [name, table.add(type, name)]);
  return Object.fromEntries(entries) as Columns<Types>;
}
