import { assert } from '../../lib/assert.ts';
import type { Column } from '../../memory/column-table.ts';
import type { WeightedScorePlugin } from '../framework/framework.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import { MAX_NODE_SCORE, type Normalization, type ScorePlugin } from '../framework/plugin.ts';
import type { Status } from '../framework/status.ts';
import { NODE_RESOURCES_BALANCED_ALLOCATION, NODE_RESOURCES_FIT } from '../plugins/names.ts';
import { NodeResourcesFit } from '../plugins/node-resources/fit.ts';
import type { ColumnCycleModules } from './column-cycle.ts';
import type { PluginScores } from './engine.ts';
import { PLANNED, type PodClass, runPreScore } from './pod-class.ts';
import type { TopologyPlan } from './topology/topology-plan.ts';
import { TopologyScratch } from './topology/topology-scratch.ts';

/** One i32 score for each whole percent of utilisation, 0 to 100. */
const PERCENT_TABLE_LENGTH = 101;

/** What is scored: set anew for every attempt. */
export interface ScoreSubject {
  readonly podClass: PodClass;
  readonly plan: TopologyPlan | null;
  /** Feasible nodes, for plugins that are asked by their methods. */
  feasibleNodes(): readonly NodeInfo[];
  readonly slots: number;
}

interface ScoreColumns {
  readonly raw: Column<'i32'> | Column<'f64'>;
  readonly normalized: Column<'i32'>;
  /** 0 for nodes whose raw score means nothing and counts as 0; absent: all mean something. */
  readonly scored?: Column<'i32'>;
}

/** The score phase over columns: one plugin after the other, each normalised and added to the total. */
export class ColumnScores {
  /** Also of use to others between two phases. */
  readonly raw: Column<'i32'>;
  readonly normalized: Column<'i32'>;
  readonly total: Column<'i32'>;
  readonly #modules: ColumnCycleModules;
  readonly #feasible: Column<'i32'>;
  readonly #topology: TopologyScratch;
  readonly #fit: NodeResourcesFit | undefined;
  readonly #percentTable: number;
  #subject!: ScoreSubject;
  /** The plugins that took part. */
  #scored: WeightedScorePlugin[] = [];

