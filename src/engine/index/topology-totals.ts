import { INTER_POD_AFFINITY, POD_TOPOLOGY_SPREAD } from '../../framework/plugin-names.ts';
import type { Kernels } from '../../kernels/abi.ts';
import { OutOfMemoryError } from '../../memory/shared-memory.ts';
import type { DomainCount, SpreadScore, TopologyRules } from '../topology/topology-rules.ts';
import type { PodClass } from './pod-signature.ts';
import type { ClassIndex } from './signature-index.ts';
import { type Maxima, maximaOf, totalsByKind } from './static-totals.ts';
import { type Cell, isShared, type NodeCells } from './topology-buckets.ts';
import { accepts, normalizedAffinity, normalizedSpread, rawAffinity, rawSpread } from './topology-scores.ts';
import type { LaneGroup } from './totals-block.ts';
import type { Lane } from './totals-column.ts';
import type { ClassForm } from './totals-form.ts';

export interface TopologyLanesModules {
  readonly kernels: Kernels;
  readonly index: ClassIndex;
}

/** The best nodes for a pod. */
export interface TopologyBest {
  readonly total: number;
  readonly feasibleNodes: number;
  /** Those of a lane that have the best total of all. */
  readonly lanes: readonly Lane[];
}

/** Runs without lanes after there was no room for them: to try means to sort all nodes. */
const REST_RUNS = 256;

/**
 * A pod class with rules about where other pods are: one lane for each cell of nodes. All nodes of a cell get the same
 * from topology spread and inter-pod affinity, so that is asked of the cell when a pod is placed, and added to the best
 * total of its lane.
 *
 *   cell (zone a, no such pod on the node)    best total of its lane + 100 ─┐
 *   cell (zone a, one such pod)               best total of its lane +  40 ─┼─▶ the best of all
 *   cell (zone b, no such pod)                not allowed: too many in b ───┘
 */
export class TopologyLanes {
  readonly #modules: TopologyLanesModules;
  readonly #podClass: PodClass;
  readonly #form: ClassForm;
  readonly #cells: NodeCells;
  /** By cell. */
  readonly #lanes: Lane[] = [];
  #groups: readonly LaneGroup[] = [];
  #hasRelease = false;
  #maxima: Maxima = [];
  /** Whether lanes count feasible nodes by kind. */
  #isCounting = false;
  /** No lanes are made before this run. */
  #restsUntil = 0;
  // Of the cells with feasible nodes, side by side: filled anew for every pod.
  readonly #candidates: number[] = [];
  readonly #added: number[] = [];
  readonly #raw: number[] = [];

  constructor(modules: TopologyLanesModules, podClass: PodClass, form: ClassForm, cells: NodeCells) {
    this.#modules = modules;
    this.#podClass = podClass;
    this.#form = form;
    this.#cells = cells;
  }

  /** Some lane was given to another class: everything has to be made anew. */
  get isBroken(): boolean {
    return this.#hasRelease || this.#lanes.some((lane) => lane.isReleased);
  }

  release(): void {
    this.#hasRelease = true;
    this.#letGo();
    this.#form.extraEntries.release();
    this.#cells.release();
  }

  /** null when no node fits, or the index cannot tell. After the class's gate has caught up. */
  best(rules: TopologyRules): TopologyBest | null {
    let best: TopologyBest | null = null;
    let isWhole = false;
    try {
      isWhole = this.#catchUp();
      if (isWhole) best = this.#bestOf(rules);
    } catch (error) {
      isWhole = false;
      if (!(error instanceof OutOfMemoryError)) throw error;
    } finally {
      if (!isWhole) this.#letGo();
    }
    return best;
  }

  /**
   * All lanes are as the cells are, or there are none: whoever else uses a group has the kernels write its whole rows,
   * and they look up the kinds of these nodes, which may be others already, in the tables of these lanes.
   */
  #letGo(): void {
    for (const lane of this.#lanes) if (!lane.isReleased) lane.release();
    this.#lanes.length = 0;
    this.#groups = [];
    this.#cells.forget();
  }

