import { assert } from '../../lib/assert.ts';
import { CycleState } from '../framework/cycle-state.ts';
import type { Framework, PreFilterOutcome, WeightedScorePlugin } from '../framework/framework.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import {
  MAX_NODE_SCORE,
  MIN_NODE_SCORE,
  type Normalization,
  type PodNominator,
  type ScorePlugin,
  type Snapshot,
} from '../framework/plugin.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import { errorStatus, type Status } from '../framework/status.ts';
import type { SearchWindow } from '../node-search.ts';
import type { Cycle, Engine, PluginScores, Selection, TieBreak } from './engine.ts';
import { heapRoot } from './heap-root.ts';
import { NodeStatuses } from './node-statuses.ts';

/**
 * The specification: every plugin's own method is called on every node, as upstream does it, with nothing remembered
 * from pod to pod. Slow and plain; the other engines are held against it, and hand over to it what their columns cannot
 * hold exactly (quantities beyond 2^53).
 */
export class ReferenceEngine implements Engine {
  readonly name = 'reference';
  readonly indexed = null;
  readonly sharedMemoryBytes = 0;
  readonly runner = null;
  readonly #framework: Framework;
  readonly #snapshot: Snapshot & PodNominator;

  constructor(framework: Framework, snapshot: Snapshot & PodNominator) {
    this.#framework = framework;
    this.#snapshot = snapshot;
  }

  begin(pod: PodInfo): Cycle {
    return new ReferenceCycle(this.#framework, this.#snapshot, pod);
  }
}

interface ScoreColumn extends WeightedScorePlugin {
  readonly raw: readonly number[];
  readonly normalized: readonly number[];
}

class ReferenceCycle implements Cycle {
  readonly rejected: Status | null;
  failure: Status | null = null;
  processed = 0;
  readonly #framework: Framework;
  readonly #snapshot: Snapshot & PodNominator;
  readonly #pod: PodInfo;
  readonly state = new CycleState();
  readonly #preFilter: PreFilterOutcome;
  readonly #feasible: NodeInfo[] = [];
  readonly #rejected = new Map<NodeInfo, Status>();
  #columns: ScoreColumn[] = [];
  #totals: number[] = [];
  #positions: Map<NodeInfo, number> | null = null;

  constructor(framework: Framework, snapshot: Snapshot & PodNominator, pod: PodInfo) {
    this.#framework = framework;
    this.#snapshot = snapshot;
    this.#pod = pod;
    this.#preFilter = framework.runPreFilter(this.state, pod, snapshot);
    this.rejected = framework.rejectedByPreFilter(this.#preFilter, snapshot);
  }

  filter({ start, wanted }: SearchWindow): number {
    const { nodeNames, excluded } = this.#preFilter;
    const active = this.#framework.activeFilters(this.state);
    const judge = (node: NodeInfo): Status | null =>
      this.#framework.runFilterWithNominatedPods(active, this.state, this.#pod, node, this.#snapshot);

    const own = this.#snapshot.node(this.#pod.nominatedNodeName);
    const ownStatus = own === undefined ? null : judge(own);
    if (own !== undefined && ownStatus === null) return this.#feasible.push(own);

    const nodes = this.#snapshot.nodeInfos();
    let isOwnLeft = own !== undefined;
    for (let i = 0; i < nodes.length; i++) {
      const node = nodes[(start + i) % nodes.length];
      assert(node !== undefined, 'the search stays within the snapshot');
      const isExcluded = nodeNames !== null && !nodeNames.has(node.name);
      const rejected = isExcluded ? excluded : node === own ? ownStatus : judge(node);
      if (rejected?.code === 'Error') return this.#fail(rejected);
      if (rejected !== null) this.#rejected.set(node, rejected);
      else if (this.#feasible.length < wanted) this.#feasible.push(node);
      else break;
      if (isExcluded) continue;
      this.processed++;
      if (node === own) isOwnLeft = false;
    }
    if (own !== undefined && ownStatus !== null && isOwnLeft) {
      // It was looked at, whether or not the search came to it.
      this.#rejected.set(own, ownStatus);
      this.processed++;
    }
    return this.#feasible.length;
  }

  /** A plugin failed: nothing is said of any node. */
  #fail(failure: Status): 0 {
    this.failure = failure;
    this.#feasible.length = 0;
    this.#rejected.clear();
    return 0;
  }

  feasibleNodes(): readonly NodeInfo[] {
    return this.#feasible;
  }

  rejections(): Iterable<readonly [NodeInfo, Status]> {
    return this.#rejected;
  }

  reasonCounts(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { reasons } of this.#rejected.values()) {
      for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
    }
    return counts;
  }

