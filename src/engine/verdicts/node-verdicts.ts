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
import type { Status } from '../../framework/status.ts';
import type { ActiveTrace } from '../../framework/tracing/active-trace.ts';
import type { Trace } from '../../framework/tracing/tracer.ts';
import type { Column, ColumnTable } from '../../memory/column-table.ts';
import { ColumnVerdicts, scoreOrUndefined } from './column-verdicts.ts';
import { imageLooksOf, NO_IMAGES } from './image-looks.ts';
import type { NodeAttributes } from './node-attributes.ts';
import type { PluginColumnSets } from './plugin-columns.ts';
import { LEFT_OUT, NO_NODE_ID, type Verdict, VerdictTable } from './verdict-table.ts';

/** The key of a node that looks like no other. */
const NO_KEY = -1;
/** The largest raw score that a column of 32 bits holds. */
const LARGEST_RAW = 2 ** 31 - 1;
export interface NodeVerdictsModules {
  readonly cluster: ClusterState;
  readonly table: ColumnTable;
  readonly attributes: NodeAttributes;
  /** All filters of the framework, in order. */
  readonly filters: readonly FilterPlugin[];
  /** Called with every slot whose verdict id has changed. */
  readonly onIdChanged: (slot: number) => void;
  /** Called when there is one more verdict id. */
  readonly onIdAdded: (verdicts: NodeVerdicts) => void;
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

/**
 * The results of all filter and score plugins outside the kernels, shared by all pods that are alike but for their
 * requests. Each plugin is called once per node, and later only for nodes that changed.
 * Nodes with the same verdict id are rejected for the same reason, or get the same raw scores.
 *
 *   verdict id of each slot   3 1 1 0 2 3        0: there is no node
 *   answers by verdict id     1: passes, raw scores 0 0   2: passes, 0 10   3: rejected by TaintToleration
 *
 * Cycles read columns that are made from the ids: a mask of the nodes that pass, and raw scores by plugin.
 */
export class NodeVerdicts {
  /** The verdict id of each slot. */
  readonly ids: Column<'u16'>;
  /** A number that changes with the verdict id of any node. */
  idsVersion = 0;
  readonly #modules: NodeVerdictsModules;
  /** Whether pods that come and go on a node can change the verdict on it. */
  readonly readsPods: boolean;
  readonly #readsPorts: boolean;
  readonly #reasons: readonly ChangeReason[] = NODE_ONLY;
  /** Null if no plugin has column functions, or one of them failed. */
  #byColumns: ColumnVerdicts | null = null;
  #verdictsPod: VerdictsPod;
  #filters: readonly { readonly plugin: FilterPlugin; readonly position: number }[] = [];
  #scores: readonly WeightedScorePlugin[] = [];
  readonly #answers = new VerdictTable();
  readonly #onAdded = (): void => this.#modules.onIdAdded(this);
  /** The scores of the node that is being judged. */
  readonly #nodeScores: number[] = [];
  #mask: Column<'u8'> | null = null;
  readonly #raw = new Map<string, Column<'i32'>>();
  #parts: NodeParts | null = null;
  #cursor = -1;
  /** The number of nodes when images were last scored. */
  #imagesNodeCount = -1;

  constructor(modules: NodeVerdictsModules, verdictsPod: VerdictsPod) {
    this.#modules = modules;
    this.#verdictsPod = verdictsPod;
    this.ids = modules.table.add('u16', 'verdict ids');
    this.renew(verdictsPod);
    const reads = this.#allReads();
    this.#readsPorts = reads.includes('hostPorts');
    this.readsPods = this.#readsPorts || reads.includes('nodePods');
    if (this.readsPods) this.#reasons = reads.includes('nodePods') ? NODE_AND_PODS : NODE_AND_PORTS;
  }