  constructor(modules: ColumnCycleModules, feasible: Column<'i32'>) {
    const { framework, memory, columns } = modules;
    this.#modules = modules;
    this.#feasible = feasible;
    this.raw = columns.table.add('i32');
    this.normalized = columns.table.add('i32');
    this.total = columns.table.add('i32');
    this.#topology = new TopologyScratch(memory, columns.table);
    this.#fit = framework.scorePlugins.map(({ plugin }) => plugin).find((plugin) => plugin instanceof NodeResourcesFit);
    this.#percentTable = memory.allocate(PERCENT_TABLE_LENGTH * Int32Array.BYTES_PER_ELEMENT);
    const scoreOfPercent = this.#fit?.scoreOfPercent ?? [];
    new Int32Array(memory.memory.buffer, this.#percentTable, PERCENT_TABLE_LENGTH).set(scoreOfPercent);
  }

  /** Fills `total`; an Error status when scoring fails. */
  score(subject: ScoreSubject): Status | null {
    const { kernels, framework } = this.#modules;
    const { podClass, feasibleNodes, slots } = subject;
    this.#subject = subject;
    const { pod, state, preScore } = podClass;
    const { failure, scores } = preScore ?? runPreScore(framework, state, pod, feasibleNodes());
    if (failure !== null) return failure;
    kernels.fill(this.total.pointer, this.#constantScore(scores), 0, slots);
    this.#scored = [];
    for (const score of scores) {
      const columns = this.#scoreOne(score.plugin);
      if (columns === 'skipped') continue;
      this.#scored.push(score);
      if (columns === 'constant') continue;
      kernels.addWeighted(columns.normalized.pointer, score.weight, this.total.pointer, 0, slots);
    }
    return null;
  }

  /** Computed once more, for each plugin that took part. */
  pluginScores(): readonly PluginScores[] {
    const { slots } = this.#subject;
    return this.#scored.map(({ plugin, weight }) => {
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

  /** What the plugins whose raw scores are 0 everywhere add to every node. */
  #constantScore(scores: readonly WeightedScorePlugin[]): number {
    let sum = 0;
    for (const { plugin, weight } of scores) {
      if (this.#isConstant(plugin)) sum += constantNormalized(plugin) * weight;
    }
    return sum;
  }

  #isConstant(plugin: ScorePlugin): boolean {
    const { gate, preScore } = this.#subject.podClass;
    if (plugin.scoreReads === 'kernel' || preScore === null) return false;
    return gate.raw(plugin.name) === undefined;
  }

  /** Columns with a plugin's scores, valid until the next call; `constant`: every raw score is 0. */
  #scoreOne(plugin: ScorePlugin): ScoreColumns | 'constant' | 'skipped' {
    const { podClass } = this.#subject;
    if (this.#isConstant(plugin)) return 'constant';
    if (PLANNED.has(plugin.name)) return this.#scoreByPlan(plugin);
    let { raw } = this;
    if (plugin.scoreReads === 'kernel') this.#runKernel(plugin.name);
    else if (podClass.preScore === null) return this.#scoreByMethod(plugin);
    else raw = podClass.gate.raw(plugin.name) ?? raw;
    if (plugin.normalize === undefined) return { raw, normalized: raw };
    return this.#normalize(raw, plugin.normalize);
  }

  #scoreByPlan(plugin: ScorePlugin): ScoreColumns | 'skipped' {
    const { plan, slots } = this.#subject;
    if (!plan?.score(plugin.name, this.#modules.kernels, this.#topology, this.#feasible, slots)) return 'skipped';
    return this.#topology;
  }

  #normalize(raw: Column<'i32'>, { reverse }: Normalization): ScoreColumns {
    const { kernels } = this.#modules;
    const { slots } = this.#subject;
    const max = kernels.maxFeasible(raw.pointer, this.#feasible.pointer, 0, slots);
    kernels.normalize(raw.pointer, max, reverse ? 1 : 0, this.normalized.pointer, 0, slots);
    return { raw, normalized: this.normalized };
  }

  /** The plugin's own method on every feasible node: for scores that no column keeps. */
  #scoreByMethod(plugin: ScorePlugin): ScoreColumns {
    const { podClass, feasibleNodes } = this.#subject;
    const { pod, state } = podClass;
    const nodes = feasibleNodes();
    const scores = nodes.map((node) => plugin.score(state, pod, node));
    nodes.forEach(({ slot }, i) => {
      this.raw.values[slot] = scores[i] ?? 0;
    });
    if (plugin.normalize !== undefined) return this.#normalize(this.raw, plugin.normalize);
    if (plugin.normalizeScores === undefined) return { raw: this.raw, normalized: this.raw };
    const normalized = plugin.normalizeScores(state, pod, nodes, scores);
    nodes.forEach(({ slot }, i) => {
      this.normalized.values[slot] = normalized[i] ?? 0;
    });
    return { raw: this.raw, normalized: this.normalized };
  }

  #runKernel(plugin: string): void {
    const { kernels, columns } = this.#modules;
    const { podClass, slots } = this.#subject;
    const { fitScoreEntries, balancedEntries } = podClass;
    const out = this.raw.pointer;
    const exact = columns.needsExactScores ? 1 : 0;
    if (plugin === NODE_RESOURCES_BALANCED_ALLOCATION) {
      kernels.scoreBalancedAllocation(balancedEntries.pointer, balancedEntries.count, out, 0, slots);
      return;
    }
    assert(plugin === NODE_RESOURCES_FIT && this.#fit !== undefined, `no kernel scores for ${plugin}`);
    const { pointer, count } = fitScoreEntries;
    switch (this.#fit.strategy.type) {
      case 'LeastAllocated':
        kernels.scoreLeastAllocated(pointer, count, out, exact, 0, slots);
        break;
      case 'MostAllocated':
        kernels.scoreMostAllocated(pointer, count, out, exact, 0, slots);
        break;
      case 'RequestedToCapacityRatio':
        kernels.scoreRequestedToCapacityRatio(pointer, count, this.#percentTable, out, exact, 0, slots);
        break;
    }
  }
}

/** The normalised score of every node when all raw scores are 0. */
function constantNormalized({ normalize }: ScorePlugin): number {
  return normalize?.reverse ? MAX_NODE_SCORE : 0;
}
