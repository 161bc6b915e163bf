import type { Kernels } from '../../../kernels/abi.ts';
import type { SharedMemory } from '../../../memory/shared-memory.ts';
import type { PodClass } from '../pod-class.ts';
import type { ClassForm } from './class-form.ts';
import type { LaneGroup } from './lane-group.ts';
import { FIELD } from './layout.ts';
import type { NodeEnv } from './node-env.ts';
import { type Maxima, totalsByKind } from './static-totals.ts';

/** Where `scan` without rows puts the totals: i16 side by side. */
export interface ScanTarget {
  readonly pointer: number;
  readonly stride: number;
}

export interface ClassLaneModules {
  readonly kernels: Kernels;
  readonly memory: SharedMemory;
  readonly env: NodeEnv;
}

const NO_MAXIMA: Maxima = [];

/**
 * One pod class in a group: what the kernels need to know of it, the totals that a node of each kind gets outside the
 * resource kernels, and how many feasible nodes of each kind there are. Normalisation needs no more than those counts:
 * a raw score is the largest as long as a feasible node of its kind is left.
 */
export class ClassLane {
  readonly podClass: PodClass;
  readonly form: ClassForm;
  readonly group: LaneGroup;
  readonly number: number;
  /** How the kernels call it. */
  readonly reference: number;
  /** The run that used it last. */
  lastRun = 0;
  readonly #modules: ClassLaneModules;
  readonly #chargesPointer: number;
  #tables: { readonly totals: number; readonly counts: number; readonly kindCount: number } | null = null;
  #kindsVersion = -1;
  #maxima: Maxima = NO_MAXIMA;
  #slots = 0;

  /** Takes the group's first free lane. */
  constructor(modules: ClassLaneModules, group: LaneGroup, podClass: PodClass, form: ClassForm) {
    this.#modules = modules;
    this.podClass = podClass;
    this.form = form;
    this.group = group;
    this.number = group.freeLane;
    this.reference = group.pointer + this.number;
    this.#chargesPointer = form.writeCharges(modules.memory);
    group.lanes[this.number] = this;
    podClass.lane = this;
    this.#describe();
  }

  get isTracked(): boolean {
    return this.form.normalized.length > 0 && this.#maximaMatter();
  }

  get feasibleNodes(): number {
    return this.group.view.getInt32(FIELD.feasible + this.number * 4, true);
  }

