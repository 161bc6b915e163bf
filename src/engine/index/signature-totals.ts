import type { TopologyForm } from '../../framework/column-forms.ts';
import type { Program } from '../../kernels/program.ts';
import type { BestSlot } from '../../kernels/registers.ts';
import type { Column } from '../../memory/column-table.ts';
import { OutOfMemoryError } from '../../memory/shared-memory.ts';
import { FIELD } from './layout.ts';
import type { TopologyWeights } from './node-search-record.ts';
import { OrderedTotals } from './ordered-totals.ts';
import type { PodSignature } from './pod-signature.ts';
import { dependsOnMaxima, type Maxima, maximaOf, totalsById } from './static-totals.ts';
import type { TotalsBlock } from './totals-block.ts';
import { TotalsColumn, type TotalsColumnModules } from './totals-column.ts';
import type { TotalsForm } from './totals-form.ts';
import { WindowScores } from './window-scores.ts';

/** No score is normalised by the nodes that a search finds. */
const NO_SCORES = 0;

/**
 * The totals of a signature that do not depend on other pods. Normalisation needs no more than the number
 * of feasible nodes by verdict id: a raw score is the largest as long as a feasible node with its id is left.
 */
export class SignatureTotals extends TotalsColumn {
  #idsVersion = -1;
  #maxima: Maxima = [];
  #windowScores: WindowScores | null = null;
  /** The number of verdict ids and the maxima for which the window scores are written. */
  #windowIds = -1;
  #windowMaxima: Maxima | null = null;
  #windowPointer = NO_SCORES;
  #topologyWeights: TopologyWeights | null = null;
  #ordered: OrderedTotals | null = null;

  constructor(modules: TotalsColumnModules, block: TotalsBlock, signature: PodSignature, form: TotalsForm) {
    super(modules, block, signature, form, signature.verdicts.ids);
    signature.totals = this;
  }

