import type { ClusterState } from '../../framework/cluster/cluster-state.ts';
import { type ChangeReason, NODE_AND_PODS, NODE_AND_PORTS, NODE_ONLY } from '../../framework/cluster/node-changes.ts';
import type { CycleState } from '../../framework/cycle-state.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import {
  type FilterPlugin,
  LOOKS_AT_NOTHING,
  MAX_NODE_SCORE,
  type NodeParts,
  type Plugin,
  type Reads,
  type ScorePlugin,
} from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { PreFilterOutcome, WeightedScorePlugin } from '../../framework/runtime/framework.ts';
import type { ActiveTrace } from '../../framework/tracing/active-trace.ts';
import type { Trace } from '../../framework/tracing/tracer.ts';
import { ColumnVerdicts, scoreOrUndefined } from './column-verdicts.ts';
import { KnownLooks, NO_LOOK } from './known-looks.ts';
import { mergedParts } from './merged-parts.ts';
import type { NodeAttributes } from './node-attributes.ts';
import type { PluginColumnSets } from './plugin-columns.ts';
import { type Answers, LEFT_OUT, type VerdictTable } from './verdict-table.ts';

/** The largest raw score that a column of 32 bits holds. */
const LARGEST_RAW = 2 ** 31 - 1;

/** A position behind every filter. */
const NOWHERE = Number.POSITIVE_INFINITY;

export interface NodeJudgeModules {
  readonly cluster: ClusterState;
  readonly attributes: NodeAttributes;
  /** All filters of the framework, in order. */
  readonly filters: readonly FilterPlugin[];
  readonly activeTrace: ActiveTrace;
  /** The columns that plugins' column functions read. */
  readonly pluginColumns: PluginColumnSets;
}

/** The pod for which plugins are called, the first of those that share the verdicts. */
export interface VerdictsPod {
  readonly pod: PodInfo;
  readonly state: CycleState;
  readonly preFilter: PreFilterOutcome;
  readonly scores: readonly WeightedScorePlugin[];
}

/** A filter, and its position among those of the framework. */
interface PlacedFilter {
  readonly plugin: FilterPlugin;
  readonly position: number;
}

/** A plugin that scores nodes, and its position among those that do. */
export interface NodeScorer {
  readonly plugin: ScorePlugin;
  readonly position: number;
}

/**
 * Asks the plugins outside the kernels about one node at a time. Plugins that read no pods and no images are not asked
 * about a node that looks to them like one about which they were asked before.
 */
export class NodeJudge {
  readonly verdictsPod: VerdictsPod;
  readonly scores: readonly WeightedScorePlugin[];
  /** Whether pods that come and go on a node can change the verdict on it. */
  readonly readsPods: boolean;
  /** Whether filters see nothing of pods but host ports, so that nodes without any in use are alike to them. */
  readonly readsNoMoreThanPorts: boolean;
  /** The changes of a node that can change the verdict on it. */
  readonly reasons: readonly ChangeReason[];
  /** What the plugins that read neither pods nor images see of a node; null if some plugin sees more. */
  readonly parts: NodeParts | null;
  readonly #modules: NodeJudgeModules;
  readonly #filters: PlacedFilter[] = [];
  /** The filters that read the pods of a node. */
  readonly #podFilters: PlacedFilter[] = [];
  readonly #otherFilters: PlacedFilter[] = [];
  readonly #answers: VerdictTable;
  readonly #onAdded: () => void;
  readonly #knownLooks: KnownLooks;
  /** Null if no plugin has column functions, or one of them failed. */
  #byColumns: ColumnVerdicts | null;
  /** The scores of the node that is being judged. */
  readonly #nodeScores: number[];
  #nodeScorers: NodeScorer[] | null = null;

  constructor(modules: NodeJudgeModules, verdictsPod: VerdictsPod, answers: VerdictTable, onAdded: () => void) {
    this.#modules = modules;
    this.verdictsPod = verdictsPod;
    this.#answers = answers;
    this.#onAdded = onAdded;
    for (let position = 0; position < modules.filters.length; position++) {
      const plugin = modules.filters[position] as FilterPlugin;
      if (plugin.filterReads === 'kernel' || verdictsPod.state.skipFilter.has(plugin.name)) continue;
      const filter = { plugin, position };
      this.#filters.push(filter);
      (readsPods(plugin.filterReads) ? this.#podFilters : this.#otherFilters).push(filter);
    }
    this.scores = verdictsPod.scores.filter(({ plugin }) => plugin.scoreReads !== 'kernel');
    this.#nodeScores = this.scores.map(() => 0);
    this.readsNoMoreThanPorts = this.#podFilters.every(({ plugin }) => plugin.filterReads === 'hostPorts');
    const readsAllPods = !this.readsNoMoreThanPorts || this.scores.some(({ plugin }) => readsPods(plugin.scoreReads));
    this.readsPods = readsAllPods || this.#podFilters.length > 0;
    this.reasons = readsAllPods ? NODE_AND_PODS : this.readsPods ? NODE_AND_PORTS : NODE_ONLY;
    this.parts = this.#lookedAt();
    this.#knownLooks = new KnownLooks(modules.attributes, this.parts);
    this.#byColumns = this.#columnVerdicts();
  }

  #columnVerdicts(): ColumnVerdicts | null {
    const filters = this.#filters.map(({ plugin }) => plugin);
    const scores = this.scores.map(({ plugin }) => plugin);
    const { pluginColumns } = this.#modules;
    const columns = orNull(() => new ColumnVerdicts(this.verdictsPod.pod, pluginColumns, filters, scores));
    return columns?.isEmpty ? null : columns;
  }