  /** Before a run, after the gate has caught up: whether totals by kind still hold. */
  refresh(slots: number): void {
    const { gate } = this.podClass;
    this.#slots = slots;
    const isNew = this.#tables === null;
    // What only moved some nodes from kind to kind is in the log; counts by kind cannot follow that.
    if (!isNew && (this.#kindsVersion === gate.kindsVersion || !this.isTracked)) return;
    this.#kindsVersion = gate.kindsVersion;
    if (isNew) this.extendTables();
    if (!this.group.hasRows) return;
    this.scan();
    this.group.rebuildTree();
  }

  /** Totals, feasible nodes and maxima, from the columns as they are now. */
  scan(target: ScanTarget = { pointer: this.group.rows + this.number * 2, stride: 16 }): void {
    const { kernels, env } = this.#modules;
    const { group, number } = this;
    const { pointer, stride } = target;
    this.#clearCounts();
    kernels.scanLane(env.pointer, group.pointer, number, pointer, stride, 0, this.#slots);
    const feasible = kernels.countLane(group.pointer, number, pointer, stride, 0, this.#slots);
    group.view.setInt32(FIELD.feasible + number * 4, feasible, true);
    if (this.isTracked && this.#normalize()) {
      kernels.scanLane(env.pointer, group.pointer, number, pointer, stride, 0, this.#slots);
    }
  }

  /** Some kind of node has won its first or lost its last feasible node. */
  renormalize(): void {
    const { kernels, env } = this.#modules;
    const { group, number } = this;
    group.setBit(FIELD.dirty, number, false);
    if (!this.#normalize()) return;
    kernels.scanLane(env.pointer, group.pointer, number, group.rows + number * 2, 16, 0, this.#slots);
    group.rebuildTree();
  }

  release(): void {
    const { memory } = this.#modules;
    this.#freeTables();
    memory.free(this.#chargesPointer, this.form.chargeBytes);
    this.form.extraEntries.release();
    this.group.vacate(this.number);
    this.podClass.lane = undefined;
  }

  #describe(): void {
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
    view.setUint32(FIELD.kinds + number * 4, podClass.gate.kinds.pointer, true);
    list(FIELD.filterEntries, podClass.filterEntries);
    list(FIELD.fitEntries, podClass.fitScoreEntries);
    list(FIELD.balancedEntries, podClass.balancedEntries);
    list(FIELD.extraEntries, form.extraEntries);
    list(FIELD.charges, { pointer: this.#chargesPointer, count: form.chargeCount });
    group.setBit(FIELD.lanes, number, true);
    group.setBit(FIELD.extras, number, form.extraEntries.count > 0);
  }

  /** Room for every kind, with totals for the maxima that were known last; at once when the gate has a new kind. */
  extendTables(): void {
    const { memory } = this.#modules;
    const { gate } = this.podClass;
    const { kindCount } = gate;
    this.#freeTables();
    const totals = memory.allocate(kindCount * Int16Array.BYTES_PER_ELEMENT);
    const counts = memory.allocate(kindCount * Int32Array.BYTES_PER_ELEMENT);
    this.#tables = { totals, counts, kindCount };
    const { view } = this.group;
    view.setUint32(FIELD.totals + this.number * 4, totals, true);
    view.setUint32(FIELD.counts + this.number * 4, counts, true);
    this.#writeTotals(this.#maxima);
    this.group.setBit(FIELD.tracked, this.number, this.isTracked);
  }

  #freeTables(): void {
    if (this.#tables === null) return;
    const { memory } = this.#modules;
    const { totals, counts, kindCount } = this.#tables;
    memory.free(totals, kindCount * Int16Array.BYTES_PER_ELEMENT);
    memory.free(counts, kindCount * Int32Array.BYTES_PER_ELEMENT);
    this.#tables = null;
  }

  #clearCounts(): void {
    this.#counts().fill(0);
    this.group.setBit(FIELD.dirty, this.number, false);
  }

  #counts(): Int32Array {
    const { counts = 0, kindCount = 0 } = this.#tables ?? {};
    return new Int32Array(this.#modules.memory.memory.buffer, counts, kindCount);
  }

  /** The largest raw scores of feasible nodes; true when totals are others by that. */
  #normalize(): boolean {
    const { gate } = this.podClass;
    const counts = this.#counts();
    const maxima = this.form.normalized.map(({ plugin }) => {
      let max = 0;
      for (let kind = 1; kind < counts.length; kind++) {
        if ((counts[kind] ?? 0) > 0) max = Math.max(max, gate.rawOfKind(plugin.name, kind));
      }
      return max;
    });
    if (maxima.every((max, i) => max === this.#maxima[i])) return false;
    this.#maxima = maxima;
    return this.#writeTotals(maxima);
  }

  #writeTotals(maxima: Maxima): boolean {
    const { totals = 0, kindCount = 0 } = this.#tables ?? {};
    const table = new Int16Array(this.#modules.memory.memory.buffer, totals, kindCount);
    const now = totalsByKind(this.podClass.gate, this.form, maxima);
    if (now.every((total, kind) => total === table[kind])) return false;
    table.set(now);
    return true;
  }

  /** With one kind of accepted node there is nothing to compare. */
  #maximaMatter(): boolean {
    const { gate } = this.podClass;
    return this.form.normalized.some(({ plugin }) => gate.raw(plugin.name) !== undefined);
  }
}
