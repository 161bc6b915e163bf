import { type Kernels, SELECT_RESULT_BYTES } from '../../kernels/abi.ts';
import { assert } from '../../lib/assert.ts';
import type { Column } from '../../memory/column-table.ts';
import type { NodeColumns } from '../../memory/node-columns.ts';
import type { SharedMemory } from '../../memory/shared-memory.ts';
import type { ClusterState } from '../cache/cluster-state.ts';
import type { CycleState } from '../framework/cycle-state.ts';
import type { Framework, WeightedScorePlugin } from '../framework/framework.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import { MAX_NODE_SCORE, type Normalization, type ScorePlugin } from '../framework/plugin.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import type { Status } from '../framework/status.ts';
import type { SearchWindow } from '../node-search.ts';
import { NODE_RESOURCES_BALANCED_ALLOCATION, NODE_RESOURCES_FIT } from '../plugins/names.ts';
import { NodeResourcesFit } from '../plugins/node-resources/fit.ts';
import type { Cycle, PluginScores, Selection, TieBreak } from './engine.ts';
import { FitStatuses } from './fit-statuses.ts';
import { NodeStatuses } from './node-statuses.ts';
import { NominatedNodes, type OwnNomination } from './nominated-nodes.ts';
import { type PodClass, runPreScore } from './pod-class.ts';

export interface ColumnCycleModules {
  readonly kernels: Kernels;
  readonly framework: Framework;
  readonly cluster: ClusterState;
  readonly memory: SharedMemory;
  readonly columns: NodeColumns;
}

const FEASIBLE = -1;
const INFEASIBLE = 0;
/** One i32 score for each whole percent of utilisation, 0 to 100. */
const PERCENT_TABLE_BYTES = 101 * 4;

/** A scheduling attempt over columns. One object serves all attempts of an engine, one after the other. */
export class ColumnCycle implements Cycle {
  rejected: Status | null = null;
  processed = 0;
  readonly #modules: ColumnCycleModules;
  readonly #nominatedNodes: NominatedNodes;
  readonly #fitPosition: number;
  readonly #fit: NodeResourcesFit | undefined;
  readonly #percentTable: number;
  readonly #selected: number;
  readonly #feasible: Column<'i32'>;
  readonly #raw: Column<'i32'>;
  readonly #normalized: Column<'i32'>;
  readonly #total: Column<'i32'>;
  readonly #list: Column<'i32'>;
  #found: Int32Array | null = null;
  #start = 0;
  #class!: PodClass;
  #pod!: PodInfo;
  /** The pod's own nominated node, looked at first; when it is feasible it is taken, and no other is looked at. */
  #own: OwnNomination | null = null;
  /** How many nodes from the start on the search came to. */
  #searched = 0;
  /** What the kernels cannot know: verdicts on nodes where other pods are expected. */
  #nominated: ReadonlyMap<NodeInfo, Status | null> = new Map();
  #statuses: NodeStatuses | null = null;
  #scores: readonly WeightedScorePlugin[] = [];
  #slots = 0;

  constructor(modules: ColumnCycleModules) {
    this.#modules = modules;
    const { framework, cluster, memory, columns } = modules;
    this.#nominatedNodes = new NominatedNodes(framework, cluster);
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
    this.#list = columns.table.add('i32');
  }

  begin(podClass: PodClass, pod: PodInfo): void {
    const { framework, cluster } = this.#modules;
    this.#class = podClass;
    this.#pod = pod;
    this.#own = null;
    this.#statuses = null;
    this.#slots = cluster.slotCount;
    this.rejected = framework.rejectedByPreFilter(podClass.preFilter, cluster);
  }

  get state(): CycleState {
    return this.#class.state;
  }

