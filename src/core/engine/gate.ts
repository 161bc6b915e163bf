import { assert } from '../../lib/assert.ts';
import type { ChangeLog } from '../../memory/change-log.ts';
import type { Column, ColumnTable } from '../../memory/column-table.ts';
import type { ClusterState } from '../cache/cluster-state.ts';
import type { CycleState } from '../framework/cycle-state.ts';
import type { PreFilterOutcome, WeightedScorePlugin } from '../framework/framework.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import type { FilterPlugin, ScorePlugin } from '../framework/plugin.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import type { Status } from '../framework/status.ts';
import type { Trace } from '../tracing/tracer.ts';
import type { Watch } from '../tracing/watch.ts';

/** Why a gate keeps pods from a node, and where in the filter order that was found. */
export interface Verdict {
  readonly status: Status;
  /** Position of the rejecting plugin among the framework's filters; -1 for a node that PreFilter left out. */
  readonly position: number;
}

export interface GateModules {
  readonly cluster: ClusterState;
  readonly table: ColumnTable;
  readonly nodeLog: ChangeLog;
  readonly podLog: ChangeLog;
  /** All filters of the framework, in order. */
  readonly filters: readonly FilterPlugin[];
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
 */
export class Gate {
  readonly mask: Column<'u8'>;
  readonly #modules: GateModules;
  readonly #readsPods: boolean;
  #gatePod: GatePod;
  #filters: readonly { readonly plugin: FilterPlugin; readonly position: number }[] = [];
  #scores: readonly WeightedScorePlugin[] = [];
  readonly #raw = new Map<string, Column<'i32'>>();
  readonly #reasons: Verdict[] = [];
  readonly #reasonIds = new Map<string, number>();
  #verdicts = new Uint16Array(0);
  #nodeCursor = -1;
  #podCursor = -1;
  #imagesVersion = -1;
  #hasFailed = false;

  constructor(modules: GateModules, gatePod: GatePod) {
    this.#modules = modules;
    this.#gatePod = gatePod;
    this.mask = modules.table.add('u8');
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
    this.#nodeCursor = -1;
    this.#reasons.length = 0;
    this.#reasonIds.clear();
    this.#hasFailed = false;
  }

  /** Asks again for every node that changed since the last time. */
  sync(): void {
    const { cluster, nodeLog, podLog, watch } = this.#modules;
    watch.trace?.start('gate');
    const nodes = this.#nodeCursor < 0 ? null : nodeLog.since(this.#nodeCursor);
    const pods = this.#podCursor < 0 || !this.#readsPods ? [] : podLog.since(this.#podCursor);
    if (nodes === null || pods === null) {
      for (let slot = 0; slot < cluster.slotCount; slot++) this.#judge(slot);
    } else {
      for (const slot of nodes) this.#judge(slot);
      for (const slot of pods) this.#judge(slot);
    }
    this.#nodeCursor = nodeLog.end;
    this.#podCursor = podLog.end;
    if (this.#imagesVersion !== cluster.images.version) this.#scoreImages();
    watch.trace?.end();
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
      watch.trace?.startPlugin('score', plugin.name);
      for (let slot = 0; slot < cluster.slotCount; slot++) this.#setRaw(plugin, slot, cluster.nodeAt(slot), null);
      watch.trace?.end();
    }
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