  /** Gives the columns back; the verdicts must not be used afterwards. */
  release(): void {
    const { table } = this.#modules;
    table.remove(this.ids);
    if (this.#mask !== null) table.remove(this.#mask);
    for (const column of this.#raw.values()) table.remove(column);
  }

  /** Drops all verdicts and takes another state, for pods whose verdicts depend on the whole cluster. */
  renew(verdictsPod: VerdictsPod): void {
    this.#verdictsPod = verdictsPod;
    this.#filters = this.#modules.filters.flatMap((plugin, position) =>
      plugin.filterReads === 'kernel' || verdictsPod.state.skipFilter.has(plugin.name) ? [] : [{ plugin, position }],
    );
    this.#scores = verdictsPod.scores.filter(({ plugin }) => plugin.scoreReads !== 'kernel');
    this.#parts = this.#lookedAt();
    this.#byColumns = this.#columnVerdicts();
    this.#cursor = -1;
    this.#answers.clear();
  }

  #allReads(): Reads[] {
    const filters = this.#filters.map(({ plugin }) => plugin.filterReads);
    return [...filters, ...this.#scores.map(({ plugin }) => plugin.scoreReads)];
  }

  #columnVerdicts(): ColumnVerdicts | null {
    const filters = this.#filters.map(({ plugin }) => plugin);
    const scores = this.#scores.map(({ plugin }) => plugin);
    const { pluginColumns } = this.#modules;
    const columns = orNull(() => new ColumnVerdicts(this.#verdictsPod.pod, pluginColumns, filters, scores));
    return columns?.isEmpty ? null : columns;
  }

  /** The parts of a node at which the plugins look; null if some plugin looks at more than those. */
  #lookedAt(): NodeParts | null {
    const { pod } = this.#verdictsPod.pod;
    if (this.#verdictsPod.preFilter.nodeNames !== null) return null;
    // Nodes with host ports in use are judged one by one.
    const filters = this.#filters.map(({ plugin }) => plugin).filter(({ filterReads }) => filterReads !== 'hostPorts');
    if (filters.some((plugin) => plugin.filterReads !== 'node')) return null;
    // Plugins that read images score in a step of their own, `#scoreImages`.
    const scorers = this.#scores.map(({ plugin }) => plugin).filter(({ scoreReads }) => scoreReads !== 'images');
    if (scorers.some((plugin) => plugin.scoreReads !== 'node')) return null;
    let all = LOOKS_AT_NOTHING;
    for (const plugin of new Set<Plugin>([...filters, ...scorers])) {
      const part = plugin.looksAt?.(pod) ?? null;
      if (part === null) return null;
      all = { taints: all.taints || part.taints, labels: [...new Set([...all.labels, ...part.labels])] };
    }
    return all;
  }

  /** Judges again every node that has changed since the last call. */
  sync(): void {
    const { cluster, activeTrace } = this.#modules;
    const { changes } = cluster;
    activeTrace.trace?.start('verdicts');
    const changed = this.#cursor < 0 ? null : changes.since(this.#cursor, this.#reasons);
    this.#computeColumns(changed);
    if (changed === null) this.#judgeAll();
    else for (const slot of changed) this.#judge(slot);
    this.#cursor = changes.end;
    if (this.#imagesNodeCount !== cluster.nodeCount) this.#scoreImages();
    activeTrace.trace?.end();
  }

  /** Without `slots`, computes all. After a function has failed, the plugins' own methods take their place for good. */
  #computeColumns(slots: Iterable<number> | null): void {
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

  /** All verdict ids are below this number. */
  get idCount(): number {
    return this.#answers.size;
  }

  /** Whether nodes with the verdict id pass. */
  accepts(id: number): boolean {
    return this.#answers.accepts(id);
  }

  /** The raw score that every node with the verdict id gets from a plugin. */
  rawOfId(plugin: string, id: number): number {
    return this.#answers.raw(id)[this.#positionOf(plugin)] ?? 0;
  }

  /** Whether a plugin's raw scores are 0 for every node. */
  isZero(plugin: string): boolean {
    return this.#answers.isZero(this.#positionOf(plugin));
  }

  /** Whether a plugin has failed or returned a score that columns do not hold, so that the attempt may fail. */
  get hasFailed(): boolean {
    return this.#answers.hasFailed;
  }

  /** Returns null if the node passes. */
  verdict(slot: number): Verdict | null {
    return this.#answers.verdict(this.ids.values[slot] ?? NO_NODE_ID);
  }

  /** A column with 1 for nodes that pass, as the filter kernel reads it. */
  get mask(): Column<'u8'> {
    if (this.#mask === null) {
      const mask = this.#modules.table.add('u8', 'mask of verdicts');
      this.#mask = mask;
      this.ids.values.forEach((id, slot) => {
        mask.values[slot] = this.accepts(id) ? 1 : 0;
      });
    }
    return this.#mask;
  }

  /** Returns a plugin's raw scores; undefined if they are 0 for every node. */
  raw(plugin: string): Column<'i32'> | undefined {
    let column = this.#raw.get(plugin);
    if (column === undefined && !this.isZero(plugin)) {
      const raw = this.#modules.table.add('i32', `${plugin} of verdicts`);
      column = raw;
      this.#raw.set(plugin, raw);
      this.ids.values.forEach((id, slot) => {
        raw.values[slot] = this.rawOfId(plugin, id);
      });
    }
    return column;
  }

  #positionOf(plugin: string): number {
    return this.#scores.findIndex((score) => score.plugin.name === plugin);
  }

  #judgeAll(): void {
    const { cluster, attributes } = this.#modules;
    const { nodeNames, excluded } = this.#verdictsPod.preFilter;
    const looks = this.#parts === null ? null : attributes.combinationsOf(this.#parts);
    if (nodeNames !== null) this.#judgeNamed(nodeNames, excluded);
    else if (looks !== null) this.#judgeByLooks(looks);
    else for (let slot = 0; slot < cluster.slotCount; slot++) this.#judge(slot);
    // Nodes that were judged by their looks have no image scores yet.
    this.#imagesNodeCount = looks === null ? cluster.nodeCount : -1;
  }

  /** Judges nodes that look the same to every plugin once, without their images. */
  #judgeByLooks(looks: { readonly count: number; of(slot: number): number }): void {
    const { cluster } = this.#modules;
    // The verdict id of each combination, once a node has been judged.
    const known = new Uint16Array(looks.count);
    const slotsWithPorts = this.#readsPorts && cluster.slotsWithPorts.size > 0 ? cluster.slotsWithPorts : null;
    for (let slot = 0; slot < cluster.slotCount; slot++) {
      const node = cluster.nodeAt(slot);
      if (node === undefined) {
        this.#setId(slot, NO_NODE_ID);
        continue;
      }
      if (slotsWithPorts?.has(slot)) {
        this.#setId(slot, this.#idOf(node, false));
        continue;
      }
      const look = looks.of(slot);
      let id = known[look] ?? NO_NODE_ID;
      if (id === NO_NODE_ID) {
        id = this.#idOf(node, false);
        known[look] = id;
      }
      this.#setId(slot, id);
    }
  }