  #bestOf(rules: TopologyRules): TopologyBest | null {
    const feasibleNodes = this.#findCandidates(rules);
    if (feasibleNodes === 0) return null;
    this.#added.fill(0);
    this.#addSpread(rules);
    this.#addAffinity(rules);
    let total = -1;
    let lanes: Lane[] = [];
    for (let i = 0; i < this.#candidates.length; i++) {
      const lane = this.#lanes[this.#candidates[i] ?? 0] as Lane;
      const sum = lane.bestTotal + (this.#added[i] ?? 0);
      if (sum < total) continue;
      if (sum > total) lanes = [];
      total = sum;
      lanes.push(lane);
    }
    return { total, feasibleNodes, lanes };
  }

  /** Cells and lanes as the cluster is now; false when there are too many. */
  #catchUp(): boolean {
    const cells = this.#cells;
    const { index } = this.#modules;
    const { run } = index;
    if (cells.isOverflown || run < this.#restsUntil) return false;
    for (const lane of this.#lanes) lane.lastRun = run;
    const hasBegunToCount = this.#countsByKind();
    if (cells.isOutdated) {
      cells.sortAll();
      if (cells.isOverflown || !this.#makeLanes()) return false;
      this.#writeTotals();
      this.#rescan();
    } else {
      const kindCount = cells.kinds.length;
      const moves = cells.takeMoves();
      if (cells.isOverflown || !this.#makeLanes()) return false;
      if (cells.kinds.length !== kindCount) this.#writeTotals();
      for (const { slot, kind } of moves) this.#move(slot, kind);
      if (hasBegunToCount) this.#rescan();
    }
    for (const group of this.#groups) index.catchUp(group);
    return true;
  }

  /** Scores that were all zero may be others now: from then on lanes count by kind. Whether they begin only here. */
  #countsByKind(): boolean {
    if (this.#isCounting || !this.#isTracked) return false;
    this.#isCounting = true;
    for (const lane of this.#lanes) lane.setTracked(true);
    return true;
  }

  #makeLanes(): boolean {
    if (this.#lanes.length === this.#cells.cells.length) return true;
    const created: Lane[] = [];
    while (this.#lanes.length < this.#cells.cells.length) {
      const lane = this.#modules.index.newLane(this.#podClass, this.#form, this.#cells.column);
      if (lane === null) {
        this.#restsUntil = this.#modules.index.run + REST_RUNS;
        return false;
      }
      lane.setTracked(this.#isCounting);
      this.#lanes.push(lane);
      created.push(lane);
    }
    this.#groups = [...new Set(this.#lanes.map((lane) => lane.group))];
    this.#writeTotals();
    for (const lane of created) lane.scan();
    for (const group of new Set(created.map((lane) => lane.group))) group.rebuildTree();
    return true;
  }

  /** One node moves to another cell: its row, and the counts by kind, which the kernel keeps for the new kind only. */
  #move(slot: number, kind: number): void {
    const { kernels, index } = this.#modules;
    const { values } = this.#cells.column;
    const before = values[slot] ?? 0;
    if (before === kind) return;
    const held = this.#isCounting ? this.#lanes.filter((lane) => lane.totalAt(slot) >= 0) : [];
    values[slot] = kind;
    for (const group of this.#groups) kernels.updateNode(index.env.pointer, group.pointer, slot);
    for (const lane of held) {
      const counts = lane.counts();
      counts[before] = (counts[before] ?? 0) - 1;
      counts[kind] = (counts[kind] ?? 0) + 1;
    }
  }

  /** The cells that keep every rule and have a feasible node; returns how many of those there are. */
  #findCandidates({ rules }: TopologyRules): number {
    const cells = this.#cells;
    const candidates = this.#candidates;
    for (let attempt = 0; ; attempt++) {
      let feasibleNodes = 0;
      candidates.length = 0;
      for (let i = 0; i < cells.cells.length; i++) {
        const lane = this.#lanes[i] as Lane;
        if (lane.bestTotal < 0) continue;
        const cell = cells.cells[i] as Cell;
        const read = (count: DomainCount): number => cells.countIn(cell, count);
        if (!rules.every((rule) => !cells.isByCell(rule.count) || accepts(rule, read))) continue;
        candidates.push(i);
        feasibleNodes += lane.feasibleNodes;
      }
      this.#added.length = candidates.length;
      this.#raw.length = candidates.length;
      // What the gate's scores are divided by depends on which nodes are feasible; feasible they stay.
      if (attempt > 0 || !this.#isCounting || !this.#hasNewMaxima()) return feasibleNodes;
      this.#writeTotals();
      this.#rescan();
    }
  }

  #hasNewMaxima(): boolean {
    const maxima = maximaOf(this.#podClass.gate, this.#form, this.#feasibleByGateKind());
    if (maxima.every((max, i) => max === this.#maxima[i])) return false;
    this.#maxima = maxima;
    return true;
  }

  #rescan(): void {
    for (const lane of this.#lanes) lane.scan();
    for (const group of this.#groups) group.rebuildTree();
  }

  /** Totals by kind, with the gate's scores normalised as they were last. */
  #writeTotals(): void {
    const { kinds } = this.#cells;
    const totals = totalsByKind(this.#podClass.gate, this.#form, this.#maxima);
    this.#lanes.forEach((lane, cell) => {
      const counts = lane.counts().slice();
      lane.setTotals(Int16Array.from(kinds, (kind) => (kind?.cell === cell ? (totals[kind.gateKind] ?? -1) : -1)));
      lane.counts().set(counts);
    });
  }

  #feasibleByGateKind(): Int32Array {
    const counts = new Int32Array(this.#podClass.gate.kindCount);
    for (const cell of this.#candidates) {
      this.#lanes[cell]?.counts().forEach((count, kind) => {
        const gateKind = this.#cells.kinds[kind]?.gateKind ?? 0;
        counts[gateKind] = (counts[gateKind] ?? 0) + count;
      });
    }
    return counts;
  }

  #addSpread({ spread }: TopologyRules): void {
    const weight = this.#weightOf(POD_TOPOLOGY_SPREAD);
    if (spread.length === 0 || weight === 0) return;
    const sizes = spread.map((score) => this.#scoredDomains(score));
    this.#addNormalized(weight, normalizedSpread, (cell) =>
      rawSpread(spread, sizes, (count) => this.#cells.countIn(cell, count)),
    );
  }

  #addAffinity({ affinity }: TopologyRules): void {
    const weight = this.#weightOf(INTER_POD_AFFINITY);
    if (affinity.length === 0 || weight === 0) return;
    this.#addNormalized(weight, normalizedAffinity, (cell) =>
      rawAffinity(affinity, (count) => this.#cells.countIn(cell, count)),
    );
  }

  #addNormalized(
    weight: number,
    normalize: (raw: number, least: number, most: number) => number,
    rawOf: (cell: Cell) => number,
  ): void {
    let least = Number.POSITIVE_INFINITY;
    let most = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < this.#candidates.length; i++) {
      const raw = rawOf(this.#cells.cells[this.#candidates[i] ?? 0] as Cell);
      this.#raw[i] = raw;
      least = Math.min(least, raw);
      most = Math.max(most, raw);
    }
    for (let i = 0; i < this.#candidates.length; i++) {
      this.#added[i] = (this.#added[i] ?? 0) + weight * normalize(this.#raw[i] ?? 0, least, most);
    }
  }

  /** In how many domains feasible nodes lie; each node is one where no two share any. */
  #scoredDomains({ count }: SpreadScore): number {
    if (!isShared(count)) {
      return this.#candidates.reduce((sum, cell) => sum + (this.#lanes[cell]?.feasibleNodes ?? 0), 0);
    }
    const domains = this.#candidates.map((cell) =>
      this.#cells.domainOf(this.#cells.cells[cell] as Cell, count.domains),
    );
    return new Set(domains).size;
  }

  /** Whether anything of the gate's scores is normalised. */
  get #isTracked(): boolean {
    const { gate } = this.#podClass;
    return this.#form.normalized.some(({ plugin }) => !gate.isZero(plugin.name));
  }

  #weightOf(plugin: string): number {
    return this.#podClass.preScore?.scores.find((score) => score.plugin.name === plugin)?.weight ?? 0;
  }
}
