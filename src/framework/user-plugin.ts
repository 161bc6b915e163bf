import type { PodSpec } from '../api/pod.ts';
import type { CycleState } from './cycle-state.ts';
import type { ClusterEventWithHint } from './events.ts';
import type { Handle } from './handle.ts';
import type { NodeColumnsView } from './node-columns-view.ts';
import type { NodeInfo } from './node-info.ts';
import type { Eventually, Normalization, PodNominator, PreFilterResult, Snapshot } from './plugin.ts';
import type { PluginAnswer, PluginStatus } from './plugin-status.ts';
import type { PodInfo } from './pod-info.ts';
import type { NodeToStatus } from './post-filter.ts';
import type { QueuedPod } from './queued-pod.ts';

/** A node with its present score, which may be changed. */
export interface NodeScore {
  readonly name: string;
  score: number;
}

/** What a PostFilter plugin of your own did for a pod that fits nowhere. */
export interface UserPostFilterResult {
  readonly status: PluginStatus;
  /** The node to nominate; '' clears an earlier nomination. */
  readonly nominatedNodeName?: string;
  /** The pods to evict, most important first. */
  readonly victims?: readonly PodInfo[];
}

/**
 * The inputs of a plugin's answers. The scheduler calls the plugin again only for nodes whose inputs changed.
 *
 *   node       the pod's spec and the Node object
 *   nodePods   also the pods on that node
 *   cluster    anything: the plugin is called for every node and every pod
 */
export type UserReads = 'node' | 'nodePods' | 'cluster';

/**
 * An out-of-tree plugin with any of upstream's methods, each of which belongs to an extension point. Methods return
 * their answer; `preBind` and `bind` may give it later. A method that throws, or returns an invalid answer, fails the
 * attempt of the pod, with the plugin's name in the message.
 *
 * A `Scheduler` calls `preEnqueue`, the methods of the scheduling cycle (`preFilter` to `normalizeScore`, `postFilter`,
 * `addPod` and `removePod`), and `reserve`. A pod that `reserve` rejects is unschedulable, and one for which it fails
 * has an error; in both cases `unreserve` is called in reverse order. The caller binds, so that the queue's `less`,
 * `permit` and the methods of the binding cycle are called only by a scheduler on a store (`Cluster`).
 */
export interface UserPlugin {
  /** The name under which the plugin is registered. */
  readonly name: string;
  /**
   * The parts of the pod's spec on which the plugin's answers depend, as JSON; pods that are equal in them share
   * answers. Required if `filterReads` or `scoreReads` is not `cluster`. Without it, and with `stateReads` `pod`, only
   * pods with equal specs share answers.
   */
  dependsOn?(pod: { readonly spec: PodSpec }): unknown;
  eventsToRegister?(): readonly ClusterEventWithHint[];

  preEnqueue?(pod: PodInfo): PluginAnswer;
  /** The order of the queue: whether `a` is scheduled before `b`. */
  less?(a: QueuedPod, b: QueuedPod): boolean;
  preFilter?(state: CycleState, pod: PodInfo, snapshot: Snapshot): PluginAnswer | PreFilterResult;
  /** Updates the PreFilter state when preemption adds a pod to a node or removes it. */
  addPod?(state: CycleState, podToSchedule: PodInfo, podToAdd: PodInfo, node: NodeInfo): PluginAnswer;
  removePod?(state: CycleState, podToSchedule: PodInfo, podToRemove: PodInfo, node: NodeInfo): PluginAnswer;
  filter?(state: CycleState, pod: PodInfo, node: NodeInfo): PluginAnswer;
  postFilter?(state: CycleState, pod: PodInfo, statuses: NodeToStatus): UserPostFilterResult | PluginStatus;
  preScore?(state: CycleState, pod: PodInfo, nodes: readonly NodeInfo[]): PluginAnswer;
  /**
   * The score: a whole number, which is 0 to 100 unless it is normalised. Where answers are kept, few distinct scores
   * are faster.
   */
  score?(state: CycleState, pod: PodInfo, node: NodeInfo): number | PluginStatus;
  /** Changes the scores of all feasible nodes to 0..100. */
  normalizeScore?(state: CycleState, pod: PodInfo, scores: readonly NodeScore[]): PluginAnswer;
  /** Scales the scores by the largest, instead of `normalizeScore`. */
  readonly normalize?: Normalization;
  reserve?(state: CycleState, pod: PodInfo, nodeName: string): PluginAnswer;
  unreserve?(state: CycleState, pod: PodInfo, nodeName: string): void;
  permit?(state: CycleState, pod: PodInfo, nodeName: string): PluginAnswer;
  preBindPreFlight?(state: CycleState, pod: PodInfo, nodeName: string): PluginAnswer;
  preBind?(state: CycleState, pod: PodInfo, nodeName: string): Eventually<PluginAnswer>;
  bind?(state: CycleState, pod: PodInfo, nodeName: string): Eventually<PluginAnswer>;
  postBind?(state: CycleState, pod: PodInfo, nodeName: string): void;

