import type { TopologyForm } from '../../framework/column-forms.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { Normalization, ScorePlugin } from '../../framework/plugin.ts';
import type { WeightedScorePlugin } from '../../framework/runtime/framework.ts';
import { orScoreFailure, ScoreFailure } from '../../framework/runtime/guarded-plugin.ts';
import type { Status } from '../../framework/status.ts';
import type { BestSlot } from '../../kernels/registers.ts';
import type { Column } from '../../memory/column-table.ts';
import type { PluginScores } from '../cycle/engine.ts';
import { invalidScore, NodeScores, normalizedBy } from '../cycle/node-scores.ts';
import { type PodSignature, runPreScore } from '../index/pod-signature.ts';
import type { TopologyPlan } from '../topology/topology-plan.ts';
import { TopologyScratch } from '../topology/topology-scratch.ts';
import type { ColumnCycleModules } from './column-cycle-modules.ts';
import { constantNormalized, constantScore, isConstant } from './constant-scores.ts';
import type { FullScan, SlotRange } from './full-scan.ts';
import type { KeptRows } from './kept-rows.ts';

/** The input of the score phase, made for every attempt. */
export interface ScoreSubject {
  readonly signature: PodSignature;
  readonly plan: TopologyPlan | null;
  /** The signature's kept rows, of whose scores few have to be computed; null if nothing is kept. */
  readonly kept: KeptRows | null;
  /** The scan that scores all nodes in one program; null if each plugin is a pass of its own. */
  readonly scan: FullScan | null;
  readonly feasible: Column<'i32'>;
  /** The feasible nodes, for plugins whose own methods are called. */
  feasibleNodes(): readonly NodeInfo[];
  readonly slots: number;
  /** The range in which all feasible slots lie, to which a scan is limited. */
  readonly range: SlotRange;
}

interface ScoreColumns {
  readonly raw: Column<'i32'> | Column<'f64'>;
  readonly normalized: Column<'i32'>;
  /** 0 for nodes whose raw score counts as 0; absent if every raw score counts. */
  readonly scored?: Column<'i32'>;
}

/** The scores that a plugin's own methods returned. */
type MethodScores = Pick<PluginScores, 'raw' | 'normalized'>;

/** The score phase over columns: one plugin after the other, each normalised and added to the total. */
export class ColumnScores {
  /** A column of raw scores, which other steps may use between two score phases. */
  readonly raw: Column<'i32'>;
  readonly normalized: Column<'i32'>;
  readonly total: Column<'i32'>;
  readonly #modules: ColumnCycleModules;
  readonly #topology: TopologyScratch;
  #subject!: ScoreSubject;
  /** The best node if the scan has found it with the totals; null otherwise. */
  best: BestSlot | null = null;
  /** The plugins that were not skipped. */
  #scored: WeightedScorePlugin[] = [];
  readonly #byMethod = new Map<ScorePlugin, MethodScores>();

  constructor(modules: ColumnCycleModules) {
    const { memory, columns } = modules;
    this.#modules = modules;
    this.raw = columns.table.add('i32', 'raw scores');
    this.normalized = columns.table.add('i32', 'normalized scores');
    this.total = columns.table.add('i32', 'total scores');
    this.#topology = new TopologyScratch(memory, columns.table);
  }

  /** Fills `total`; returns an Error status if scoring fails. */
  score(subject: ScoreSubject): Status | null {
    const { framework } = this.#modules;
    const outcome = orScoreFailure(() => this.#score(subject));
    if (!(outcome instanceof ScoreFailure)) return outcome;
    // If several plugins fail, the failure is reported that comes first when every plugin scores every node.
    const { pod, state } = subject.signature;
    return new NodeScores(framework, state.clone(), pod, subject.feasibleNodes()).run() ?? outcome.status;
  }

  /** Returns the `count` slots with this total, in the order in which their nodes were added. */
  ties(total: number, count: number, feasible: Column<'i32'>, slots: number): Int32Array {
    const { kernels, columns, env } = this.#modules;
    // The normalised column is free again and takes the list.
    const list = this.normalized;
    kernels.collectTies(this.total.pointer, feasible.pointer, total, list.pointer, 0, slots);
    const ties = list.values.subarray(0, count);
    if (env.isOrdered) return ties;
    const order = columns.fixed.order.values;
    const orderOf = (slot = 0): number => order[slot] ?? 0;
    // Only reused slots break the order, so that most lists need no sorting.
    let sorted = 1;
    while (sorted < count && orderOf(ties[sorted]) > orderOf(ties[sorted - 1])) sorted++;
    if (sorted < count) ties.sort((a, b) => orderOf(a) - orderOf(b));
    return ties;
  }

  #score(subject: ScoreSubject): Status | null {
    const { kernels, framework } = this.#modules;
    const { trace } = framework.activeTrace;
    const { signature, plan, feasible, feasibleNodes, scan, slots, range } = subject;
    this.#subject = subject;
    const { pod, state, preScore } = signature;
    const { failure, scores } = preScore ?? runPreScore(framework, state, pod, feasibleNodes());
    if (failure !== null) return failure;
    this.#scored = [];
    this.#byMethod.clear();
    if (scan === null) kernels.fill(this.total.pointer, constantScore(signature), 0, slots);
    else scan.score({ signature, feasible, slots: range, isFinal: plan === null });
    this.best = scan?.best ?? null;
    for (const score of scores) {
      if (scan !== null && score.plugin.topology === undefined) {
        this.#scored.push(score);
        continue;
      }
      trace?.startPlugin('score', score.plugin.name);
      const columns = this.#scoreOne(score.plugin);
      if (typeof columns !== 'string') {
        kernels.addWeighted(columns.normalized.pointer, score.weight, this.total.pointer, 0, slots);
      }
      trace?.end();
      if (columns !== 'skipped') this.#scored.push(score);
    }
    return null;
  }

