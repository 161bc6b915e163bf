import { FIT_EXCEEDS_ALLOCATABLE, FIT_OK, type Kernels, SELECT_RESULT_BYTES } from '../../kernels/abi.ts';
import { assert } from '../../lib/assert.ts';
import type { Column } from '../../memory/column-table.ts';
import type { NodeColumns } from '../../memory/node-columns.ts';
import type { SharedMemory } from '../../memory/shared-memory.ts';
import type { ClusterState } from '../cache/cluster-state.ts';
import type { Framework, WeightedScorePlugin } from '../framework/framework.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import { MAX_NODE_SCORE } from '../framework/plugin.ts';
import { type Status, unresolvable, unschedulable } from '../framework/status.ts';
import { NODE_RESOURCES_BALANCED_ALLOCATION, NODE_RESOURCES_FIT } from '../plugins/names.ts';
import { insufficient, NodeResourcesFit, TOO_MANY_PODS } from '../plugins/node-resources/fit.ts';
import type { Cycle, PluginScores, Selection } from './engine.ts';
import type { PodClass } from './pod-class.ts';

export interface ColumnCycleModules {
  readonly kernels: Kernels;
  readonly framework: Framework;
  readonly cluster: ClusterState;
  readonly memory: SharedMemory;
  readonly columns: NodeColumns;
}

const FEASIBLE = -1;
/** One i32 score for each whole percent of utilisation, 0 to 100. */
const PERCENT_TABLE_BYTES = 101 * 4;

/** A scheduling attempt over columns. One object serves all attempts of an engine, one after the other. */
export class ColumnCycle implements Cycle {
  rejected: Status | null = null;
  readonly #modules: ColumnCycleModules;
  readonly #fitPosition: number;
  readonly #fit: NodeResourcesFit | undefined;
  readonly #percentTable: number;
  readonly #selected: number;
  readonly #feasible: Column<'i32'>;
  readonly #raw: Column<'i32'>;
  readonly #normalized: Column<'i32'>;
  readonly #total: Column<'i32'>;
  #class!: PodClass;
  #slots = 0;

  constructor(modules: ColumnCycleModules) {
    this.#modules = modules;
    const { framework, memory, columns } = modules;
    this.#fitPosition = framework.filterPlugins.findIndex((plugin) => plugin.name === NODE_RESOURCES_FIT);
    this.#fit = framework.scorePlugins.map(({ plugin }) => plugin).find((plugin) => plugin instanceof NodeResourcesFit);
    this.#percentTable = memory.allocate(PERCENT_TABLE_BYTES);
    const scoreOfPercent = this.#fit?.scoreOfPercent ?? [];
    new Int32Array(memory.memory.buffer, this.#percentTable, 101).set(scoreOfPercent);
    this.#selected = memory.allocate(SELECT_RESULT_BYTES);
    this.#feasible = columns.table.add('i32');
    this.#raw = columns.table.add('i32');
    this.#normalized = columns.table.add('i32');
    this.#total = columns.table.add('i32');
  }

  begin(podClass: PodClass): void {
    const { framework, cluster } = this.#modules;
    this.#class = podClass;
    this.#slots = cluster.slotCount;
    this.rejected = framework.rejectedByPreFilter(podClass.preFilter, cluster);
  }

  filter(): number {
    const { filterEntries, gate } = this.#class;
    return this.#modules.kernels.filterFit(
      filterEntries.pointer,
      filterEntries.count,
      gate.mask.pointer,
      this.#feasible.pointer,
      0,
      this.#slots,
    );
  }

  feasibleNodes(): readonly NodeInfo[] {
    return this.#modules.cluster.nodeInfos().filter((node) => this.#feasible.values[node.slot] === FEASIBLE);
  }

