import type { CycleState } from '../../framework/cycle-state.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import { normalizeScore } from '../../framework/normalize-score.ts';
import { MAX_NODE_SCORE, MIN_NODE_SCORE, type ScorePlugin } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { Framework, WeightedScorePlugin } from '../../framework/runtime/framework.ts';
import { orScoreFailure, ScoreFailure } from '../../framework/runtime/guarded-plugin.ts';
import { errorStatus, type Status } from '../../framework/status.ts';
import type { DrawTie, TieBreak } from '../../framework/tie-break.ts';
import { assert } from '../../lib/assert.ts';
import type { Int64 } from '../../lib/int64.ts';
import type { PluginScores, Selection } from './engine.ts';
import { heapRoot } from './heap-root.ts';

interface ScoreColumn extends WeightedScorePlugin {
  readonly raw: readonly number[];
  readonly normalized: readonly number[];
}

/** The scores of nodes, computed node by node with the plugins' own methods (upstream's RunScorePlugins). */
export class NodeScores {
  readonly nodes: readonly NodeInfo[];
  readonly #framework: Framework;
  readonly #state: CycleState;
  readonly #pod: PodInfo;
  #columns: ScoreColumn[] = [];
  /** The total scores by position in `nodes`. */
  totals: readonly number[] = [];
  #positions: Map<NodeInfo, number> | null = null;

  constructor(framework: Framework, state: CycleState, pod: PodInfo, nodes: readonly NodeInfo[]) {
    this.#framework = framework;
    this.#state = state;
    this.#pod = pod;
    this.nodes = nodes;
  }

  /** Runs PreScore and Score; returns an Error status if scoring fails. */
  run(): Status | null {
    const failure =
      this.#framework.runPreScore(this.#state, this.#pod, this.nodes) ??
      this.#framework.scoreFailure(this.#state, this.#pod);
    if (failure !== null) return failure;
    const scored = orScoreFailure(() => this.#score());
    if (scored instanceof ScoreFailure) return scored.status;
    this.#columns = scored;
    const invalid = scored.map(({ plugin, normalized }) => invalidScore(plugin, normalized));
    const first = invalid.find((status) => status !== null);
    if (first !== undefined) return first;
    this.totals = this.nodes.map((_, i) =>
      scored.reduce((sum, { normalized, weight }) => sum + (normalized[i] ?? 0) * weight, 0),
    );
    return null;
  }

  /** As upstream, all plugins score before the first one normalises, which determines the failure that is reported. */
  #score(): ScoreColumn[] {
    const active = this.#framework.activeScores(this.#state);
    const raws = this.#rawScores(active);
    return active.map(({ plugin, weight }, i) => {
      const raw = raws[i] ?? [];
      return { plugin, weight, raw, normalized: normalizedBy(plugin, this.#state, this.#pod, this.nodes, raw) };
    });
  }

  total(node: NodeInfo): number {
    return this.totals[this.#position(node)] ?? 0;
  }

  pluginScores(): readonly PluginScores[] {
    return this.#columns.map(({ plugin, weight, raw, normalized }) => ({
      plugin: plugin.name,
      weight,
      raw: (node) => raw[this.#position(node)] ?? 0,
      normalized: (node) => normalized[this.#position(node)] ?? 0,
    }));
  }

  /** The raw scores by plugin, then by node. As upstream, plugins are called node by node. */
  #rawScores(active: readonly WeightedScorePlugin[]): number[][] {
    const raws = active.map((): number[] => []);
    for (const node of this.nodes) {
      const trace = this.#framework.activeTrace.trace?.atNode() ?? null;
      for (const [i, { plugin }] of active.entries()) {
        trace?.startPlugin('score', plugin.name, node.name);
        raws[i]?.push(plugin.score(this.#state, this.#pod, node));
        trace?.end();
      }
    }
    return raws;
  }

  #position(node: NodeInfo): number {
    this.#positions ??= new Map(this.nodes.map((known, i) => [known, i]));
    return this.#positions.get(node) ?? -1;
  }
}

/** Selects one of the nodes with the best total; `totals` are by position. There must be a node. */
export function selectNode(
  nodes: readonly NodeInfo[],
  totals: readonly Int64[],
  tieBreak: TieBreak,
  draw: DrawTie,
): Selection {
  const total = totals.reduce((most, value) => (value > most ? value : most), Number.NEGATIVE_INFINITY);
  const best = nodes.filter((_, i) => totals[i] === total).sort((a, b) => a.order - b.order);
  const drawn =
    best[tieBreak === 'random' && best.length > 1 ? draw(best.length, (rank) => best[rank]?.name ?? '') : 0];
  const node = tieBreak === 'upstream' ? nodes[heapRoot(totals)] : drawn;
  assert(node !== undefined, 'select needs a feasible node');
  return { node, total: Number(total), ties: best.length };
}

/** Returns the plugin's normalised scores of these nodes, which should be 0 to 100. */
export function normalizedBy(
  plugin: ScorePlugin,
  state: CycleState,
  pod: PodInfo,
  nodes: readonly NodeInfo[],
  raw: readonly number[],
): readonly number[] {
  const { normalize } = plugin;
  if (normalize !== undefined) {
    const max = raw.reduce((most, value) => Math.max(most, value), 0);
    return raw.map((value) => normalizeScore(value, max, normalize));
  }
  return plugin.normalizeScores?.(state, pod, nodes, raw) ?? raw;
}

/** Returns an Error status for a score outside 0..100, as upstream: for example after a 64-bit overflow in a plugin. */
export function invalidScore(plugin: ScorePlugin, scores: readonly number[]): Status | null {
  const bad = scores.find((score) => score > MAX_NODE_SCORE || score < MIN_NODE_SCORE);
  if (bad === undefined) return null;
  const reason =
    `plugin "${plugin.name}" returns an invalid score ${bad}, ` +
    `it should in the range of [${MIN_NODE_SCORE}, ${MAX_NODE_SCORE}] after normalizing`;
  return errorStatus(plugin.name, `applying score defaultWeights on Score plugins: ${reason}`);
}
