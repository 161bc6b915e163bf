import type { PreemptionReport } from '../../framework/preemption-report.ts';
import type { Code, Status } from '../../framework/status.ts';

/** What became of one pod that was asked to be scheduled. */
export type ScheduleResult =
  | {
      readonly status: 'scheduled';
      readonly node: string;
      /** Weighted total of the chosen node; null when it was the only feasible one and nothing was scored. */
      readonly score: number | null;
      readonly feasibleNodes: number;
      /** How many nodes shared the best total, the chosen one included; not counted in a batch. */
      readonly ties?: number;
    }
  | {
      /** No node fits now. */
      readonly status: 'unschedulable';
      /** Text of the FailedScheduling event. */
      readonly message: string;
      /** Preemption found a node where the pod will fit once these pods are gone: the caller removes them. */
      readonly nominatedNode?: string;
      /** namespace/name, most important first. */
      readonly victims?: readonly string[];
    }
  /** A PreEnqueue plugin holds the pod back; it was not tried. */
  | { readonly status: 'gated'; readonly plugin: string; readonly reasons: readonly string[] }
  /** No profile of the configuration has the pod's `spec.schedulerName`: the pod is left alone. */
  | { readonly status: 'notResponsible'; readonly schedulerName: string }
  /** The attempt failed inside; `message` is upstream's error text. */
  | { readonly status: 'error'; readonly message: string };

/** One score plugin's word on one node. `weighted` = `normalized` x the plugin's weight, what enters the total. */
export interface PluginScore {
  readonly plugin: string;
  readonly raw: number;
  readonly normalized: number;
  readonly weighted: number;
}

/** What one HTTP extender adds to a node's total. */
export interface ExtenderScore {
  /** Its URL prefix, as configured. */
  readonly extender: string;
  /** Its score x its weight x 10. */
  readonly weighted: number;
}

export interface NodeExplanation {
  readonly node: string;
  /** Why the node was rejected (first rejecting plugin, in filter order); null for a feasible node. */
  readonly rejected: Status | null;
  /** In plugin order; empty for rejected nodes and when scoring was skipped (one feasible node). */
  readonly scores: readonly PluginScore[];
  /** Absent where no extender scored the node. */
  readonly extenderScores?: readonly ExtenderScore[];
  /** Sum of the weighted scores, those of extenders included; null when the node was not scored. */
  readonly total: number | null;
}

/** Positions are indexes into `nodeOrder`. */
export interface SearchExplanation {
  readonly startIndex: number;
  /** The search stops when it meets one feasible node more. */
  readonly numNodesToFind: number;
  /** Where the next pod's search starts. */
  readonly nextStartIndex: number;
}

/** What PostFilter did when no node was feasible. */
export interface PreemptionExplanation extends PreemptionReport {
  /** Success: the pod is nominated. */
  readonly status: Code;
  /** What PostFilter adds to the event; '' on success. */
  readonly message: string;
}

/** Everything that led (or would lead) to a decision; asking for it changes nothing. */
export interface Explanation {
  readonly status: ScheduleResult['status'];
  /** For `gated`. */
  readonly preEnqueue: Status | null;
  /** A PreFilter step rejected the pod for all nodes at once; `nodes` then has no entries of its own. */
  readonly preFilter: Status | null;
  /** Every node that was looked at, in snapshot order (zones round robin). */
  readonly nodes: readonly NodeExplanation[];
  /** Names of the nodes that passed every filter, in the order in which the search found them. */
  readonly feasible: readonly string[];
  /** Feasible nodes with the maximum total, in snapshot order. */
  readonly best: readonly string[];
  /** All nodes in snapshot order. */
  readonly nodeOrder: readonly string[];
  /** One feasible node: it is taken unscored. */
  readonly scoringSkipped: boolean;
  /** Only for `unschedulable` with at least one node. */
  readonly preemption: PreemptionExplanation | null;
  /** Which part of `nodeOrder` was searched; null when no node was filtered. */
  readonly search: SearchExplanation | null;
  /** Event or error text; '' when the pod can be scheduled. */
  readonly message: string;
}
