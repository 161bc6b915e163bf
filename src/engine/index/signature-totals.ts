import type { Program } from '../../kernels/program.ts';
import type { BestSlot } from '../../kernels/registers.ts';
import type { Column } from '../../memory/column-table.ts';
import { FIELD } from './layout.ts';
import type { PodSignature } from './pod-signature.ts';
import { type Maxima, maximaOf, totalsById } from './static-totals.ts';
import type { TotalsBlock } from './totals-block.ts';
import { TotalsColumn, type TotalsColumnModules } from './totals-column.ts';
import type { TotalsForm } from './totals-form.ts';

/**
 * The totals of a signature about which nothing but the signature matters. Normalisation needs no more than the number
 * of feasible nodes by verdict id: a raw score is the largest as long as a feasible node with its id is left.
 */
export class SignatureTotals extends TotalsColumn {
  #idsVersion = -1;
  #maxima: Maxima = [];

  constructor(modules: TotalsColumnModules, block: TotalsBlock, signature: PodSignature, form: TotalsForm) {
    super(modules, block, signature, form, signature.verdicts.ids);
    signature.totals = this;
  }

  /** Before a run, after the verdicts have caught up: whether totals by verdict id still hold. */
  refresh(): void {
    const { verdicts } = this.signature;
    const isNew = !this.hasTables;
    // What only moved some nodes from one id to another is in the log; counts by verdict id cannot follow that.
    if (!isNew && (this.#idsVersion === verdicts.idsVersion || !this.isTracked)) return;
    if (isNew) {
      // As if there were room on nodes of every verdict id: where there is, the first scan is the last.
      this.#maxima = maximaOf(verdicts, this.form, new Array(verdicts.idCount).fill(1));
      this.extendTables();
    }
    if (this.block.rows !== null) this.block.scan([this]);
    this.#idsVersion = verdicts.idsVersion;
  }

  /**
   * Room for every verdict id, with totals for the maxima that were known last; at once when there is a new
   * verdict id.
   */
  extendTables(): void {
    this.setTotals(totalsById(this.signature.verdicts, this.form, this.#maxima));
    this.setTracked(this.isTracked);
  }

  override takeScan(program: Program, out?: Column<'i32'>): boolean {
    super.takeScan(program, out);
    return this.isTracked && this.#normalize();
  }

  /** Scans into a column and selects: one step for whoever runs it, unless totals are others by who is feasible now. */
  bestIn(out: Column<'i32'>, order: Column<'i32'>): BestSlot {
    const { env, runner, program } = this.modules;
    program.clear();
    this.planScan(program, out);
    let best = program.selectBestTotal(out, order, env.isOrdered);
    runner.run(program, env.slots);
    if (this.takeScan(program, out)) {
      program.clear();
      this.planTotals(program, out);
      best = program.selectBestTotal(out, order, env.isOrdered);
      runner.run(program, env.slots);
    }
    return program.best(best);
  }

  /** Some verdict id of node has won its first or lost its last feasible node. */
  renormalize(): void {
    this.block.setBit(FIELD.dirty, this.number, false);
    if (!this.#normalize()) return;
    this.block.writeTotals([this]);
    this.block.rebuildTree();
  }

  override release(): void {
    super.release();
    this.form.extraEntries.release();
    this.signature.totals = undefined;
  }

  /** Whether scores are normalised by what feasible nodes have: with all raw scores 0 there is nothing to do. */
  get isTracked(): boolean {
    const { verdicts } = this.signature;
    return this.form.normalized.some(({ plugin }) => !verdicts.isZero(plugin.name));
  }

  /** True when totals are others by the nodes that are feasible now. */
  #normalize(): boolean {
    const { verdicts } = this.signature;
    const maxima = maximaOf(verdicts, this.form, this.counts());
    if (maxima.every((max, i) => max === this.#maxima[i])) return false;
    this.#maxima = maxima;
    return this.setTotals(totalsById(verdicts, this.form, maxima));
  }
}
