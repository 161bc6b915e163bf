import type { PluginScores, Selection } from '../../engine/cycle/engine.ts';
import { NodeScores, selectNode } from '../../engine/cycle/node-scores.ts';
import type { ExtenderCalls } from '../../framework/extender-calls.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { DrawTie, TieBreak } from '../../framework/tie-break.ts';
import { add, type Int64 } from '../../lib/int64.ts';
import { type ExtenderScores, extenderTotal, prioritizeByExtenders } from '../extenders/prioritize.ts';
import type { FilterRecord, ScoreRecord } from './decision-record.ts';
import type { FilterFailure } from './filter-nodes.ts';
import type { Profile } from './profile.ts';

/** Runs PreScore and Score on objects, since an extender may have returned changed nodes, and then the extenders. */
export function* scoreWithExtenders(
  { framework, extenders }: Profile,
  pod: PodInfo,
  filtered: FilterRecord,
): ExtenderCalls<ScoreRecord | FilterFailure> {
  const nodes = filtered.feasibleNodes();
  const plugins = new NodeScores(framework, filtered.state.clone(), pod, nodes);
  const failure = plugins.run();
  if (failure !== null) return { failed: failure.reasons.join(', ') };
  const extenderScores = yield* prioritizeByExtenders(extenders, pod, nodes);
  return new ExtendedScores(plugins, extenderScores);
}

class ExtendedScores implements ScoreRecord {
  readonly extenderScores: readonly ExtenderScores[];
  readonly #plugins: NodeScores;
  /** The totals by index in the plugins' nodes. */
  readonly #totals: readonly Int64[];
  readonly #totalOf: ReadonlyMap<NodeInfo, Int64>;

  constructor(plugins: NodeScores, extenderScores: readonly ExtenderScores[]) {
    this.#plugins = plugins;
    this.extenderScores = extenderScores;
    const { nodes, totals } = plugins;
    this.#totals = nodes.map(({ name }, i) => add(totals[i] ?? 0, extenderTotal(extenderScores, name)));
    this.#totalOf = new Map(nodes.map((node, i) => [node, this.#totals[i] ?? 0]));
  }

  total(node: NodeInfo): number {
    return Number(this.#totalOf.get(node) ?? 0);
  }

  pluginScores(): readonly PluginScores[] {
    return this.#plugins.pluginScores();
  }

  select(tieBreak: TieBreak, draw: DrawTie): Selection {
    return selectNode(this.#plugins.nodes, this.#totals, tieBreak, draw);
  }
}
