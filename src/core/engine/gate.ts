import { assert } from '../../lib/assert.ts';
import type { ChangeLog } from '../../memory/change-log.ts';
import type { Column, ColumnTable } from '../../memory/column-table.ts';
import type { ClusterState } from '../cache/cluster-state.ts';
import type { CycleState } from '../framework/cycle-state.ts';
import type { PreFilterOutcome, WeightedScorePlugin } from '../framework/framework.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import {
  type FilterPlugin,
  LOOKS_AT_NOTHING,
  type NodeParts,
  type Plugin,
  type ScorePlugin,
} from '../framework/plugin.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import type { Status } from '../framework/status.ts';
import type { Trace } from '../tracing/tracer.ts';
import type { Watch } from '../tracing/watch.ts';
import type { NodeTraits } from './node-traits.ts';

/** Why a gate keeps pods from a node, and where in the filter order that was found. */
export interface Verdict {
  readonly status: Status;
  /** Position of the rejecting plugin among the framework's filters; -1 for a node that PreFilter left out. */
  readonly position: number;
}

/** The kind of nodes that are rejected, and of slots without a node. */
const REJECTED = 0;

export interface GateModules {
  readonly cluster: ClusterState;
  readonly table: ColumnTable;
  readonly traits: NodeTraits;
  readonly nodeLog: ChangeLog;
  readonly podLog: ChangeLog;
  /** All filters of the framework, in order. */
  readonly filters: readonly FilterPlugin[];
  /** Told of every slot whose kind has changed. */
  readonly onKindChanged: (slot: number) => void;
  /** Told when there is one more kind. */
  readonly onKindAdded: (gate: Gate) => void;
  readonly watch: Watch;
}

/** How the pods behind a gate are judged: taken from the first of them, valid for all. */
export interface GatePod {
  readonly pod: PodInfo;
  readonly state: CycleState;
  readonly preFilter: PreFilterOutcome;
  readonly scores: readonly WeightedScorePlugin[];
}

/**
 * Everything outside the kernels that decides whether, and how gladly, a node takes a pod: shared by all pods that ask
 * the same of a node apart from their requests. Each plugin is asked once per node; later only for nodes that changed.
 *
 *   mask       1 = every plugin outside the kernels accepts (read by the filter kernel)
 *   verdicts   per slot, index into `#reasons`: why not
 *   raw        per score plugin, its raw scores; no column while all of them are 0
 *   kinds      nodes that get the same of all that have the same kind: 0 are rejected, others differ in raw scores
 */
export class Gate {
  readonly mask: Column<'u8'>;
  readonly kinds: Column<'u16'>;
  /** Changes when any node has changed its kind. */
  kindsVersion = 0;
  readonly #modules: GateModules;
  readonly #readsPods: boolean;
  #gatePod: GatePod;
  #filters: readonly { readonly plugin: FilterPlugin; readonly position: number }[] = [];
  #scores: readonly WeightedScorePlugin[] = [];
  readonly #raw = new Map<string, Column<'i32'>>();
  readonly #reasons: Verdict[] = [];
  readonly #reasonIds = new Map<string, number>();
  /** By kind: what each of `#scores` gives; nothing for 0. */
  readonly #rawOfKind: (readonly number[])[] = [[]];
  readonly #kindIds = new Map<string, number>();
  /** The kind of nodes whose raw scores are all 0, once there is one. */
  #allZero = 0;
  #verdicts = new Uint16Array(0);
  #parts: NodeParts | null = null;
  #nodeCursor = -1;
  #podCursor = -1;
  #imagesVersion = -1;
  #hasFailed = false;

  constructor(modules: GateModules, gatePod: GatePod) {
    this.#modules = modules;
    this.#gatePod = gatePod;
    this.mask = modules.table.add('u8');
    this.kinds = modules.table.add('u16');
    this.renew(gatePod);
    this.#readsPods = this.#filters.some(({ plugin }) => plugin.filterReads === 'nodePods');
  }