  /** What `filter` depends on; `cluster` by default, as for `scoreReads`. */
  readonly filterReads?: UserReads;
  readonly scoreReads?: UserReads;
  /** What `preFilter` and `preScore` depend on: `pod` for the spec alone, `cluster` (the default) for anything. */
  readonly stateReads?: 'pod' | 'cluster';

  /** The numbers of a node that are kept in columns, by name; computed again when the node or its pods change. */
  readonly columns?: Readonly<Record<string, (node: NodeInfo) => number>>;
  /** The statuses of rejected rows: a 1 in `out` stands for the first, a 2 for the second, ... */
  columnStatuses?(pod: PodInfo): readonly PluginStatus[];
  /** Filters the rows from `from` up to `to`: writes 0 into `out` for nodes that fit the pod. */
  filterColumns?(pod: PodInfo, nodes: NodeColumnsView, out: Uint8Array, from: number, to: number): void;
  /** Scores these rows. */
  scoreColumns?(pod: PodInfo, nodes: NodeColumnsView, out: Int32Array, from: number, to: number): void;
}

/** The methods of a plugin at one extension point. */
export type PluginPart<Name extends keyof UserPlugin> = UserPlugin & Required<Pick<UserPlugin, Name>>;

/** A plugin that keeps pods out of the queue. */
export type PreEnqueuePlugin = PluginPart<'preEnqueue'>;
/** A plugin that orders the pods of the queue. */
export type QueueSortPlugin = PluginPart<'less'>;
/** A plugin that prepares its filter, or rejects a pod for all nodes. */
export type PreFilterPlugin = PluginPart<'preFilter'>;
/** A plugin that rejects nodes. */
export type FilterPlugin = PluginPart<'filter'>;
/** A plugin that makes room for pods that fit nowhere. */
export type PostFilterPlugin = PluginPart<'postFilter'>;
/** A plugin that prepares its scores. */
export type PreScorePlugin = PluginPart<'preScore'>;
/** A plugin that scores nodes. */
export type ScorePlugin = PluginPart<'score'>;
/** A plugin that reserves something for pods, and gives it back. */
export type ReservePlugin = PluginPart<'reserve' | 'unreserve'>;
/** A plugin that lets pods wait before they are bound. */
export type PermitPlugin = PluginPart<'permit'>;
/** A plugin that prepares a node before its pod is bound. */
export type PreBindPlugin = PluginPart<'preBind'>;
/** A plugin that binds pods. */
export type BindPlugin = PluginPart<'bind'>;
/** A plugin that is notified of bound pods. */
export type PostBindPlugin = PluginPart<'postBind'>;

/** What a plugin may use beside its arguments (upstream's framework.Handle). */
export interface PluginHandle {
  readonly snapshot: Snapshot;
  readonly nominator: PodNominator;
  /** Waiting pods, activation, time and the API; null in a scheduler without a store. */
  readonly store: Handle | null;
}

/** Makes a plugin from its arguments in the configuration, which are not validated; undefined if there are none. */
export type PluginFactory = (args: unknown, handle: PluginHandle) => UserPlugin;

/** The factories by plugin name. */
export type PluginRegistry = Readonly<Record<string, PluginFactory>>;