  *rejections(): Iterable<readonly [NodeInfo, Status]> {
    const shortages = this.#shortages();
    for (const node of this.#modules.cluster.nodeInfos()) {
      if (this.#feasible.values[node.slot] === FEASIBLE) continue;
      const verdict = this.#class.gate.verdict(node.slot);
      // The plugin that comes first in filter order has the word.
      if (verdict !== null && verdict.position < this.#fitPosition) yield [node, verdict.status];
      else yield [node, this.#fitStatus(node.slot, shortages) ?? mustReject(verdict?.status)];
    }
  }

  reasonCounts(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const [, { reasons }] of this.rejections()) {
      for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
    }
    return counts;
  }

  score(): Status | null {
    if (this.#class.preScoreFailure !== null) return this.#class.preScoreFailure;
    const { kernels } = this.#modules;
    kernels.fill(this.#total.pointer, this.#constantScore(), 0, this.#slots);
    for (const score of this.#class.scores) {
      const normalized = this.#scoreOne(score)?.normalized;
      if (normalized === undefined) continue;
      kernels.addWeighted(normalized.pointer, score.weight, this.#total.pointer, 0, this.#slots);
    }
    return null;
  }

  select(draw: (ties: number) => number): Selection {
    const { kernels, columns, memory } = this.#modules;
    const { order } = columns.fixed;
    kernels.selectBest(this.#total.pointer, this.#feasible.pointer, order.pointer, this.#selected, 0, this.#slots);
    const result = new Int32Array(memory.memory.buffer, this.#selected, SELECT_RESULT_BYTES / 4);
    const [total = 0, ties = 0, first = -1] = result;
    const slot = ties > 1 ? this.#drawTie(total, ties, first, draw) : first;
    const node = this.#modules.cluster.nodeAt(slot);
    assert(node !== undefined, `the kernels chose slot ${slot}, which holds no node`);
    return { node, total, ties };
  }

  total(node: NodeInfo): number {
    return this.#total.values[node.slot] ?? 0;
  }

  pluginScores(): readonly PluginScores[] {
    return this.#class.scores.map((score) => {
      const columns = this.#scoreOne(score);
      const constant = constantNormalized(score);
      const raw = columns?.raw.values.slice(0, this.#slots);
      const normalized = columns?.normalized.values.slice(0, this.#slots);
      return {
        plugin: score.plugin.name,
        weight: score.weight,
        raw: ({ slot }) => raw?.[slot] ?? 0,
        normalized: ({ slot }) => normalized?.[slot] ?? constant,
      };
    });
  }

  /** What the plugins whose raw scores are 0 everywhere add to every node. */
  #constantScore(): number {
    let sum = 0;
    for (const score of this.#class.scores) {
      const isKernel = score.plugin.scoreReads === 'kernel';
      if (!isKernel && this.#class.gate.raw(score.plugin.name) === undefined) {
        sum += constantNormalized(score) * score.weight;
      }
    }
    return sum;
  }

  /** Columns with a plugin's scores, valid until the next call; null when they are the same constant for every node. */
  #scoreOne({ plugin }: WeightedScorePlugin): { raw: Column<'i32'>; normalized: Column<'i32'> } | null {
    const { kernels } = this.#modules;
    let raw = this.#raw;
    if (plugin.scoreReads === 'kernel') {
      this.#runScoreKernel(plugin.name);
    } else {
      const column = this.#class.gate.raw(plugin.name);
      if (column === undefined) return null;
      raw = column;
    }
    if (plugin.normalize === undefined) return { raw, normalized: raw };
    const max = kernels.maxFeasible(raw.pointer, this.#feasible.pointer, 0, this.#slots);
    const reverse = plugin.normalize.reverse ? 1 : 0;
    kernels.normalize(raw.pointer, max, reverse, this.#normalized.pointer, 0, this.#slots);
    return { raw, normalized: this.#normalized };
  }

  #runScoreKernel(plugin: string): void {
    const { kernels, columns } = this.#modules;
    const { fitScoreEntries, balancedEntries } = this.#class;
    const out = this.#raw.pointer;
    const exact = columns.needsExactScores ? 1 : 0;
    if (plugin === NODE_RESOURCES_BALANCED_ALLOCATION) {
      kernels.scoreBalancedAllocation(balancedEntries.pointer, balancedEntries.count, out, 0, this.#slots);
      return;
    }
    assert(plugin === NODE_RESOURCES_FIT && this.#fit !== undefined, `no kernel scores for ${plugin}`);
    const { pointer, count } = fitScoreEntries;
    switch (this.#fit.strategy.type) {
      case 'LeastAllocated':
        kernels.scoreLeastAllocated(pointer, count, out, exact, 0, this.#slots);
        break;
      case 'MostAllocated':
        kernels.scoreMostAllocated(pointer, count, out, exact, 0, this.#slots);
        break;
      case 'RequestedToCapacityRatio':
        kernels.scoreRequestedToCapacityRatio(pointer, count, this.#percentTable, out, exact, 0, this.#slots);
        break;
    }
  }

  #drawTie(total: number, ties: number, first: number, draw: (ties: number) => number): number {
    const rank = draw(ties);
    if (rank === 0) return first;
    const { kernels, columns } = this.#modules;
    // The normalised column is free again: it takes the list of ties.
    kernels.collectTies(this.#total.pointer, this.#feasible.pointer, total, this.#normalized.pointer, 0, this.#slots);
    const slots = this.#normalized.values.subarray(0, ties);
    const order = columns.fixed.order.values;
    const orderOf = (slot: number): number => order[slot] ?? 0;
    // Slots that were reused break the order; sorting an ordered list would be waste.
    if (slots.some((slot, i) => i > 0 && orderOf(slot) < orderOf(slots[i - 1] ?? 0))) {
      slots.sort((a, b) => orderOf(a) - orderOf(b));
    }
    return slots[rank] ?? first;
  }

  /** Per filtered resource, the kernel's word on every slot. */
  #shortages(): Uint8Array[] {
    const { kernels } = this.#modules;
    return this.#class.filterEntries.entries.map(({ allocatable, requested, podRequest }) => {
      const { pointer, values } = this.#raw;
      kernels.fitReasons(allocatable.pointer, requested.pointer, Number(podRequest), pointer, 0, this.#slots);
      return new Uint8Array(values.buffer, pointer, this.#slots).slice();
    });
  }

  #fitStatus(slot: number, shortages: readonly Uint8Array[]): Status | null {
    const reasons: string[] = [];
    let resolvable = true;
    shortages.forEach((shortage, i) => {
      const verdict = shortage[slot];
      if (verdict === FIT_OK) return;
      const resource = this.#class.filterResources[i] ?? '';
      reasons.push(resource === 'pods' ? TOO_MANY_PODS : insufficient(resource));
      // Too many pods can always be helped by eviction, even where no pod is allowed at all.
      if (resource !== 'pods' && verdict === FIT_EXCEEDS_ALLOCATABLE) resolvable = false;
    });
    if (reasons.length === 0) return null;
    return (resolvable ? unschedulable : unresolvable)(NODE_RESOURCES_FIT, ...reasons);
  }
}

/** The normalised score of every node when all raw scores are 0. */
function constantNormalized({ plugin }: WeightedScorePlugin): number {
  return plugin.normalize?.reverse ? MAX_NODE_SCORE : 0;
}

function mustReject(status: Status | undefined): Status {
  assert(status !== undefined, 'a node is infeasible, but nothing rejects it');
  return status;
}
