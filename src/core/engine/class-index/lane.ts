import type { Kernels } from '../../../kernels/abi.ts';
import type { Column } from '../../../memory/column-table.ts';
import type { SharedMemory } from '../../../memory/shared-memory.ts';
import type { PodClass } from '../pod-class.ts';
import type { ClassForm } from './class-form.ts';
import type { LaneGroup } from './lane-group.ts';
import { FIELD } from './layout.ts';
import type { NodeEnv } from './node-env.ts';

/** Where `scan` puts the totals: i16, `stride` bytes apart. */
export interface ScanTarget {
  readonly pointer: number;
  readonly stride: number;
}

export interface LaneModules {
  readonly kernels: Kernels;
  readonly memory: SharedMemory;
  readonly env: NodeEnv;
}

const ROW_STRIDE = 16;

/** By kind of node, in shared memory. */
interface Tables {
  readonly totals: Int16Array<SharedArrayBuffer>;
  readonly counts: Int32Array<SharedArrayBuffer>;
}

const NO_COUNTS = new Int32Array(0);

/**
 * The totals of one pod class in a group, and what the kernels need to know to compute them: its requests, which kind
 * of node each slot holds, and what a node of each kind gets outside the resource kernels (-1: it is rejected).
 */
export class Lane {
  readonly podClass: PodClass;
  readonly form: ClassForm;
  readonly group: LaneGroup;
  readonly number: number;
  /** How the kernels call it. */
  readonly reference: number;
  /** The run that used it last. */
  lastRun = 0;
  isReleased = false;
  protected readonly modules: LaneModules;
  /** Slots that scans go over. */
  protected slots = 0;
  readonly #chargesPointer: number;
  #tables: Tables | null = null;

  /** Takes the group's first free lane. */
  constructor(modules: LaneModules, group: LaneGroup, podClass: PodClass, form: ClassForm, kinds: Column<'u16'>) {
    this.modules = modules;
    this.podClass = podClass;
    this.form = form;
    this.group = group;
    this.number = group.freeLane;
    this.reference = group.pointer + this.number;
    this.#chargesPointer = form.writeCharges(modules.memory);
    group.lanes[this.number] = this;
    this.#describe(kinds);
  }

  get feasibleNodes(): number {
    return this.group.view.getInt32(FIELD.feasible + this.number * 4, true);
  }

  /** The best total; -1 when the class fits nowhere. */
  get bestTotal(): number {
    return this.group.bestTotal(this.number);
  }

  /** Of the node in a slot, as the group has it; -1 where the class does not fit. */
  totalAt(slot: number): number {
    return this.group.totalAt(this.number, slot);
  }

  get hasTables(): boolean {
    return this.#tables !== null;
  }

  /** Feasible nodes by kind, of a lane that counts them. */
  counts(): Int32Array {
    return this.#tables?.counts ?? NO_COUNTS;
  }

  /** New totals by kind; false when they are as they were. Counts are lost when there are more kinds than before. */
  setTotals(totals: Int16Array): boolean {
    let tables = this.#tables;
    if (tables === null || tables.totals.length !== totals.length) tables = this.#makeTables(totals.length);
    else if (totals.every((total, kind) => total === tables?.totals[kind])) return false;
    tables.totals.set(totals);
    return true;
  }

  /** Whether feasible nodes are counted by kind. */
  setTracked(isTracked: boolean): void {
    this.group.setBit(FIELD.tracked, this.number, isTracked);
  }

  /** Totals and feasible nodes from the columns as they are now; the tree above is left as it is. */
  scan(target?: ScanTarget): void {
    const { kernels } = this.modules;
    const { group, number } = this;
    const { pointer, stride } = target ?? this.rows;
    this.counts().fill(0);
    group.setBit(FIELD.dirty, number, false);
    this.writeRows(target);
    const feasible = kernels.countLane(group.pointer, number, pointer, stride, 0, this.slots);
    group.view.setInt32(FIELD.feasible + number * 4, feasible, true);
  }

  /** The totals alone, when no node has become feasible or infeasible. */
  writeRows(target?: ScanTarget): void {
    const { kernels, env } = this.modules;
    const { pointer, stride } = target ?? this.rows;
    kernels.scanLane(env.pointer, this.group.pointer, this.number, pointer, stride, 0, this.slots);
  }

  setSlots(slots: number): void {
    this.slots = slots;
  }

  release(): void {
    const { memory } = this.modules;
    this.#freeTables();
    memory.free(this.#chargesPointer, this.form.chargeBytes);
    this.group.vacate(this.number);
    this.isReleased = true;
  }

  /** Where its totals are in the group. */
  get rows(): ScanTarget {
    return { pointer: this.group.rows + this.number * 2, stride: ROW_STRIDE };
  }

  #describe(kinds: Column<'u16'>): void {
    const { group, number, podClass, form } = this;
    const { view } = group;
    const list = (field: number, { pointer, count }: { readonly pointer: number; readonly count: number }): void => {
      view.setUint32(field + number * 4, pointer, true);
      view.setInt32(field + 32 + number * 4, count, true);
    };
    form.requests.forEach((request, row) => {
      view.setFloat64(FIELD.requests + row * 64 + number * 8, request, true);
    });
    view.setFloat64(FIELD.fitWeights + number * 8, form.fitWeight, true);
    view.setFloat64(FIELD.balancedWeights + number * 8, form.balancedWeight, true);
    view.setUint32(FIELD.kinds + number * 4, kinds.pointer, true);
    list(FIELD.filterEntries, podClass.filterEntries);
    list(FIELD.fitEntries, podClass.fitScoreEntries);
    list(FIELD.balancedEntries, podClass.balancedEntries);
    list(FIELD.extraEntries, form.extraEntries);
    list(FIELD.charges, { pointer: this.#chargesPointer, count: form.chargeCount });
    group.setBit(FIELD.lanes, number, true);
    group.setBit(FIELD.extras, number, form.extraEntries.count > 0);
  }

  #makeTables(kindCount: number): Tables {
    const { memory } = this.modules;
    this.#freeTables();
    const totals = memory.allocate(kindCount * Int16Array.BYTES_PER_ELEMENT);
    const counts = memory.allocate(kindCount * Int32Array.BYTES_PER_ELEMENT);
    const { buffer } = memory.memory;
    const tables = {
      totals: new Int16Array(buffer, totals, kindCount),
      counts: new Int32Array(buffer, counts, kindCount),
    };
    const { view } = this.group;
    view.setUint32(FIELD.totals + this.number * 4, totals, true);
    view.setUint32(FIELD.counts + this.number * 4, counts, true);
    view.setInt32(FIELD.kindCount + this.number * 4, kindCount, true);
    this.#tables = tables;
    return tables;
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
