import type { PluginScores, Selection } from '../../engine/cycle/engine.ts';
import type { CycleState } from '../../framework/cycle-state.ts';
import type { Diagnosis } from '../../framework/diagnosis.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { SearchWindow } from '../../framework/node-search.ts';
import type { NodeToStatus, PostFilterOutcome } from '../../framework/post-filter.ts';
import type { Status } from '../../framework/status.ts';
import type { DrawTie, TieBreak } from '../../framework/tie-break.ts';
import type { ExtenderScores } from '../extenders/prioritize.ts';

/**
 * How a decision came about. `schedule` reads its end, `explain` everything in it. What filters and scores found may
 * be a view of the engine's cycle: it is to be read before the next decision begins.
 */
export type DecisionRecord =
  | { readonly end: 'gated'; readonly status: Status }
  | { readonly end: 'noNodes' }
  /** `filtered`: when it was scoring that failed. */
  | { readonly end: 'failed'; readonly message: string; readonly filtered: FilterRecord | null }
  | {
      readonly end: 'noFit';
      /** Who left no node: PreFilter for all nodes at once, or the filters. */
      readonly by: Status | FilterRecord;
      /** What the filters said, without PostFilter's words. */
      readonly message: string;
      /** null when PostFilter is switched off. */
      readonly postFilter: PostFilterOutcome | null;
      readonly diagnosis: Diagnosis;
    }
  /** The only feasible node is taken unscored. */
  | { readonly end: 'onlyNode'; readonly filtered: FilterRecord; readonly node: NodeInfo }
  | { readonly end: 'scored'; readonly filtered: FilterRecord; readonly scores: ScoreRecord };

/** What the filters, and extenders behind them, found of the nodes. */
export interface FilterRecord {
  readonly window: SearchWindow;
  /** As PreFilter left it. To read it may cost a count of all pods. */
  readonly state: CycleState;
  /** The same, perhaps without what counts pods. */
  readonly podState: CycleState;
  /** Who left nodes out before any was looked at; the extenders, if one of them rejected any. */
  readonly limitedBy: readonly string[];
  /** Nodes that the search dealt with. */
  readonly processed: number;
  readonly feasibleCount: number;
  /** In the order in which they were found. */
  feasibleNodes(): readonly NodeInfo[];
  /** By node name. An extender may speak of nodes that nobody knows. */
  rejections(): ReadonlyMap<string, Status>;
  /** How many nodes gave each reason. */
  reasonCounts(): Map<string, number>;
  nodeStatuses(): NodeToStatus;
}

/** The totals of the feasible nodes, and what they are made of. */
export interface ScoreRecord {
  total(node: NodeInfo): number;
  pluginScores(): readonly PluginScores[];
  /** Of those extenders that answered; null when none was called. */
  readonly extenderScores: readonly ExtenderScores[] | null;
  select(tieBreak: TieBreak, draw: DrawTie): Selection;
}