  /** Judges the nodes that a PreFilter plugin named; all others are left out. */
  #judgeNamed(names: ReadonlySet<string>, excluded: Status): void {
    const { cluster } = this.#modules;
    const leftOut = this.#answers.idOfRejection(excluded, LEFT_OUT, this.#onAdded);
    for (let slot = 0; slot < cluster.slotCount; slot++) {
      this.#setId(slot, cluster.nodeAt(slot) === undefined ? NO_NODE_ID : leftOut);
    }
    for (const name of names) {
      const node = cluster.node(name);
      if (node !== undefined) this.#judge(node.slot);
    }
  }

  #judge(slot: number): void {
    const node = this.#modules.cluster.nodeAt(slot);
    this.#setId(slot, node === undefined ? NO_NODE_ID : this.#idOf(node, true));
  }

  /** Without `withImages`, plugins that read images are not called and score 0. */
  #idOf(node: NodeInfo, withImages: boolean): number {
    const trace = this.#modules.activeTrace.trace?.atNode() ?? null;
    const rejecting = this.#rejectingId(node, trace);
    if (rejecting !== null) return rejecting;
    const scores = this.#nodeScores;
    scores.length = this.#scores.length;
    for (let i = 0; i < scores.length; i++) {
      const { plugin } = this.#scores[i] as WeightedScorePlugin;
      scores[i] = withImages || plugin.scoreReads !== 'images' ? this.#score(plugin, node, trace) : 0;
    }
    return this.#answers.idOfScores(scores, this.#onAdded);
  }

  #setId(slot: number, id: number): void {
    if (this.#mask !== null) this.#mask.values[slot] = this.accepts(id) ? 1 : 0;
    if (this.#raw.size > 0) for (const [plugin, { values }] of this.#raw) values[slot] = this.rawOfId(plugin, id);
    if (this.ids.values[slot] === id) return;
    this.ids.values[slot] = id;
    this.idsVersion++;
    // Before the first synchronisation nothing depends on these verdicts, so nobody is notified.
    if (this.#cursor >= 0) this.#modules.onIdChanged(slot);
  }

  /** Returns the id of the first rejection of the node; null if it passes. */
  #rejectingId(node: NodeInfo, trace: Trace | null): number | null {
    const { pod, state, preFilter } = this.#verdictsPod;
    if (preFilter.nodeNames !== null && !preFilter.nodeNames.has(node.name)) {
      return this.#answers.idOfRejection(preFilter.excluded, LEFT_OUT, this.#onAdded);
    }
    for (const { plugin, position } of this.#filters) {
      trace?.startPlugin('filter', plugin.name, node.name);
      const known = this.#byColumns?.verdict(plugin, node.slot);
      const status = known === undefined ? plugin.filter(state, pod, node) : known;
      trace?.end();
      if (status !== null) return this.#answers.idOfRejection(status, position, this.#onAdded);
    }
    return null;
  }

  /** One node more or less changes the image scores of all. */
  #scoreImages(): void {
    const { cluster, activeTrace } = this.#modules;
    this.#imagesNodeCount = cluster.nodeCount;
    for (const [position, { plugin }] of this.#scores.entries()) {
      if (plugin.scoreReads !== 'images') continue;
      // Without any image, now and before, all scores stay 0.
      if (cluster.hasNoImages && this.isZero(plugin.name)) continue;
      activeTrace.trace?.startPlugin('score', plugin.name);
      this.#scoreImagesBy(plugin, position);
      activeTrace.trace?.end();
    }
  }

  /** Calls the plugin once for all nodes with one verdict id that look the same to it. */
  #scoreImagesBy(plugin: ScorePlugin, position: number): void {
    const { cluster } = this.#modules;
    const images = plugin.scoredImages?.(this.#verdictsPod.pod.pod) ?? null;
    const looks = images === null ? null : imageLooksOf(cluster, images);
    // By look and verdict id before; `after` of undefined has to be found out.
    const idsAfter: (number | undefined)[] = [];
    const scores: (number | undefined)[] = [];
    for (let slot = 0; slot < cluster.slotCount; slot++) {
      const before = this.ids.values[slot] ?? NO_NODE_ID;
      if (!this.accepts(before)) continue;
      const look = looks === null ? slot : (looks.bySlot[slot] ?? 0);
      const key = looks === null ? NO_KEY : before * looks.count + look;
      let after = idsAfter[key];
      if (after === undefined) {
        const node = cluster.nodeAt(slot) as NodeInfo;
        const score = scores[look] ?? (looks !== null && look === NO_IMAGES ? 0 : this.#score(plugin, node, null));
        scores[look] = score;
        after = this.#answers.idOfScores(this.#answers.raw(before).with(position, score), this.#onAdded);
        if (key !== NO_KEY) idsAfter[key] = after;
      }
      this.#setId(slot, after);
    }
  }

  #score(plugin: ScorePlugin, node: NodeInfo, trace: Trace | null): number {
    const { pod, state } = this.#verdictsPod;
    trace?.startPlugin('score', plugin.name, node.name);
    const score = this.#byColumns?.score(plugin, node.slot) ?? scoreOrUndefined(() => plugin.score(state, pod, node));
    trace?.end();
    if (score !== undefined && score >= 0 && score <= largestRaw(plugin)) return score;
    this.#answers.hasFailed = true;
    return 0;
  }
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