  /** Everything is to be asked again, with another state: for pods whose verdicts depend on the whole cluster. */
  renew(gatePod: GatePod): void {
    this.#gatePod = gatePod;
    this.#filters = this.#modules.filters.flatMap((plugin, position) =>
      plugin.filterReads === 'kernel' || gatePod.state.skipFilter.has(plugin.name) ? [] : [{ plugin, position }],
    );
    this.#scores = gatePod.scores.filter(({ plugin }) => plugin.scoreReads !== 'kernel');
    this.#parts = this.#lookedAt();
    this.#nodeCursor = -1;
    this.#reasons.length = 0;
    this.#reasonIds.clear();
    this.#hasFailed = false;
  }

  /** What of a node all plugins together look at; null when some plugin looks at more than its parts. */
  #lookedAt(): NodeParts | null {
    const { pod } = this.#gatePod.pod;
    if (this.#gatePod.preFilter.nodeNames !== null) return null;
    const filters = this.#filters.map(({ plugin }) => plugin);
    if (filters.some((plugin) => plugin.filterReads !== 'node')) return null;
    // How images score is told apart by `#scoreImages`.
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

  /** Asks again for every node that changed since the last time. */
  sync(): void {
    const { cluster, nodeLog, podLog, watch } = this.#modules;
    watch.trace?.start('gate');
    const nodes = this.#nodeCursor < 0 ? null : nodeLog.since(this.#nodeCursor);
    const pods = this.#podCursor < 0 || !this.#readsPods ? [] : podLog.since(this.#podCursor);
    if (nodes === null || pods === null) {
      this.#judgeAll();
    } else {
      for (const slot of nodes) this.#judge(slot);
      for (const slot of pods) this.#judge(slot);
    }
    this.#nodeCursor = nodeLog.end;
    this.#podCursor = podLog.end;
    if (this.#imagesVersion !== cluster.images.version) this.#scoreImages();
    watch.trace?.end();
  }

  /** Whether pods that come and go on a node can change what the gate says of it. */
  get readsPods(): boolean {
    return this.#readsPods;
  }

  /** Kinds are numbered below this. */
  get kindCount(): number {
    return this.#rawOfKind.length;
  }

  /** The raw score that every node of a kind gets from a plugin. */
  rawOfKind(plugin: string, kind: number): number {
    const index = this.#scores.findIndex((score) => score.plugin.name === plugin);
    return this.#rawOfKind[kind]?.[index] ?? 0;
  }

  /** Some plugin failed on some node, or once did: the attempt may have to fail. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** null: the gate lets the node pass. */
  verdict(slot: number): Verdict | null {
    const id = this.#verdicts[slot] ?? 0;
    return id === 0 ? null : (this.#reasons[id - 1] ?? null);
  }

  /** Raw scores of a plugin; undefined when they are 0 for every node. */
  raw(plugin: string): Column<'i32'> | undefined {
    return this.#raw.get(plugin);
  }

  /** Nodes that look the same to every plugin are judged once. */
  #judgeAll(): void {
    const { cluster, traits } = this.#modules;
    const looks = this.#parts === null ? null : traits.combinationsOf(this.#parts);
    // The slot of the first node of each combination, plus 1.
    const known = looks === null ? null : new Int32Array(looks.count);
    for (let slot = 0; slot < cluster.slotCount; slot++) {
      if (looks === null || known === null || cluster.nodeAt(slot) === undefined) {
        this.#judge(slot);
        continue;
      }
      const look = looks.of(slot);
      const model = known[look] ?? 0;
      if (model > 0) {
        this.#copy(model - 1, slot);
        continue;
      }
      this.#judge(slot);
      known[look] = slot + 1;
    }
  }

  /** The two nodes look the same. */
  #copy(from: number, to: number): void {
    this.#verdicts[to] = this.#verdicts[from] ?? 0;
    this.mask.values[to] = this.mask.values[from] ?? 0;
    for (const { plugin } of this.#scores) {
      const raw = plugin.scoreReads === 'images' ? undefined : this.#raw.get(plugin.name)?.values;
      if (raw !== undefined) raw[to] = raw[from] ?? 0;
    }
    this.#setKind(to);
  }

  #judge(slot: number): void {
    if (this.#verdicts.length <= slot) {
      const verdicts = new Uint16Array(this.#modules.table.capacity);
      verdicts.set(this.#verdicts);
      this.#verdicts = verdicts;
    }
    const node = this.#modules.cluster.nodeAt(slot);
    const trace = (node !== undefined && this.#modules.watch.trace?.atNode()) || null;
    const verdict = node === undefined ? null : this.#firstRejection(node, trace);
    this.#verdicts[slot] = verdict === null ? 0 : this.#reasonId(verdict);
    this.mask.values[slot] = node !== undefined && verdict === null ? 1 : 0;
    for (const { plugin } of this.#scores) {
      if (plugin.scoreReads !== 'images') this.#setRaw(plugin, slot, node, trace);
    }
    this.#setKind(slot);
  }

  #setKind(slot: number): void {
    const kind = this.mask.values[slot] === 1 ? this.#kindOf(slot) : REJECTED;
    if (this.kinds.values[slot] === kind) return;
    this.kinds.values[slot] = kind;
    this.kindsVersion++;
    // Nobody has used a gate that was never in step.
    if (this.#nodeCursor >= 0) this.#modules.onKindChanged(slot);
  }

  #kindOf(slot: number): number {
    if (this.#raw.size === 0 && this.#allZero > 0) return this.#allZero;
    const raw = this.#scores.map(({ plugin }) => this.#raw.get(plugin.name)?.values[slot] ?? 0);
    const key = raw.join();
    let kind = this.#kindIds.get(key);
    if (kind === undefined) {
      kind = this.#rawOfKind.push(raw) - 1;
      assert(kind < 65_536, 'a gate tells fewer than 65,536 kinds of nodes apart');
      this.#kindIds.set(key, kind);
      if (this.#raw.size === 0) this.#allZero = kind;
      this.#modules.onKindAdded(this);
    }
    return kind;
  }

  #firstRejection(node: NodeInfo, trace: Trace | null): Verdict | null {
    const { pod, state, preFilter } = this.#gatePod;
    if (preFilter.nodeNames !== null && !preFilter.nodeNames.has(node.name)) {
      return { status: preFilter.excluded, position: -1 };
    }
    for (const { plugin, position } of this.#filters) {
      trace?.startPlugin('filter', plugin.name, node.name);
      const status = plugin.filter(state, pod, node);
      trace?.end();
      if (status !== null) return { status, position };
    }
    return null;
  }

  #reasonId(verdict: Verdict): number {
    const key = `${verdict.position} ${verdict.status.code} ${verdict.status.reasons.join('\n')}`;
    let id = this.#reasonIds.get(key);
    if (id === undefined) {
      id = this.#reasons.push(verdict);
      assert(id < 65_536, 'a gate knows fewer than 65,536 different reasons');
      this.#reasonIds.set(key, id);
      if (verdict.status.code === 'Error') this.#hasFailed = true;
    }
    return id;
  }

  /** One node more or less changes the image scores of all. */
  #scoreImages(): void {
    const { cluster, watch } = this.#modules;
    for (const { plugin } of this.#scores) {
      if (plugin.scoreReads !== 'images') continue;
      // Without any image known, and none before, all scores are 0 as they were.
      if (cluster.images.isEmpty && !this.#raw.has(plugin.name)) continue;
      watch.trace?.startPlugin('score', plugin.name);
      for (let slot = 0; slot < cluster.slotCount; slot++) this.#setRaw(plugin, slot, cluster.nodeAt(slot), null);
      watch.trace?.end();
    }
    for (let slot = 0; slot < cluster.slotCount; slot++) this.#setKind(slot);
    this.#imagesVersion = cluster.images.version;
  }

  #setRaw(plugin: ScorePlugin, slot: number, node: NodeInfo | undefined, trace: Trace | null): void {
    const { pod, state } = this.#gatePod;
    trace?.startPlugin('score', plugin.name, node?.name);
    const score = node === undefined ? 0 : plugin.score(state, pod, node);
    trace?.end();
    let column = this.#raw.get(plugin.name);
    if (column === undefined) {
      if (score === 0) return;
      column = this.#modules.table.add('i32');
      this.#raw.set(plugin.name, column);
    }
    column.values[slot] = score;
  }
}
