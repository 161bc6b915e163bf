import type { Cycle } from '../../engine/cycle/engine.ts';
import type { Diagnosis } from '../../framework/diagnosis.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { SearchWindow } from '../../framework/node-search.ts';
import type { PostFilterOutcome } from '../../framework/post-filter.ts';
import type { Status } from '../../framework/status.ts';
import type { ExtenderScores } from '../extenders/prioritize.ts';

/**
 * The steps of a decision. `schedule` reads the result, `explain` everything. The records of filters and scores may be
 * a view of the engine's cycle, so they must be read before the next decision begins.
 */
export type DecisionRecord =
  | { readonly end: 'gated'; readonly status: Status }
  | { readonly end: 'noNodes' }
  /** The attempt failed with an error; `filtered` is null unless scoring failed. */
  | { readonly end: 'failed'; readonly message: string; readonly filtered: FilterRecord | null }
  | {
      readonly end: 'noFit';
      /** The status of PreFilter if it rejected all nodes, or else the record of the filters. */
      readonly by: Status | FilterRecord;
      /** The text of the event without the message of PostFilter. */
      readonly message: string;
      /** The outcome of PostFilter; null if it is disabled. */
      readonly postFilter: PostFilterOutcome | null;
      /** Null if nobody asked for it. */
      readonly diagnosis: Diagnosis | null;
    }
  /** The only feasible node is chosen without scores. */
  | { readonly end: 'onlyNode'; readonly filtered: FilterRecord; readonly node: NodeInfo }
  | { readonly end: 'scored'; readonly filtered: FilterRecord; readonly scores: ScoreRecord };

/** The results of filters, and then of extenders. `limitedBy` names `EXTENDER`, too, if an extender rejected a node. */
export interface FilterRecord
  extends Pick<
    Cycle,
    'state' | 'podState' | 'tallied' | 'limitedBy' | 'processed' | 'feasibleNodes' | 'reasonCounts' | 'nodeStatuses'
  > {
  readonly window: SearchWindow;
  readonly feasibleCount: number;
  /** The rejections by node name; an extender may name nodes that are not in the cluster. */
  rejections(): ReadonlyMap<string, Status>;
}

/** The totals of the feasible nodes, and the scores of which they consist. */
export interface ScoreRecord extends Pick<Cycle, 'total' | 'pluginScores' | 'select'> {
  /** The scores of the extenders that answered; null if none was called. */
  readonly extenderScores: readonly ExtenderScores[] | null;
}