  filter({ start, wanted }: SearchWindow): number {
    const { filterEntries, gate, preFilter } = this.#class;
    const { kernels, cluster } = this.#modules;
    this.#found = null;
    this.#start = start;
    this.processed = 0;
    this.#own = this.#nominatedNodes.own(this.#class, this.#pod);
    if (this.#own?.status === null) return 1;
    let feasible = kernels.filterFit(
      filterEntries.pointer,
      filterEntries.count,
      gate.mask.pointer,
      this.#feasible.pointer,
      0,
      this.#slots,
    );
    feasible += this.#correctNominated();
    this.processed = preFilter.nodeNames === null ? cluster.nodeCount : this.#countExisting(preFilter.nodeNames);
    const isWhole = start === 0 && feasible <= wanted;
    if (!isWhole) feasible = this.#search(start, wanted);
    this.#searched = preFilter.nodeNames === null ? this.processed : cluster.nodeCount;
    // The nominated node was looked at, whether or not the search came to it.
    if (this.#own !== null && !this.#isSearched(this.#own.node)) this.processed++;
    return feasible;
  }

  feasibleNodes(): readonly NodeInfo[] {
    if (this.#own?.status === null) return [this.#own.node];
    return Array.from(this.#foundSlots(), (slot) => this.#mustNode(slot));
  }

  rejections(): Iterable<readonly [NodeInfo, Status]> {
    return this.nodeStatuses().rejections();
  }

  reasonCounts(): Map<string, number> {
    return this.nodeStatuses().reasonCounts();
  }

  nodeStatuses(): NodeStatuses {
    this.#statuses ??= new NodeStatuses(this.#modules.cluster, this.#slots, this.#statusOf());
    return this.#statuses;
  }

  #statusOf(): (node: NodeInfo, position: number) => Status | null {
    const { rejected } = this;
    const own = this.#own;
    if (rejected !== null) return () => rejected;
    if (own?.status === null) return () => null;
    const { gate, filterResources } = this.#class;
    const { nodeCount } = this.#modules.cluster;
    const feasible = this.#feasible.values;
    const fit = new FitStatuses(filterResources, this.#shortages());
    return (node, position) => {
      const { slot } = node;
      if (node === own?.node) return own.status;
      if (feasible[slot] === FEASIBLE) return null;
      if ((position - this.#start + nodeCount) % nodeCount >= this.#searched) return null;
      const nominated = this.#nominated.get(node);
      if (nominated !== undefined) return nominated;
      const verdict = gate.verdict(slot);
      // The plugin that comes first in filter order has the word.
      if (verdict !== null && verdict.position < this.#fitPosition) return verdict.status;
      return fit.status(slot) ?? mustReject(verdict?.status);
    };
  }

  /** Puts the verdicts on nodes with nominated pods in place of the kernels'; returns how many more are feasible. */
  #correctNominated(): number {
    this.#nominated = this.#nominatedNodes.verdicts(this.#class, this.#pod);
    const feasible = this.#feasible.values;
    let gained = 0;
    for (const [{ slot }, status] of this.#nominated) {
      if (feasible[slot] === FEASIBLE) gained--;
      if (status === null) gained++;
      feasible[slot] = status === null ? FEASIBLE : INFEASIBLE;
    }
    return gained;
  }

  #isSearched(node: NodeInfo): boolean {
    const { cluster } = this.#modules;
    const { nodeNames } = this.#class.preFilter;
    if (nodeNames !== null) return nodeNames.has(node.name);
    if (this.#searched === cluster.nodeCount) return true;
    const position = cluster.nodeInfos().indexOf(node);
    return (position - this.#start + cluster.nodeCount) % cluster.nodeCount < this.#searched;
  }

  score(): Status | null {
    const { kernels, framework } = this.#modules;
    const { pod, state, preScore } = this.#class;
    const { failure, scores } = preScore ?? runPreScore(framework, state, pod, this.feasibleNodes());
    if (failure !== null) return failure;
    this.#scores = scores;
    kernels.fill(this.#total.pointer, this.#constantScore(), 0, this.#slots);
    for (const score of scores) {
      const normalized = this.#scoreOne(score)?.normalized;
      if (normalized === undefined) continue;
      kernels.addWeighted(normalized.pointer, score.weight, this.#total.pointer, 0, this.#slots);
    }
    return null;
  }

  select(tieBreak: TieBreak, draw: (ties: number) => number): Selection {
    const { kernels, columns, memory } = this.#modules;
    if (tieBreak === 'upstream') {
      const found = this.#foundSlots();
      kernels.selectHeapRoot(this.#list.pointer, found.length, this.#total.pointer, this.#selected);
    } else {
      const { order } = columns.fixed;
      kernels.selectBest(this.#total.pointer, this.#feasible.pointer, order.pointer, this.#selected, 0, this.#slots);
    }
    const result = new Int32Array(memory.memory.buffer, this.#selected, SELECT_RESULT_BYTES / 4);
    const [total = 0, ties = 0, first = -1] = result;
    const slot = ties > 1 && tieBreak === 'random' ? this.#drawTie(total, ties, first, draw) : first;
    return { node: this.#mustNode(slot), total, ties };
  }

  total(node: NodeInfo): number {
    return this.#total.values[node.slot] ?? 0;
  }

  pluginScores(): readonly PluginScores[] {
    return this.#scores.map((score) => {
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
    for (const score of this.#scores) {
      if (this.#isConstant(score.plugin)) sum += constantNormalized(score) * score.weight;
    }
    return sum;
  }

  #isConstant(plugin: ScorePlugin): boolean {
    if (plugin.scoreReads === 'kernel' || this.#class.preScore === null) return false;
    return this.#class.gate.raw(plugin.name) === undefined;
  }

  /** Columns with a plugin's scores, valid until the next call; null when they are the same constant for every node. */
  #scoreOne({ plugin }: WeightedScorePlugin): { raw: Column<'i32'>; normalized: Column<'i32'> } | null {
    if (this.#isConstant(plugin)) return null;
    let raw = this.#raw;
    if (plugin.scoreReads === 'kernel') this.#runScoreKernel(plugin.name);
    else if (this.#class.preScore === null) return this.#scoreByMethod(plugin);
    else raw = this.#class.gate.raw(plugin.name) ?? raw;
    if (plugin.normalize === undefined) return { raw, normalized: raw };
    return this.#normalize(raw, plugin.normalize);
  }

  #normalize(raw: Column<'i32'>, { reverse }: Normalization): { raw: Column<'i32'>; normalized: Column<'i32'> } {
    const { kernels } = this.#modules;
    const max = kernels.maxFeasible(raw.pointer, this.#feasible.pointer, 0, this.#slots);
    kernels.normalize(raw.pointer, max, reverse ? 1 : 0, this.#normalized.pointer, 0, this.#slots);
    return { raw, normalized: this.#normalized };
  }

  /** The plugin's own method on every feasible node: for scores that no column keeps. */
  #scoreByMethod(plugin: ScorePlugin): { raw: Column<'i32'>; normalized: Column<'i32'> } {
    const { pod, state } = this.#class;
    const nodes = this.feasibleNodes();
    const scores = nodes.map((node) => plugin.score(state, pod, node));
    nodes.forEach(({ slot }, i) => {
      this.#raw.values[slot] = scores[i] ?? 0;
    });
    if (plugin.normalize !== undefined) return this.#normalize(this.#raw, plugin.normalize);
    if (plugin.normalizeScores === undefined) return { raw: this.#raw, normalized: this.#raw };
    const normalized = plugin.normalizeScores(state, pod, nodes, scores);
    nodes.forEach(({ slot }, i) => {
      this.#normalized.values[slot] = normalized[i] ?? 0;
    });
    return { raw: this.#raw, normalized: this.#normalized };
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

  /** Leaves feasible what the search finds, and lists it. */
  #search(start: number, wanted: number): number {
    const { kernels, cluster, memory, columns } = this.#modules;
    const order = columns.snapshotOrder(cluster.snapshotOrder());
    const found = kernels.collectWindow(
      order.pointer,
      cluster.nodeCount,
      start,
      wanted,
      this.#feasible.pointer,
      this.#list.pointer,
      this.#selected,
    );
    if (this.#class.preFilter.nodeNames === null) {
      this.processed = new Int32Array(memory.memory.buffer, this.#selected, 1)[0] ?? 0;
    }
    this.#found = this.#list.values.subarray(0, found);
    return found;
  }

  /** Feasible slots in the order in which they were found. */
  #foundSlots(): Int32Array {
    const everything = this.#modules.cluster.nodeCount;
    if (this.#found === null) this.#search(0, everything);
    return this.#found ?? new Int32Array(0);
  }

  #countExisting(names: ReadonlySet<string>): number {
    let count = 0;
    for (const name of names) if (this.#modules.cluster.node(name) !== undefined) count++;
    return count;
  }

  #mustNode(slot: number): NodeInfo {
    const node = this.#modules.cluster.nodeAt(slot);
    assert(node !== undefined, `slot ${slot} holds no node`);
    return node;
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
}

/** The normalised score of every node when all raw scores are 0. */
function constantNormalized({ plugin }: WeightedScorePlugin): number {
  return plugin.normalize?.reverse ? MAX_NODE_SCORE : 0;
}

function mustReject(status: Status | undefined): Status {
  assert(status !== undefined, 'a node is infeasible, but nothing rejects it');
  return status;
}
