import type { CycleState } from './cycle-state.ts';
import type { ExtenderCalls } from './extender-calls.ts';
import type { NodeInfo } from './node-info.ts';
import type { FilterPlugin, PodNominator } from './plugin.ts';
import type { PodInfo } from './pod-info.ts';
import type { PreemptionReport } from './preemption-report.ts';
import type { Code, Status } from './status.ts';

/** What filtering said of the nodes when none was feasible (upstream's NodeToStatus). */
export interface NodeToStatus {
  /** In snapshot order. */
  nodesWithCode(code: Code): readonly NodeInfo[];
  /** null for a node that is not known. */
  statusOf(nodeName: string): Status | null;
  /** Every different rejection. */
  distinct(): Iterable<Status>;
}

/** The filters of a profile, for plugins that try out other states of a node (upstream's PluginsRunner). */
export interface PluginsRunner {
  /** The filters that PreFilter did not skip. */
  activeFilters(state: CycleState): FilterPlugin[];
  runFilterWithNominatedPods(
    active: readonly FilterPlugin[],
    state: CycleState,
    pod: PodInfo,
    node: NodeInfo,
    nominator: PodNominator,
  ): Status | null;
  runAddPod(state: CycleState, podToSchedule: PodInfo, podToAdd: PodInfo, node: NodeInfo): Status | null;
  runRemovePod(state: CycleState, podToSchedule: PodInfo, podToRemove: PodInfo, node: NodeInfo): Status | null;
}

/** The pods that would be evicted from one node (upstream's extenderv1.Victims). */
export interface NodeVictims {
  readonly node: NodeInfo;
  /** Most important first. */
  readonly victims: readonly PodInfo[];
  /** How many of the victims a PodDisruptionBudget protects. */
  readonly pdbViolations: number;
}

/** Lets extenders remove candidates for preemption, or change their victims; `error` ends the preemption. */
export type ProcessPreemption = (
  pod: PodInfo,
  candidates: readonly NodeVictims[],
) => ExtenderCalls<{ readonly candidates: readonly NodeVictims[] } | { readonly error: string }>;

/** What a PostFilter plugin learns of the failed attempt. */
export interface PostFilterContext {
  readonly framework: PluginsRunner;
  /** As PreFilter left it; to be cloned before pods are moved. To read it may cost a count of all pods. */
  readonly state: CycleState;
  /** The same, perhaps without what counts pods. */
  readonly podState: CycleState;
  readonly pod: PodInfo;
  readonly statuses: NodeToStatus;
  /** Picks one of n: where upstream draws at random. */
  readonly draw: (n: number) => number;
  /** Somebody asks why: look at every node and report. */
  readonly explain: boolean;
  /** Evictions may be tried out by sums of requests where that is exact; false: always with every plugin. */
  readonly numeric: boolean;
  /** Absent where no extender has a say in the pod's preemption. */
  readonly processPreemption?: ProcessPreemption;
}

export interface PostFilterOutcome {
  /** Success: the pod will fit on `nominatedNodeName` once the victims are gone. */
  readonly status: Status;
  /** '' takes the pod's earlier nomination back, null leaves it. */
  readonly nominatedNodeName: string | null;
  /** To be evicted by the caller; most important first. */
  readonly victims: readonly PodInfo[];
  /** Only when it was asked for, and only from a plugin that preempts. */
  readonly preemption: PreemptionReport | null;
}

export function notHelped(status: Status): PostFilterOutcome {
  return { status, nominatedNodeName: null, victims: [], preemption: null };
}
