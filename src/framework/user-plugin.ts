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

/** A node with the score that it has so far; `score` is there to be changed. */
export interface NodeScore {
  readonly name: string;
  score: number;
}

export interface UserPostFilterResult {
  readonly status: PluginStatus;
  /** Where room is kept for the pod; '' takes an earlier nomination back. */
  readonly nominatedNodeName?: string;
  /** To be evicted, most important first. */
  readonly victims?: readonly PodInfo[];
}

/**
 * What verdicts and scores depend on. The scheduler asks again only for nodes whose inputs changed.
 *
 *   node       the pod's spec and the Node object
 *   nodePods   also the pods on that node
 *   cluster    anything: every node is asked anew for every pod
 */
export type UserReads = 'node' | 'nodePods' | 'cluster';

/**
 * A plugin that does not come with the scheduler: any of upstream's methods, each of which belongs to an extension
 * point. Answers are given at once (those of `preBind` and `bind` may come later). A method that throws, or answers
 * nonsense, fails the attempt of that pod, with the plugin's name in the message.
 */
export interface UserPlugin {
  /** As it is registered. */
  readonly name: string;
  /**
   * The parts of the pod's spec on which the plugin's answers depend, as JSON; pods that are equal in them share
   * answers. Required where `filterReads` or `scoreReads` is not `cluster`; with `stateReads` `pod` only pods of equal
   * specs share answers without it.
   */
  dependsOn?(pod: { readonly spec: PodSpec }): unknown;
  eventsToRegister?(): readonly ClusterEventWithHint[];

  preEnqueue?(pod: PodInfo): PluginAnswer;
  /** The queue's order: whether `a` goes before `b`. */
  less?(a: QueuedPod, b: QueuedPod): boolean;
  preFilter?(state: CycleState, pod: PodInfo, snapshot: Snapshot): PluginAnswer | PreFilterResult;
  /** What changes in the PreFilter state when preemption puts a pod on a node, or takes it off. */
  addPod?(state: CycleState, podToSchedule: PodInfo, podToAdd: PodInfo, node: NodeInfo): PluginAnswer;
  removePod?(state: CycleState, podToSchedule: PodInfo, podToRemove: PodInfo, node: NodeInfo): PluginAnswer;
  filter?(state: CycleState, pod: PodInfo, node: NodeInfo): PluginAnswer;
  postFilter?(state: CycleState, pod: PodInfo, statuses: NodeToStatus): UserPostFilterResult | PluginStatus;
  preScore?(state: CycleState, pod: PodInfo, nodes: readonly NodeInfo[]): PluginAnswer;
  /** A whole number; 0 to 100, unless it is normalised. Where answers are kept, few different scores are faster. */
  score?(state: CycleState, pod: PodInfo, node: NodeInfo): number | PluginStatus;
  /** Changes the scores of all feasible nodes into 0 to 100. */
  normalizeScore?(state: CycleState, pod: PodInfo, scores: readonly NodeScore[]): PluginAnswer;
  /** Instead: scores are scaled by the largest. */
  readonly normalize?: Normalization;
  reserve?(state: CycleState, pod: PodInfo, nodeName: string): PluginAnswer;
  unreserve?(state: CycleState, pod: PodInfo, nodeName: string): void;
  permit?(state: CycleState, pod: PodInfo, nodeName: string): PluginAnswer;
  preBindPreFlight?(state: CycleState, pod: PodInfo, nodeName: string): PluginAnswer;
  preBind?(state: CycleState, pod: PodInfo, nodeName: string): Eventually<PluginAnswer>;
  bind?(state: CycleState, pod: PodInfo, nodeName: string): Eventually<PluginAnswer>;
  postBind?(state: CycleState, pod: PodInfo, nodeName: string): void;

  /** Default `cluster`. */
  readonly filterReads?: UserReads;
  readonly scoreReads?: UserReads;
  /** What `preFilter` and `preScore` depend on: `pod`, its spec alone; `cluster` (default), anything. */
  readonly stateReads?: 'pod' | 'cluster';

  /** Numbers of a node by name, kept in columns: computed again when the node, or its pods, change. */
  readonly columns?: Readonly<Record<string, (node: NodeInfo) => number>>;
  /** Why `filterColumns` rejects: `out` 1 stands for the first, 2 for the second, ... */
  columnStatuses?(pod: PodInfo): readonly PluginStatus[];
  /** `filter` for the rows from `from` up to `to`: 0 into `out` for those that can take the pod. */
  filterColumns?(pod: PodInfo, nodes: NodeColumnsView, out: Uint8Array, from: number, to: number): void;
  /** `score` for these rows. */
  scoreColumns?(pod: PodInfo, nodes: NodeColumnsView, out: Int32Array, from: number, to: number): void;
}

/** The part of a plugin that is called at one extension point. */
type Part<Name extends keyof UserPlugin> = UserPlugin & Required<Pick<UserPlugin, Name>>;

export type PreEnqueuePlugin = Part<'preEnqueue'>;
export type QueueSortPlugin = Part<'less'>;
export type PreFilterPlugin = Part<'preFilter'>;
export type FilterPlugin = Part<'filter'>;
export type PostFilterPlugin = Part<'postFilter'>;
export type PreScorePlugin = Part<'preScore'>;
export type ScorePlugin = Part<'score'>;
export type ReservePlugin = Part<'reserve' | 'unreserve'>;
export type PermitPlugin = Part<'permit'>;
export type PreBindPlugin = Part<'preBind'>;
export type BindPlugin = Part<'bind'>;
export type PostBindPlugin = Part<'postBind'>;

/** What a plugin may know and do beside answering (upstream's framework.Handle). */
export interface PluginHandle {
  readonly snapshot: Snapshot;
  readonly nominator: PodNominator;
  /** Waiting pods, activation, time and the API; null in a scheduler that only decides. */
  readonly store: Handle | null;
}

/** Makes a plugin from its arguments in the configuration, which nobody has looked at; undefined: none are given. */
export type PluginFactory = (args: unknown, handle: PluginHandle) => UserPlugin;

/** By plugin name. */
export type PluginRegistry = Readonly<Record<string, PluginFactory>>;
