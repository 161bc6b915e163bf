import type { PreemptionReport } from '../../framework/preemption-report.ts';
import type { Code, Status } from '../../framework/status.ts';

/** The result of scheduling one pod. */
export type ScheduleResult =
  | {
      readonly status: 'scheduled';
      readonly node: string;
      /** The weighted total of the chosen node; null if it was the only feasible node, which is not scored. */
      readonly score: number | null;
      readonly feasibleNodes: number;
      /** The number of nodes with the best total, including the chosen one; absent in a batch. */
      readonly ties?: number;
    }
  | {
      /** No node fits now. */
      readonly status: 'unschedulable';
      /** The text of the FailedScheduling event. */
      readonly message: string;
      /** The node on which the pod will fit once the caller has removed the victims of preemption. */
      readonly nominatedNode?: string;
      /** The victims as namespace/name, most important first. */
      readonly victims?: readonly string[];
    }
  /** A PreEnqueue plugin gates the pod, which was not tried. */
  | { readonly status: 'gated'; readonly plugin: string; readonly reasons: readonly string[] }
  /** No profile of the configuration has the pod's `spec.schedulerName`, so the pod is ignored. */
  | { readonly status: 'notResponsible'; readonly schedulerName: string }
  /** The attempt failed with an error; `message` is upstream's error text. */
  | { readonly status: 'error'; readonly message: string };

/** The score of one plugin for one node. The total contains `weighted`, which is `normalized` x the plugin's weight. */
export interface PluginScore {
  readonly plugin: string;
  readonly raw: number;
  readonly normalized: number;
  readonly weighted: number;
}

/** The score that one HTTP extender adds to a node's total. */
export interface ExtenderScore {
  /** The URL prefix of the extender, as configured. */
  readonly extender: string;
  /** The extender's score x its weight x 10. */
  readonly weighted: number;
}

/** Why a node was rejected, or how it was scored. */
export interface NodeExplanation {
  readonly node: string;
  /** The status of the first plugin, in filter order, that rejected the node; null for a feasible node. */
  readonly rejected: Status | null;
  /** What the plugin says beyond that, such as why each device does not serve a claim; absent: nothing. */
  readonly details?: readonly string[];
  /** The scores in plugin order; empty for a rejected node, or if scoring was skipped (one feasible node). */
  readonly scores: readonly PluginScore[];
  /** The scores of extenders; absent if no extender scored the node. */
  readonly extenderScores?: readonly ExtenderScore[];
  /** The sum of the weighted scores, including those of extenders; null if the node was not scored. */
  readonly total: number | null;
}

/** The part of the nodes that was searched. Positions are indexes into `nodeOrder`. */
export interface SearchExplanation {
  readonly startIndex: number;
  /** The search stops at the first feasible node after this many. */
  readonly numNodesToFind: number;
  /** The position where the next pod's search starts. */
  readonly nextStartIndex: number;
}

/** The outcome of PostFilter if no node was feasible. */
export interface PreemptionExplanation extends PreemptionReport {
  /** The code of PostFilter; with Success the pod is nominated. */
  readonly status: Code;
  /** The text that PostFilter adds to the event; '' on success. */
  readonly message: string;
}

/** All details of a decision. To explain a pod changes nothing. */
export interface Explanation {
  readonly status: ScheduleResult['status'];
  /** The status of the PreEnqueue plugin that gates the pod; null for a pod that is not gated. */
  readonly preEnqueue: Status | null;
  /** The status of PreFilter if it rejected all nodes at once, in which case `nodes` is empty; null otherwise. */
  readonly preFilter: Status | null;
  /** Every node that was filtered, in snapshot order (zones round robin). */
  readonly nodes: readonly NodeExplanation[];
  /** The names of the feasible nodes, in the order in which the search found them. */
  readonly feasible: readonly string[];
  /** The names of the feasible nodes with the maximum total, in snapshot order. */
  readonly best: readonly string[];
  /** The names of all nodes, in snapshot order. */
  readonly nodeOrder: readonly string[];
  /** Whether the only feasible node was chosen without scores. */
  readonly scoringSkipped: boolean;
  /** The outcome of PostFilter; null if it did not run. */
  readonly preemption: PreemptionExplanation | null;
  /** The part of `nodeOrder` that was searched; null if no node was filtered. */
  readonly search: SearchExplanation | null;
  /** The text of the event or error; '' if the pod can be scheduled. */
  readonly message: string;
}
