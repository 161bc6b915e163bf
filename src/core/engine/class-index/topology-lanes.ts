import type { Kernels } from '../../../kernels/abi.ts';
import { INTER_POD_AFFINITY, POD_TOPOLOGY_SPREAD } from '../../plugins/names.ts';
import type { PodClass } from '../pod-class.ts';
import type { DomainRule, TopologyRules } from '../topology/topology-rules.ts';
import type { ClassForm } from './class-form.ts';
import type { ClassIndex } from './class-index.ts';
import type { Lane } from './lane.ts';
import { isShared, type NodeKinds } from './node-kinds.ts';
import { maximaOf, totalsByKind } from './static-totals.ts';
import {
  accepts,
  type CountReader,
  kindReader,
  levelOf,
  normalizedAffinity,
  normalizedSpread,
  partitionReader,
  rawAffinity,
  rawSpread,
} from './topology-totals.ts';

export interface TopologyLanesModules {
  readonly kernels: Kernels;
  readonly index: ClassIndex;
  readonly slotCount: () => number;
}

/** The best nodes for a pod. */
export interface TopologyBest {
  readonly total: number;
  readonly feasibleNodes: number;
  /** Those of a lane that have the best total of all. */
  readonly lanes: readonly Lane[];
}

interface Range {
  readonly least: number;
  readonly most: number;
}

const NO_RANGE: Range = { least: 0, most: 0 };

/**
 * A pod class with rules about where other pods are, as lanes: one for each combination of domains that nodes share
 * (zones, racks), so that a count of a domain concerns a whole lane and is added after the fact. Counts that differ
 * from node to node (hostnames) are part of a node's kind: a placement moves one node to another kind.
 *
 *   class ─▶ lane of zone a: best total + what zone a adds ─┐
 *            lane of zone b: best total + what zone b adds ─┼─▶ the best of all
 *            lane of zone c: not allowed now ───────────────┘
 *
 * What normalisation depends on (the range of raw scores over feasible nodes) follows from the number of feasible nodes
 * of each kind; only when it changes are the lanes scanned again.
 */
export class TopologyLanes {
  readonly #modules: TopologyLanesModules;
  readonly #podClass: PodClass;
  readonly #form: ClassForm;
  readonly #kinds: NodeKinds;
  /** By partition; made when a partition is first met. */
  readonly #lanes: Lane[] = [];
  /** What the totals in the lanes were computed from; empty: nothing is known. */
  #basis: number[] = [];

  constructor(modules: TopologyLanesModules, podClass: PodClass, form: ClassForm, kinds: NodeKinds) {
    this.#modules = modules;
    this.#podClass = podClass;
    this.#form = form;
    this.#kinds = kinds;
  }

  /** Some lane was given to another class: all of it has to be made anew. */
  get isReleased(): boolean {
    return this.#lanes.some((lane) => lane.isReleased) || this.#kinds.isOverflown;
  }

