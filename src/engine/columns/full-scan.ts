import type { ScorePlugin } from '../../framework/plugin.ts';
import { Program } from '../../kernels/program.ts';
import type { BestSlot } from '../../kernels/registers.ts';
import type { Column } from '../../memory/column-table.ts';
import type { PodSignature } from '../index/pod-signature.ts';
import type { ColumnCycleModules } from './column-cycle-modules.ts';
import { constantScore } from './constant-scores.ts';

type FullScanModules = Pick<ColumnCycleModules, 'memory' | 'columns' | 'resourceKernels' | 'runner'>;

/** The columns of the score phase; `raw` and `normalized` may be overwritten. */
export interface ScanColumns {
  readonly raw: Column<'i32'>;
  readonly normalized: Column<'i32'>;
  readonly total: Column<'i32'>;
}

/** The slots [from, to). */
export interface SlotRange {
  readonly from: number;
  readonly to: number;
}

/** The input of a scan. */
export interface ScanSubject {
  readonly signature: PodSignature;
  readonly feasible: Column<'i32'>;
  readonly slots: SlotRange;
  /** Whether nothing is added to the totals afterwards, so that the scan also finds the best one. */
  readonly isFinal: boolean;
}

/** A plugin whose raw scores cannot be added up before their maximum is known. */
interface Unscaled {
  readonly raw: Column<'i32'>;
  readonly weight: number;
  readonly reverse: boolean;
  /** The register to which the first program writes the maximum. */
  readonly maximum: number;
}

/**
 * A decision for which nothing is kept: every node is filtered and scored by one or two programs of a `TaskRunner`,
 * which may share them among threads.
 *
 *   first step    filter; sum of the scores that need no normalising; the maxima of the others
 *   second step   the others, normalised, on top; the best
 *
 * Without others there is no second step. If feasibility depends on more than the first step's filter, that filter is
 * a program of its own.
 */
export class FullScan {
  readonly #modules: FullScanModules;
  readonly #columns: ScanColumns;
  /** The totals before the second step adds to them. */
  readonly #sum: Column<'i32'>;
  readonly #first: Program;
  readonly #second: Program;
  /** The plugins that the first step leaves to the second; null while nothing is scored. */
  #unscaled: readonly Unscaled[] | null = null;
  /** The best node by `total`; null unless the subject of the scan was final. */
  best: BestSlot | null = null;
  #bestRegister = 0;

  constructor(modules: FullScanModules, columns: ScanColumns) {
    this.#modules = modules;
    this.#columns = columns;
    this.#sum = modules.columns.table.add('i32', 'sums of a scan');
    this.#first = new Program(modules.memory);
    this.#second = new Program(modules.memory);
  }

  /** Writes `feasible`; returns how many nodes are. `scores`: nothing else rejects nodes, so they are scored, too. */
  filter(subject: ScanSubject, scores: boolean): number {
    const { resourceKernels, runner } = this.#modules;
    const program = this.#first;
    program.clear();
    const count = resourceKernels.planFilter(program, subject.signature, subject.feasible);
    this.#unscaled = scores ? this.#planSum(program, subject) : null;
    runner.run(program, subject.slots.to, subject.slots.from);
    return program.number(count);
  }

  /** Writes to `total` the scores of all plugins but those that a topology plan replaces. */
  score(subject: ScanSubject): void {
    const { runner } = this.#modules;
    if (this.#unscaled === null) {
      this.#first.clear();
      this.#unscaled = this.#planSum(this.#first, subject);
      runner.run(this.#first, subject.slots.to, subject.slots.from);
    }
    let last = this.#first;
    if (this.#unscaled.length > 0) {
      last = this.#second;
      this.#planTotal(last, subject, this.#unscaled);
      runner.run(last, subject.slots.to, subject.slots.from);
    }
    this.best = subject.isFinal ? last.best(this.#bestRegister) : null;
    this.#unscaled = null;
  }

  #planSum(program: Program, subject: ScanSubject): Unscaled[] {
    const { signature, feasible } = subject;
    const { resourceKernels } = this.#modules;
    const { raw, total } = this.#columns;
    const scores = (signature.preScore?.scores ?? []).filter(({ plugin }) => plugin.topology === undefined);
    const verdictRaw = ({ name, resourceScore }: ScorePlugin) => {
      return resourceScore === undefined ? signature.verdicts.raw(name) : undefined;
    };
    const isScaled = scores.some(({ plugin }) => plugin.normalize && verdictRaw(plugin));
    const sum = isScaled ? this.#sum : total;
    const unscaled: Unscaled[] = [];
    program.fill(sum, constantScore(signature));
    for (const { plugin, weight } of scores) {
      const known = verdictRaw(plugin);
      if (known !== undefined && plugin.normalize !== undefined) {
        const maximum = program.maxFeasible(known, feasible);
        unscaled.push({ raw: known, weight, reverse: plugin.normalize.reverse, maximum });
      } else if (known !== undefined) {
        program.addWeighted(known, weight, sum);
      } else if (plugin.resourceScore !== undefined) {
        resourceKernels.planScore(program, plugin.name, signature, raw);
        program.addWeighted(raw, weight, sum);
      }
    }
    if (!isScaled) this.#planBest(program, subject);
    return unscaled;
  }

  #planTotal(program: Program, subject: ScanSubject, unscaled: readonly Unscaled[]): void {
    const { normalized, total } = this.#columns;
    program.clear();
    let sum = this.#sum;
    for (const { raw, weight, reverse, maximum } of unscaled) {
      program.normalize(raw, this.#first.number(maximum), reverse ? 1 : 0, normalized);
      program.sumWeighted(sum, normalized, weight, total);
      sum = total;
    }
    this.#planBest(program, subject);
  }

  #planBest(program: Program, { feasible, isFinal }: ScanSubject): void {
    if (!isFinal) return;
    this.#bestRegister = program.selectBest(this.#columns.total, feasible, this.#modules.columns.fixed.order);
  }
}