  /** Computes the scores of each plugin once more, but for plugins whose own methods were called. */
  pluginScores(): readonly PluginScores[] {
    const { slots } = this.#subject;
    return this.#scored.map(({ plugin, weight }) => {
      const kept = this.#byMethod.get(plugin);
      if (kept !== undefined) return { plugin: plugin.name, weight, ...kept };
      const columns = this.#scoreOne(plugin);
      if (columns === 'skipped' || columns === 'constant') {
        return { plugin: plugin.name, weight, raw: () => 0, normalized: () => constantNormalized(plugin) };
      }
      const raw = columns.raw.values.slice(0, slots);
      const normalized = columns.normalized.values.slice(0, slots);
      columns.scored?.values.subarray(0, slots).forEach((isScored, slot) => {
        if (!isScored) raw[slot] = 0;
      });
      return {
        plugin: plugin.name,
        weight,
        raw: ({ slot }) => raw[slot] ?? 0,
        normalized: ({ slot }) => normalized[slot] ?? 0,
      };
    });
  }

  /** Returns columns with a plugin's scores, valid until the next call; `constant` if every raw score is 0. */
  #scoreOne(plugin: ScorePlugin): ScoreColumns | 'constant' | 'skipped' {
    const { signature } = this.#subject;
    if (isConstant(signature, plugin)) return 'constant';
    if (plugin.topology !== undefined) return this.#scoreByPlan(plugin.topology);
    const { pod, state, preScore, verdicts } = signature;
    let { raw } = this;
    if (plugin.scoreReads === 'kernel') raw = this.#resourceScores(plugin.name);
    // No column keeps the scores of such a signature.
    else if (preScore === null) return this.#scoreByMethod(plugin, (node) => plugin.score(state, pod, node));
    else raw = verdicts.raw(plugin.name) ?? raw;
    if (plugin.normalizeScores !== undefined) {
      const known = verdicts.raw(plugin.name)?.values;
      return this.#scoreByMethod(plugin, ({ slot }) => known?.[slot] ?? 0);
    }
    if (plugin.normalize === undefined) return { raw, normalized: raw };
    return this.#normalize(raw, plugin.normalize);
  }

  #resourceScores(plugin: string): Column<'i32'> {
    const { signature, kept, slots } = this.#subject;
    const column = kept?.raw(plugin, signature, slots);
    if (column !== undefined) return column;
    this.#modules.resourceKernels.score(plugin, signature, this.raw.pointer, 0, slots);
    return this.raw;
  }

  #scoreByPlan(form: TopologyForm): ScoreColumns | 'skipped' {
    const { plan, slots } = this.#subject;
    if (!plan?.score(form, this.#modules.kernels, this.#topology, this.#subject.feasible, slots)) return 'skipped';
    return this.#topology;
  }

  #normalize(raw: Column<'i32'>, { reverse }: Normalization): ScoreColumns {
    const { kernels } = this.#modules;
    const { slots } = this.#subject;
    const max = kernels.maxFeasible(raw.pointer, this.#subject.feasible.pointer, 0, slots);
    kernels.normalize(raw.pointer, max, reverse ? 1 : 0, this.normalized.pointer, 0, slots);
    return { raw, normalized: this.normalized };
  }

  /** Calls the plugin's own normalisation with the raw scores of the feasible nodes, and keeps both. */
  #scoreByMethod(plugin: ScorePlugin, rawOf: (node: NodeInfo) => number): ScoreColumns {
    const { signature, feasibleNodes } = this.#subject;
    const { pod, state } = signature;
    const nodes = feasibleNodes();
    const raw = nodes.map(rawOf);
    const scores = normalizedBy(plugin, state, pod, nodes, raw);
    const invalid = invalidScore(plugin, scores);
    if (invalid !== null) throw new ScoreFailure(invalid);
    nodes.forEach(({ slot }, i) => {
      this.normalized.values[slot] = scores[i] ?? 0;
    });
    const byNode = (list: readonly number[]) => {
      const scoreOf = new Map(nodes.map((node, i) => [node, list[i]]));
      return (node: NodeInfo) => scoreOf.get(node) ?? 0;
    };
    this.#byMethod.set(plugin, { raw: byNode(raw), normalized: byNode(scores) });
    return { raw: this.raw, normalized: this.normalized };
  }
}
