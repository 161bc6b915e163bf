import type { CycleState } from '../../framework/cycle-state.ts';
import type { Column } from '../../memory/column-table.ts';
import type { SharedVector } from '../../memory/shared-vector.ts';

/** A rule for one search: a node is feasible if the number in its slot is accepted. */
export interface NodeMask {
  /** A number below the length of `accepted` in the slot of every node. */
  readonly column: Column<'i32'>;
  /** 1 for numbers that are accepted, 0 for all others. */
  readonly accepted: SharedVector;
}

/** The answers of the filters that are asked in every attempt. */
export interface AttemptAnswers {
  /** The state after PreFilter, for Reserve. */
  readonly state: CycleState;
  /** Valid until the next attempt. */
  readonly masks: readonly NodeMask[];
  /** What plugins that score in this attempt add to the total of every node. */
  readonly score: number;
}
