import type { CycleState } from '../../framework/cycle-state.ts';
import type { Column } from '../../memory/column-table.ts';
import type { SharedVector } from '../../memory/shared-vector.ts';
import type { TopologyRules } from '../topology/topology-rules.ts';

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
  /** The same as all masks, as rules by which nodes can be sorted; null if there are none. */
  readonly rules: TopologyRules | null;
  /** What plugins that score in this attempt add to the total of every node. */
  readonly score: number;
}

/** What the filters that are asked in every attempt say of a pod whatever else a run places. */
export interface RunAnswers {
  /** The rules of the nodes that they accept; null if they accept all. */
  readonly rules: TopologyRules | null;
  /** They say so of as many waiting pods, each with this number or a larger one. */
  readonly room: number;
}