  release(): void {
    for (const lane of this.#lanes) if (!lane.isReleased) lane.release();
    this.#form.extraEntries.release();
    this.#kinds.release();
  }

  /** null when no node fits, or the index cannot tell. After the class's gate has caught up. */
  best(rules: TopologyRules): TopologyBest | null {
    const [spreadLevel, affinityLevel] = [levelOf(rules.spread), levelOf(rules.affinity)];
    if (spreadLevel === 'mixed' || affinityLevel === 'mixed') return null;
    if (!this.#catchUp(rules)) return null;
    const allowed = this.#allowed(rules.rules);
    this.#settleTotals(rules, allowed);
    const added = this.#added(rules, allowed);
    let total = -1;
    let feasibleNodes = 0;
    let lanes: Lane[] = [];
    allowed.forEach((lane, i) => {
      const { bestTotal } = lane;
      if (bestTotal < 0) return;
      feasibleNodes += lane.feasibleNodes;
      const sum = bestTotal + (added[i] ?? 0);
      if (sum > total) {
        total = sum;
        lanes = [];
      }
      if (sum === total) lanes.push(lane);
    });
    return lanes.length === 0 ? null : { total, feasibleNodes, lanes };
  }

  /** Kinds and lanes as the cluster is now; false when there are too many of either. */
  #catchUp(rules: TopologyRules): boolean {
    const kinds = this.#kinds;
    const { index } = this.#modules;
    for (const lane of this.#lanes) lane.lastRun = index.run;
    const isOutdated = kinds.isOutdated;
    if (isOutdated) kinds.judgeAll();
    if (kinds.isOverflown || !this.#makeLanes()) return false;
    if (isOutdated) {
      this.#writeTotals(rules, this.#lanes, true);
      this.#rescan();
    } else {
      const known = kinds.kinds.length;
      const changes: [number, number, number][] = [];
      kinds.judgeDirty((slot, before, after) => changes.push([slot, before, after]));
      if (kinds.isOverflown || !this.#makeLanes()) return false;
      if (kinds.kinds.length !== known) this.#extendTotals(rules);
      for (const [slot, before, after] of changes) this.#moveNode(slot, before, after);
    }
    for (const group of new Set(this.#lanes.map((lane) => lane.group))) index.catchUp(group);
    return true;
  }

  #makeLanes(): boolean {
    while (this.#lanes.length < this.#kinds.partitions.length) {
      const lane = this.#modules.index.newLane(this.#podClass, this.#form, this.#kinds.column);
      if (lane === null) return false;
      lane.setSlots(this.#modules.slotCount());
      lane.setTracked(true);
      this.#lanes.push(lane);
      this.#basis.length = 0;
    }
    for (const lane of this.#lanes) lane.setSlots(this.#modules.slotCount());
    return true;
  }

  /** One node is of another kind: its row, and the counts by kind, which the kernel keeps for the new kind only. */
  #moveNode(slot: number, before: number, after: number): void {
    const { kernels, index } = this.#modules;
    if (this.#kinds.column.values[slot] === after) return;
    const feasible = this.#lanes.map((lane) => lane.totalAt(slot) >= 0);
    this.#kinds.column.values[slot] = after;
    for (const group of new Set(this.#lanes.map((lane) => lane.group))) {
      kernels.updateNode(index.env.pointer, group.pointer, slot);
    }
    this.#lanes.forEach((lane, i) => {
      if (!feasible[i]) return;
      const counts = lane.counts();
      counts[before] = (counts[before] ?? 0) - 1;
      counts[after] = (counts[after] ?? 0) + 1;
    });
  }

  /** The lanes whose partition keeps every rule about shared domains. */
  #allowed(rules: readonly DomainRule[]): Lane[] {
    const shared = rules.filter(({ count }) => isShared(count.domains));
    if (shared.length === 0) return this.#lanes;
    return this.#lanes.filter((_, partition) => accepts(shared, this.#partitionReader(partition)));
  }

  #partitionReader(partition: number): CountReader {
    return partitionReader(this.#kinds, this.#kinds.partitions[partition] ?? []);
  }

  /** Totals by kind depend on which nodes are feasible, and those on rules that kinds keep or break. */
  #settleTotals(rules: TopologyRules, allowed: readonly Lane[]): void {
    if (this.#writeTotals(rules, allowed, false)) this.#rescan();
    // Other kinds may be feasible now; what is scored is settled after one more look.
    if (this.#writeTotals(rules, allowed, false)) this.#rescan();
  }

  #rescan(): void {
    for (const lane of this.#lanes) lane.scan();
    for (const group of new Set(this.#lanes.map((lane) => lane.group))) group.rebuildTree();
  }

  /** With new kinds, whose totals follow from what is known; counts of the kinds that were there are kept. */
  #extendTotals(rules: TopologyRules): void {
    const counts = this.#lanes.map((lane) => lane.counts().slice());
    this.#writeTotals(rules, this.#lanes, true, counts);
    this.#lanes.forEach((lane, i) => {
      lane.counts().set(counts[i] ?? []);
    });
  }

  /** True when the totals of some lane have changed. */
  #writeTotals(
    rules: TopologyRules,
    allowed: readonly Lane[],
    force: boolean,
    known: readonly Int32Array[] = allowed.map((lane) => lane.counts()),
  ): boolean {
    const kinds = this.#kinds.kinds;
    const counts = new Int32Array(kinds.length);
    for (const byKind of known) {
      for (let kind = 0; kind < byKind.length; kind++) counts[kind] = (counts[kind] ?? 0) + (byKind[kind] ?? 0);
    }
    const nodeRules = rules.rules.filter(({ count }) => !isShared(count.domains));
    if (!this.#hasNewBasis(rules, nodeRules, counts) && !force) return false;
    const { gate } = this.#podClass;
    const gateCounts = new Int32Array(gate.kindCount);
    kinds.forEach((kind, i) => {
      if (kind !== null) gateCounts[kind.gateKind] = (gateCounts[kind.gateKind] ?? 0) + (counts[i] ?? 0);
    });
    const maxima = maximaOf(gate, this.#form, gateCounts);
    const gateTotals = totalsByKind(gate, this.#form, maxima);
    const spread = this.#spreadByKind(rules, counts);
    const affinity = this.#affinityByKind(rules, counts);
    const totals = kinds.map((kind, i) => {
      if (kind === null || !accepts(nodeRules, kindReader(this.#kinds, kind))) return -1;
      const total = gateTotals[kind.gateKind] ?? -1;
      return total < 0 ? -1 : total + (spread[i] ?? 0) + (affinity[i] ?? 0);
    });
    let hasChanged = false;
    this.#lanes.forEach((lane, partition) => {
      const own = Int16Array.from(totals, (total, i) => (kinds[i]?.partition === partition ? total : -1));
      if (lane.setTotals(own)) hasChanged = true;
    });
    return hasChanged;
  }

  /** Whether totals by kind may be others than the last time: a cheap look at all that they depend on. */
  #hasNewBasis({ spread, affinity }: TopologyRules, nodeRules: readonly DomainRule[], counts: Int32Array): boolean {
    const basis = this.#basis;
    let at = 0;
    let isNew = false;
    const note = (value: number): void => {
      if (basis[at] !== value) isNew = true;
      basis[at++] = value;
    };
    note(affinity.length);
    for (const { least, most } of nodeRules) {
      note(least);
      note(most);
    }
    let feasible = 0;
    for (let kind = 0; kind < counts.length; kind++) {
      const count = counts[kind] ?? 0;
      feasible += count;
      note(count > 0 ? 1 : 0);
    }
    // How many nodes are scored is part of every score by node.
    if (levelOf(spread) === 'node') note(feasible);
    if (basis.length !== at) isNew = true;
    basis.length = at;
    return isNew;
  }

  /** What PodTopologySpread adds by kind, where its counts differ from node to node. */
  #spreadByKind({ spread }: TopologyRules, counts: Int32Array): number[] {
    const weight = this.#weightOf(POD_TOPOLOGY_SPREAD);
    if (weight === 0 || levelOf(spread) !== 'node') return [];
    const feasible = counts.reduce((sum, count) => sum + count, 0);
    // Every feasible node is a domain of its own.
    const sizes = spread.map(() => feasible);
    const raw = this.#kinds.kinds.map((kind) => (kind ? rawSpread(spread, sizes, kindReader(this.#kinds, kind)) : 0));
    const { least, most } = rangeOf(raw, (i) => (counts[i] ?? 0) > 0);
    return raw.map((value) => weight * clamped(normalizedSpread(value, least, most)));
  }

  #affinityByKind({ affinity }: TopologyRules, counts: Int32Array): number[] {
    const weight = this.#weightOf(INTER_POD_AFFINITY);
    if (weight === 0 || levelOf(affinity) !== 'node') return [];
    const raw = this.#kinds.kinds.map((kind) => (kind ? rawAffinity(affinity, kindReader(this.#kinds, kind)) : 0));
    const { least, most } = rangeOf(raw, (i) => (counts[i] ?? 0) > 0);
    return raw.map((value) => weight * clamped(normalizedAffinity(value, least, most)));
  }

  /** What counts of shared domains add to the totals of each lane. */
  #added({ spread, affinity }: TopologyRules, allowed: readonly Lane[]): number[] {
    const added = allowed.map(() => 0);
    const isFeasible = allowed.map((lane) => lane.bestTotal >= 0);
    const readers = allowed.map((lane) => this.#partitionReader(this.#lanes.indexOf(lane)));
    const spreadWeight = this.#weightOf(POD_TOPOLOGY_SPREAD);
    if (spreadWeight !== 0 && levelOf(spread) === 'shared') {
      const sizes = spread.map(({ count }) => this.#domainsOf(count.domains, allowed, isFeasible));
      const raw = readers.map((read) => rawSpread(spread, sizes, read));
      const { least, most } = rangeOf(raw, (i) => isFeasible[i] === true);
      raw.forEach((value, i) => {
        added[i] = (added[i] ?? 0) + spreadWeight * normalizedSpread(value, least, most);
      });
    }
    const affinityWeight = this.#weightOf(INTER_POD_AFFINITY);
    if (affinityWeight !== 0 && levelOf(affinity) === 'shared') {
      const raw = readers.map((read) => rawAffinity(affinity, read));
      const { least, most } = rangeOf(raw, (i) => isFeasible[i] === true);
      raw.forEach((value, i) => {
        added[i] = (added[i] ?? 0) + affinityWeight * normalizedAffinity(value, least, most);
      });
    }
    return added;
  }

  /** In how many domains of a key feasible nodes lie. */
  #domainsOf(
    domains: DomainRule['count']['domains'],
    allowed: readonly Lane[],
    isFeasible: readonly boolean[],
  ): number {
    const key = this.#kinds.split.shared.indexOf(domains);
    const met = new Set<number>();
    allowed.forEach((lane, i) => {
      if (isFeasible[i]) met.add(this.#kinds.partitions[this.#lanes.indexOf(lane)]?.[key] ?? -1);
    });
    return met.size;
  }

  #weightOf(plugin: string): number {
    return this.#podClass.preScore?.scores.find((score) => score.plugin.name === plugin)?.weight ?? 0;
  }
}

function rangeOf(raw: readonly number[], isCounted: (index: number) => boolean): Range {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  raw.forEach((value, i) => {
    if (!isCounted(i)) return;
    least = Math.min(least, value);
    most = Math.max(most, value);
  });
  return least > most ? NO_RANGE : { least, most };
}

/** Kinds without a feasible node lie outside the range: whatever they get, it must not be taken for a rejection. */
function clamped(score: number): number {
  return Math.min(Math.max(score, 0), 100);
}