  /** Brings totals by verdict id up to date before a run; the verdicts must be up to date. */
  refresh(): void {
    const { verdicts } = this.signature;
    const isNew = !this.hasTables;
    // The log covers nodes that moved from one id to another, `idChanged` the counts by verdict id.
    if (!isNew && (this.#idsVersion === verdicts.idsVersion || !this.isTracked)) return;
    if (isNew) {
      // Assuming a feasible node for every verdict id, which is usually true, makes a second scan unnecessary.
      this.#maxima = maximaOf(verdicts, this.form, null);
      this.extendTables();
    }
    if (this.block.rows !== null && !(isNew && this.#computeHolders())) this.block.scan([this]);
    this.#idsVersion = verdicts.idsVersion;
  }

  /**
   * Computes a column whose pods request a resource that only few nodes have: on all other nodes it stays blank.
   * Returns false if a scan is needed.
   */
  #computeHolders(): boolean {
    const { block, form, number } = this;
    if (form.holders === null || !this.isBlank) return false;
    this.counts().fill(0);
    block.view.setInt32(FIELD.feasible + number * 4, 0, true);
    for (const slot of form.holders.keys()) block.updateNode(slot);
    block.setBit(FIELD.dirty, number, false);
    if (this.isTracked && this.#normalize()) for (const slot of form.holders.keys()) block.updateNode(slot);
    this.rowsChanged();
    return true;
  }

  /**
   * Extends the tables for a new verdict id. Totals without room for it are released, because kernels would read behind
   * the end of their tables.
   */
  idAdded(): void {
    try {
      this.extendTables();
    } catch (error) {
      this.release();
      if (!(error instanceof OutOfMemoryError)) throw error;
    }
  }

  /**
   * Makes room for every verdict id, with totals for the maxima that were known last; called as soon as there is a new
   * verdict id.
   */
  extendTables(): void {
    const { block, number, isTracked } = this;
    const counts = this.counts().slice();
    this.setTotals(totalsById(this.signature.verdicts, this.form, this.#maxima));
    this.counts().set(counts.subarray(0, this.counts().length));
    if (isTracked && !block.hasBit(FIELD.tracked, number)) this.#idsVersion = -1;
    this.setTracked(isTracked);
  }

  /**
   * Counts a node whose verdict id has changed by its new id, if the row in the block still says that it is feasible:
   * the kernel counts what becomes of it by the new id. Totals that have missed an earlier change are scanned instead.
   */
  idChanged(slot: number, before: number): void {
    const { verdicts } = this.signature;
    if (this.#idsVersion !== verdicts.idsVersion - 1) return;
    this.#idsVersion++;
    if (!this.isTracked || this.totalAt(slot) < 0) return;
    const counts = this.counts();
    const after = verdicts.ids.values[slot] ?? 0;
    const [left, held] = [(counts[before] ?? 0) - 1, (counts[after] ?? 0) + 1];
    counts[before] = left;
    counts[after] = held;
    if (left === 0 || held === 1) this.block.setBit(FIELD.dirty, this.number, true);
  }

  override takeScan(program: Program, out?: Column<'i32'>): boolean {
    super.takeScan(program, out);
    this.block.setBit(FIELD.dirty, this.number, false);
    return this.isTracked && this.#normalize();
  }

  /** Scans into a column and selects the best, in one program unless the scan finds other maxima. */
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

  /** Normalises again after some verdict id has won its first or lost its last feasible node. */
  renormalize(): void {
    this.block.setBit(FIELD.dirty, this.number, false);
    if (!this.#normalize()) return;
    this.block.writeTotals([this]);
    this.block.rebuildTree();
  }

  override rowsChanged(): void {
    this.#ordered?.rowsChanged();
  }

  /**
   * The address of the totals in snapshot order, for which the number `order` stands, with what kernels need to
   * normalise scores by the nodes that a search finds. Holds until verdict ids are added. Null if there is no room.
   */
  ordered(order: number): number | null {
    try {
      this.#ordered ??= new OrderedTotals(this.modules.memory, this.block.rows?.rowCount ?? 0);
      this.#ordered.renew(order, this.#renewWindowScores());
      return this.#ordered.pointer;
    } catch (error) {
      if (!(error instanceof OutOfMemoryError)) throw error;
      return null;
    }
  }

  /** Returns the address of the window scores; NO_SCORES if no score is normalised. */
  #renewWindowScores(): number {
    const { verdicts } = this.signature;
    if (this.#windowIds === verdicts.idCount && this.#windowMaxima === this.#maxima) return this.#windowPointer;
    if (this.isTracked) {
      this.#windowScores ??= new WindowScores(this.modules.memory, verdicts, this.form);
      this.#windowScores.update(this.#maxima);
    }
    // Scores that found no room are not taken for written ones.
    this.#windowPointer = this.isTracked ? (this.#windowScores?.pointer ?? NO_SCORES) : NO_SCORES;
    this.#windowIds = verdicts.idCount;
    this.#windowMaxima = this.#maxima;
    return this.#windowPointer;
  }

  /** The weights of the signature's scores that depend on other pods. */
  get topologyWeights(): TopologyWeights {
    this.#topologyWeights ??= {
      spread: weightOf(this.signature, 'spread'),
      affinity: weightOf(this.signature, 'affinity'),
    };
    return this.#topologyWeights;
  }

  override release(): void {
    this.#windowScores?.release();
    this.#windowScores = null;
    this.#ordered?.release();
    this.#ordered = null;
    super.release();
    this.form.extraEntries.release();
    this.signature.totals = undefined;
  }

  get isTracked(): boolean {
    return dependsOnMaxima(this.signature.verdicts, this.form);
  }

  /** Returns whether the nodes that are feasible now give other totals. */
  #normalize(): boolean {
    const { verdicts } = this.signature;
    const maxima = maximaOf(verdicts, this.form, this.counts());
    if (maxima.every((max, i) => max === this.#maxima[i])) return false;
    this.#maxima = maxima;
    return this.setTotals(totalsById(verdicts, this.form, maxima));
  }
}

/** The weight of the plugin whose scores depend on other pods in this way; 0 without one. */
export function weightOf({ preScore }: PodSignature, kind: TopologyForm['kind']): number {
  return preScore?.scores.find(({ plugin }) => plugin.topology?.kind === kind)?.weight ?? 0;
}
