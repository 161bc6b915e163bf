import type { CycleState } from './cycle-state.ts';
import type { ExtenderCalls } from './extender-calls.ts';
import type { NodeInfo } from './node-info.ts';
import type { NodeTally } from './node-tally.ts';
import type { FilterPlugin, PodNominator } from './plugin.ts';
import type { PodInfo } from './pod-info.ts';
import type { PreemptionReport } from './preemption-report.ts';
import type { SlotAnswers } from './slot-answers.ts';
import type { Code, Status } from './status.ts';

/** Nodes in snapshot order, which are looked up when they are read. */
export interface NodeList {
  readonly length: number;
  /** Visits the nodes from number `offset` on, wrapping round at the end, until `visit` returns false. */
  walk(offset: number, visit: (node: NodeInfo) => boolean): void;
  /** The same nodes by slot, for results that are kept in columns; absent if the engine keeps none. @internal */
  readonly slots?: NodeSlots;
}

export interface NodeSlots {
  /** All slots lie below this number. */
  readonly count: number;
  /** The cursor of a reader that has seen all changes. */
  readonly end: number;
  /** The slots about which anything changed since the cursor: node, pods, their objects, nominations; null for all. */
  readonly changedSince: (cursor: number) => Iterable<number> | null;
  readonly nodeAt: (slot: number) => NodeInfo;
  /** The number of nodes in the list. */
  readonly length: number;
  /** The slots of all nodes in snapshot order, those that are not in the list, too. */
  readonly order: Int32Array;
  /** The position in `order` at which a walk from number `offset` of the list on begins. */
  readonly positionOf: (offset: number) => number;
  /** Whether the node is in the list; null if all are. */
  readonly has: ((slot: number) => boolean) | null;
}

/** The results of filtering when no node was feasible (upstream's NodeToStatus). */
export interface NodeToStatus {
  /** The nodes are in snapshot order. */
  nodesWithCode(code: Code): readonly NodeInfo[];
  listWithCode(code: Code): NodeList;
  /** Returns null for an unknown node. */
  statusOf(nodeName: string): Status | null;
  /** Every distinct rejection. */
  distinct(): Iterable<Status>;
}

/** The filters of a profile, for plugins that change copies of a node (upstream's PluginsRunner). */
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
  /** The victims, most important first. */
  readonly victims: readonly PodInfo[];
  /** The number of victims that a PodDisruptionBudget protects. */
  readonly pdbViolations: number;
}

/** Lets extenders remove candidates for preemption, or change their victims; `error` ends the preemption. */
export type ProcessPreemption = (
  pod: PodInfo,
  candidates: readonly NodeVictims[],
) => ExtenderCalls<{ readonly candidates: readonly NodeVictims[] } | { readonly error: string }>;

/** The answers of topology filters about one pod as tallies, valid until something changes. */
export interface TopologyTallies {
  /** Pods with the same plan get the same answers. */
  readonly plan: object;
  /** The answers about each node with its pods and no others, as a small number. */
  readonly standing: SlotAnswers<number>;
  /** Adds the numbers on which the answers about the node depend, beside its own pods and the expected ones. */
  stamp(node: NodeInfo, out: number[]): void;
  /** A tally for each filter, in filter order. */
  of(node: NodeInfo, expected: readonly PodInfo[]): readonly TopologyTally[];
}

export interface TopologyTally extends NodeTally {
  /** Whether some pod that has gone or come matters to the filter. If not, the answer is still that of `standing`. */
  readonly isMoved: boolean;
}

/**
 * What filters with answers for one pod alone (`answersOnePod`) say of a node: whatever pods of it are left they accept
 * it, or one of them rejects it; or they have to be asked.
 */
export type Standing = 'accepted' | 'rejected' | 'unknown';

/** The filters of an attempt for dry runs that count pods instead of copying nodes. */
export interface TallyContext {
  /** The state after PreFilter, without the values of topology filters if `topology` is not null. */
  readonly state: CycleState;
  readonly filters: readonly FilterPlugin[];
  /** What comes after the filters; null if nothing does. */
  readonly topology: TopologyTallies | null;
  /** The standing of each node, if no pods are expected there; null or absent if none is known. */
  readonly standing?: SlotAnswers<Standing> | null;
}

/** The failed attempt that a PostFilter plugin handles. */
export interface PostFilterContext {
  readonly framework: PluginsRunner;
  /** The state after PreFilter, to be cloned before pods are moved. To read it may cost a count of all pods. */
  readonly state: CycleState;
  /** The state after PreFilter, perhaps without the values that count pods. */
  readonly podState: CycleState;
  readonly pod: PodInfo;
  readonly statuses: NodeToStatus;
  /** Draws one of n, where upstream draws at random. */
  readonly draw: (n: number) => number;
  /** Whether to look at every node and report the results. */
  readonly explain: boolean;
  /** Null if every plugin must be called on copies of nodes. */
  readonly tallied: TallyContext | null;
  /** Lets extenders process the preemption; undefined if no extender is interested in the pod. */
  readonly processPreemption?: ProcessPreemption | undefined;
}

/** The states after PreFilter, and the filters for dry runs. */
type FilteredStates = Pick<PostFilterContext, 'state' | 'podState' | 'tallied'>;

/** The context of one attempt. A class, since an object literal with a getter takes a microsecond to make. */
export class PostFilterAttempt implements PostFilterContext {
  readonly framework: PluginsRunner;
  readonly podState: CycleState;
  readonly pod: PodInfo;
  readonly statuses: NodeToStatus;
  readonly draw: (n: number) => number;
  readonly explain: boolean;
  readonly processPreemption: ProcessPreemption | undefined;
  readonly #states: FilteredStates;

  constructor(states: FilteredStates, given: Omit<PostFilterContext, keyof FilteredStates>) {
    this.framework = given.framework;
    this.podState = states.podState;
    this.pod = given.pod;
    this.statuses = given.statuses;
    this.draw = given.draw;
    this.explain = given.explain;
    this.processPreemption = given.processPreemption;
    this.#states = states;
  }

  get state(): CycleState {
    return this.#states.state;
  }

  get tallied(): TallyContext | null {
    return this.#states.tallied;
  }
}

/** What preemption, or another PostFilter plugin, did for a pod that fits nowhere. */
export interface PostFilterOutcome {
  /** With Success the pod will fit on `nominatedNodeName` once the victims are gone. */
  readonly status: Status;
  /** '' clears the pod's earlier nomination, null leaves it. */
  readonly nominatedNodeName: string | null;
  /** The pods that the caller evicts, most important first. */
  readonly victims: readonly PodInfo[];
  /** The report of a preemption; null unless it was requested and the plugin preempts. */
  readonly preemption: PreemptionReport | null;
}

export function notHelped(status: Status): PostFilterOutcome {
  return { status, nominatedNodeName: null, victims: [], preemption: null };
}