  nodeStatuses(): NodeStatuses {
    const slots = this.#snapshot.nodeInfos().reduce((most, { slot }) => Math.max(most, slot + 1), 0);
    return new NodeStatuses(this.#snapshot, slots, (node) => this.rejected ?? this.#rejected.get(node) ?? null);
  }

  score(): Status | null {
    const failure =
      this.#framework.runPreScore(this.state, this.#pod, this.#feasible) ??
      this.#framework.scoreFailure(this.state, this.#pod);
    if (failure !== null) return failure;
    const { trace } = this.#framework.watch;
    this.#columns = this.#framework.activeScores(this.state).map(({ plugin, weight }) => {
      trace?.startPlugin('score', plugin.name);
      const raw = this.#feasible.map((node) => plugin.score(this.state, this.#pod, node));
      const normalized = this.#normalize(plugin, raw);
      trace?.end();
      return { plugin, weight, raw, normalized };
    });
    const invalid = this.#columns.map(invalidScore).find((status) => status !== null);
    if (invalid !== undefined) return invalid;
    this.#totals = this.#feasible.map((_, i) =>
      this.#columns.reduce((sum, { normalized, weight }) => sum + (normalized[i] ?? 0) * weight, 0),
    );
    return null;
  }

  select(tieBreak: TieBreak, draw: (ties: number) => number): Selection {
    const total = this.#totals.reduce((best, value) => Math.max(best, value), Number.NEGATIVE_INFINITY);
    const best = this.#feasible.filter((_, i) => this.#totals[i] === total).sort((a, b) => a.order - b.order);
    const drawn = best[tieBreak === 'random' && best.length > 1 ? draw(best.length) : 0];
    const node = tieBreak === 'upstream' ? this.#feasible[heapRoot(this.#totals)] : drawn;
    assert(node !== undefined, 'select needs a feasible node');
    return { node, total, ties: best.length };
  }

  total(node: NodeInfo): number {
    return this.#totals[this.#position(node)] ?? 0;
  }

  pluginScores(): readonly PluginScores[] {
    return this.#columns.map(({ plugin, weight, raw, normalized }) => ({
      plugin: plugin.name,
      weight,
      raw: (node) => raw[this.#position(node)] ?? 0,
      normalized: (node) => normalized[this.#position(node)] ?? 0,
    }));
  }

  #normalize(plugin: ScorePlugin, raw: readonly number[]): readonly number[] {
    if (plugin.normalize !== undefined) return normalize(raw, plugin.normalize);
    return plugin.normalizeScores?.(this.state, this.#pod, this.#feasible, raw) ?? raw;
  }

  #position(node: NodeInfo): number {
    this.#positions ??= new Map(this.#feasible.map((feasible, i) => [feasible, i]));
    return this.#positions.get(node) ?? -1;
  }
}

/** Scales by the largest score to 0..100 (upstream's DefaultNormalizeScore). */
function normalize(raw: readonly number[], { reverse }: Normalization): number[] {
  const max = raw.reduce((most, value) => Math.max(most, value), 0);
  if (max === 0) return raw.map((value) => (reverse ? MAX_NODE_SCORE : value));
  return raw.map((value) => {
    const scaled = Math.trunc((value * MAX_NODE_SCORE) / max);
    return reverse ? MAX_NODE_SCORE - scaled : scaled;
  });
}

/** A 64-bit overflow inside a plugin shows here, and fails the attempt, as upstream. */
function invalidScore({ plugin, normalized }: ScoreColumn): Status | null {
  const bad = normalized.find((score) => score > MAX_NODE_SCORE || score < MIN_NODE_SCORE);
  if (bad === undefined) return null;
  const reason =
    `plugin "${plugin.name}" returns an invalid score ${bad}, ` +
    `it should in the range of [${MIN_NODE_SCORE}, ${MAX_NODE_SCORE}] after normalizing`;
  return errorStatus(plugin.name, `applying score defaultWeights on Score plugins: ${reason}`);
}