  #lookedAt(): NodeParts | null {
    if (this.verdictsPod.preFilter.nodeNames !== null) return null;
    const filters = this.#otherFilters.map(({ plugin }) => plugin);
    if (filters.some((plugin) => plugin.filterReads !== 'node')) return null;
    const scorers = this.scores.map(({ plugin }) => plugin).filter(({ scoreReads }) => scoreReads !== 'images');
    if (scorers.some((plugin) => plugin.scoreReads !== 'node')) return null;
    return this.#partsOfAll([...filters, ...scorers]);
  }

  #partsOfAll(plugins: readonly Plugin[]): NodeParts | null {
    let all = LOOKS_AT_NOTHING;
    for (const plugin of new Set(plugins)) {
      const part = plugin.looksAt?.(this.verdictsPod.pod.pod) ?? null;
      if (part === null) return null;
      all = mergedParts(all, part);
    }
    return all;
  }

  /** Without `slots`, computes all. After a function has failed, the plugins' own methods take their place for good. */
  computeColumns(slots: Iterable<number> | null): void {
    const columns = this.#byColumns;
    if (columns === null) return;
    const { slotCount } = this.#modules.cluster;
    const isDone = orNull(() => {
      columns.sync();
      if (slots === null) columns.compute(0, slotCount);
      else for (const slot of slots) columns.compute(slot, slot + 1);
      return true;
    });
    if (isDone === null) this.#byColumns = null;
  }

  /** The verdict id of the node. */
  idOf(node: NodeInfo): number {
    const look = this.#knownLooks.lookOf(node.slot);
    if (look === NO_LOOK) return this.#idByCalls(node, this.#filters, true);
    let id = this.#knownLooks.idOf(look);
    if (id === undefined) {
      id = this.idOfLook(node);
      this.#knownLooks.setId(look, id);
    }
    return this.#idWithImages(node, this.idWithPods(node, id));
  }

  /** The verdict id of all nodes that look the same, before filters that read pods, and with no images. */
  idOfLook(node: NodeInfo): number {
    return this.#idByCalls(node, this.#otherFilters, false);
  }

  /** The filters that do not read the pods of a node, in filter order. */
  get nodeFilters(): readonly PlacedFilter[] {
    return this.#otherFilters;
  }

  /** What a filter sees of a node; null if it sees more than that. */
  partsOf(plugin: FilterPlugin): NodeParts | null {
    return plugin.filterReads === 'node' ? (plugin.looksAt?.(this.verdictsPod.pod.pod) ?? null) : null;
  }

  /** What the plugins see of a node that score it, but for images; null if some plugin sees more. */
  get scoredParts(): NodeParts | null {
    const scorers = this.scores.map(({ plugin }) => plugin).filter(({ scoreReads }) => scoreReads !== 'images');
    return scorers.some(({ scoreReads }) => scoreReads !== 'node') ? null : this.#partsOfAll(scorers);
  }

  /** The verdict id of the filter's rejection; null if it accepts the node. */
  rejectionBy(filter: PlacedFilter, node: NodeInfo): number | null {
    return this.#rejectionBy(filter, node, this.#atNode());
  }

  /** The verdict id of a node that passes and gets these scores by `scorers`, with no images. */
  idOfScores(node: NodeInfo, scoreBy: (scorer: NodeScorer, node: NodeInfo) => number): number {
    const scores = this.#nodeScores;
    scores.fill(0);
    for (const scorer of this.nodeScorers) scores[scorer.position] = scoreBy(scorer, node);
    return this.#answers.idOfScores(scores, this.#onAdded);
  }

  /** The plugins that score a node without its images. */
  get nodeScorers(): readonly NodeScorer[] {
    if (this.#nodeScorers === null) {
      this.#nodeScorers = [];
      for (const [position, { plugin }] of this.scores.entries()) {
        if (plugin.scoreReads !== 'images') this.#nodeScorers.push({ plugin, position });
      }
    }
    return this.#nodeScorers;
  }

  /** What a plugin sees of a node that it scores; null if it sees more than that. */
  scoredPartsOf(plugin: ScorePlugin): NodeParts | null {
    return plugin.scoreReads === 'node' ? (plugin.looksAt?.(this.verdictsPod.pod.pod) ?? null) : null;
  }

  /** The plugin's raw score of the node. */
  scoreBy(plugin: ScorePlugin, node: NodeInfo): number {
    return this.score(plugin, node, this.#atNode());
  }

  /** The verdict id of nodes with this answer about a pod that differs in images alone, with no images. */
  idLike({ verdict, raw }: Answers): number {
    if (verdict !== null) return this.#answers.idOfRejection(verdict.status, verdict.position, this.#onAdded);
    const scores = raw.map((score, i) => (this.scores[i]?.plugin.scoreReads === 'images' ? 0 : score));
    return this.#answers.idOfScores(scores, this.#onAdded);
  }

  /** The slots of nodes of which filters that read host ports may say something else than of one without pods. */
  get slotsWithPorts(): ReadonlySet<number> {
    const { pod } = this.verdictsPod;
    const ports: number[] = [];
    for (const { plugin } of this.#podFilters) {
      if (plugin.hostPortsRead === undefined) return this.#modules.cluster.slotsWithPorts(null);
      ports.push(...plugin.hostPortsRead(pod));
    }
    return this.#modules.cluster.slotsWithPorts(ports);
  }

  /** The verdict id of a node with its pods, if it has this one without them. */
  idWithPods(node: NodeInfo, id: number): number {
    if (this.#podFilters.length === 0) return id;
    const place = this.#answers.verdict(id)?.position ?? NOWHERE;
    return this.#rejectingId(node, this.#podFilters, place, this.#atNode()) ?? id;
  }

  #idWithImages(node: NodeInfo, id: number): number {
    if (!this.#answers.accepts(id)) return id;
    let withImages = id;
    for (let i = 0; i < this.scores.length; i++) {
      const { plugin } = this.scores[i] as WeightedScorePlugin;
      if (plugin.scoreReads !== 'images') continue;
      const raw = this.#answers.raw(withImages);
      const score = this.score(plugin, node, this.#atNode());
      if (score !== raw[i]) withImages = this.#answers.idOfScores(raw.with(i, score), this.#onAdded);
    }
    return withImages;
  }

  /** Without `withImages`, plugins that read images are not called and score 0. */
  #idByCalls(node: NodeInfo, filters: readonly PlacedFilter[], withImages: boolean): number {
    const trace = this.#atNode();
    return this.#rejectingId(node, filters, NOWHERE, trace) ?? this.#idOfScores(node, withImages, trace);
  }

  #idOfScores(node: NodeInfo, withImages: boolean, trace: Trace | null): number {
    const scores = this.#nodeScores;
    for (let i = 0; i < scores.length; i++) {
      const { plugin } = this.scores[i] as WeightedScorePlugin;
      scores[i] = withImages || plugin.scoreReads !== 'images' ? this.score(plugin, node, trace) : 0;
    }
    return this.#answers.idOfScores(scores, this.#onAdded);
  }

  #atNode(): Trace | null {
    return this.#modules.activeTrace.trace?.atNode() ?? null;
  }

  /** Returns the id of the first rejection of the node by a filter before the place; null if there is none. */
  #rejectingId(node: NodeInfo, filters: readonly PlacedFilter[], place: number, trace: Trace | null): number | null {
    const { preFilter } = this.verdictsPod;
    if (preFilter.nodeNames !== null && !preFilter.nodeNames.has(node.name)) {
      return this.#answers.idOfRejection(preFilter.excluded, LEFT_OUT, this.#onAdded);
    }
    for (let i = 0; i < filters.length; i++) {
      const filter = filters[i] as PlacedFilter;
      if (filter.position > place) return null;
      const id = this.#rejectionBy(filter, node, trace);
      if (id !== null) return id;
    }
    return null;
  }

  #rejectionBy({ plugin, position }: PlacedFilter, node: NodeInfo, trace: Trace | null): number | null {
    const { pod, state } = this.verdictsPod;
    trace?.startPlugin('filter', plugin.name, node.name);
    const known = this.#byColumns?.verdict(plugin, node.slot);
    const status = known === undefined ? plugin.filter(state, pod, node) : known;
    trace?.end();
    return status === null ? null : this.#answers.idOfRejection(status, position, this.#onAdded);
  }

  /** The plugin's raw score of the node; 0 after it has failed. */
  score(plugin: ScorePlugin, node: NodeInfo, trace: Trace | null): number {
    const { pod, state } = this.verdictsPod;
    trace?.startPlugin('score', plugin.name, node.name);
    const score = this.#byColumns?.score(plugin, node.slot) ?? scoreOrUndefined(plugin, state, pod, node);
    trace?.end();
    if (score !== undefined && score >= 0 && score <= largestRaw(plugin)) return score;
    this.#answers.hasFailed = true;
    return 0;
  }
}

function readsPods(reads: Reads): boolean {
  return reads === 'nodePods' || reads === 'hostPorts';
}

/** The largest raw score that columns hold and that is valid after normalisation. */
function largestRaw({ normalize, normalizeScores }: ScorePlugin): number {
  return normalize || normalizeScores ? LARGEST_RAW : MAX_NODE_SCORE;
}

/** Returns the result of the plugins' functions; null if they throw. */
function orNull<T>(run: () => T): T | null {
  try {
    return run();
  } catch {
    return null;
  }
}
