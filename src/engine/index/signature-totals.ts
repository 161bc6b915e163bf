import type { BestSlot } from '../../kernels/registers.ts';
import type { Column } from '../../memory/column-table.ts';
import { FIELD } from './layout.ts';
import type { PodClass } from './pod-signature.ts';
import { type Maxima, maximaOf, totalsByKind } from './static-totals.ts';
import type { LaneGroup } from './totals-block.ts';
import { Lane, type LaneModules, SCAN_STRIDE } from './totals-column.ts';
import type { ClassForm } from './totals-form.ts';

/**
 * The lane of a class about which nothing but the class matters. Normalisation needs no more than the number of
 * feasible nodes of each kind: a raw score is the largest as long as a feasible node of its kind is left.
 */
export class ClassLane extends Lane {
  #kindsVersion = -1;
  #maxima: Maxima = [];

  constructor(modules: LaneModules, group: LaneGroup, podClass: PodClass, form: ClassForm) {
    super(modules, group, podClass, form, podClass.gate.kinds);
    podClass.lane = this;
  }

  /** Before a run, after the gate has caught up: whether totals by kind still hold. */
  refresh(): void {
    const { gate } = this.podClass;
    const isNew = !this.hasTables;
    // What only moved some nodes from kind to kind is in the log; counts by kind cannot follow that.
    if (!isNew && (this.#kindsVersion === gate.kindsVersion || !this.isTracked)) return;
    if (isNew) this.extendTables();
    if (this.group.hasRows) {
      this.scan();
      this.group.rebuildTree();
    }
    this.#kindsVersion = gate.kindsVersion;
  }

  /** Room for every kind, with totals for the maxima that were known last; at once when the gate has a new kind. */
  extendTables(): void {
    this.setTotals(totalsByKind(this.podClass.gate, this.form, this.#maxima));
    this.setTracked(this.isTracked);
  }

  override scan(out?: Column<'i32'>): void {
    super.scan(out);
    if (this.isTracked && this.#normalize()) this.writeTotals(out);
  }

  /** Scans into a column and selects: one step for whoever runs it, unless nodes have to be counted by kind between. */
  bestIn(out: Column<'i32'>, order: Column<'i32'>): BestSlot {
    const { env, runner, program } = this.modules;
    const { group, number, isTracked } = this;
    if (isTracked) this.scan(out);
    program.clear();
    if (!isTracked) program.scanLane(env.pointer, group.pointer, number, out, SCAN_STRIDE);
    const count = isTracked ? null : program.countLane(group.pointer, number, out, SCAN_STRIDE);
    const best = program.selectBestTotal(out, order, env.isOrdered);
    runner.run(program, env.slots);
    if (count !== null) this.setFeasibleNodes(program.number(count));
    return program.best(best);
  }

  /** Some kind of node has won its first or lost its last feasible node. */
  renormalize(): void {
    this.group.setBit(FIELD.dirty, this.number, false);
    if (!this.#normalize()) return;
    this.writeTotals();
    this.group.rebuildTree();
  }

  override release(): void {
    super.release();
    this.form.extraEntries.release();
    this.podClass.lane = undefined;
  }

  /** Whether scores are normalised by what feasible nodes have: with all raw scores 0 there is nothing to do. */
  get isTracked(): boolean {
    const { gate } = this.podClass;
    return this.form.normalized.some(({ plugin }) => !gate.isZero(plugin.name));
  }

  /** True when totals are others by the nodes that are feasible now. */
  #normalize(): boolean {
    const { gate } = this.podClass;
    const maxima = maximaOf(gate, this.form, this.counts());
    if (maxima.every((max, i) => max === this.#maxima[i])) return false;
    this.#maxima = maxima;
    return this.setTotals(totalsByKind(gate, this.form, maxima));
  }
}
