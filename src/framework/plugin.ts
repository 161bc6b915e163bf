import type { Pod } from '../api/pod.ts';
import type { ClusterObjects } from './cluster-objects.ts';
import type { ColumnForms } from './column-forms.ts';
import type { CycleState } from './cycle-state.ts';
import type { ClusterEventWithHint, GateKeys } from './events.ts';
import type { ExtenderCalls } from './extender-calls.ts';
import type { NodeColumnsView } from './node-columns-view.ts';
import type { NodeInfo } from './node-info.ts';
import type { NodeTally } from './node-tally.ts';
import type { PluginStatus } from './plugin-status.ts';
import type { PodGroupState } from './pod-group-states.ts';
import type { PodInfo } from './pod-info.ts';
import type { PostFilterContext, PostFilterOutcome } from './post-filter.ts';
import type { QueuedPod } from './queued-pod.ts';
import type { RejectedSlots } from './rejected-slots.ts';
import type { Status } from './status.ts';

export const MAX_NODE_SCORE = 100;
export const MIN_NODE_SCORE = 0;

/**
 * The inputs of a plugin's answer about a pod and a node. The column engine keeps answers in columns and calls the
 * plugin again only for nodes whose inputs changed, so that a wrong declaration is a wrong decision (the engine
 * property tests look for it).
 *
 *   node       the pod and the Node object
 *   nodePods   also the pods that are on the node
 *   hostPorts  the pod, and the host ports that are in use on the node
 *   images     also how many nodes hold an image, and how many nodes there are
 *   kernel     numbers in columns: a kernel in assembly/ replaces the method, as `ColumnForms` describe
 *   objects    also other objects of the cluster, but no pods: called anew for every node at every attempt
 *   cluster    anything: called anew for every node at every attempt
 */
export type Reads = 'node' | 'nodePods' | 'hostPorts' | 'images' | 'kernel' | 'objects' | 'cluster';

/** The parts of a Node object that a plugin reads; it gives equal answers for nodes that are equal in these parts. */
export interface NodeParts {
  /** The node's taints and spec.unschedulable. */
  readonly taints: boolean;
  /** The keys of labels. */
  readonly labels: readonly string[];
  /**
   * By key the values of a label that the plugin tells apart, as far as these are listed: it gives equal answers for
   * nodes with any other value of the label, but not for nodes without the label. All values of other labels count.
   */
  readonly values?: ReadonlyMap<string, readonly string[]> | undefined;
}

/** What a filter reads of a node beside its parts, as a number below `count`. */
export interface NodeSight {
  readonly parts: NodeParts;
  readonly count: number;
  of(node: NodeInfo): number;
}

export const LOOKS_AT_NOTHING: NodeParts = { taints: false, labels: [] };

export interface Plugin extends ColumnForms {
  readonly name: string;
  /**
   * The parts of the pod on which the plugin's answers depend, as a JSON value: pods with equal parts share their
   * columns. Kernel plugins need none, because pods with different requests never share columns.
   */
  dependsOn?(pod: Pod): unknown;
  /**
   * For a plugin that reads `node`: the parts of a node that it reads for this pod, so that it need not be called for
   * every node. Null, or no such method, means that it may read all parts.
   */
  looksAt?(pod: Pod): NodeParts | null;
  /**
   * For a plugin that reads `objects` or `cluster`: whether it can reject or score nodes for this pod. Without this
   * method it can for every pod.
   */
  concerns?(pod: Pod): boolean;
  /**
   * Whether PreFilter or PreScore depend on more than the pod's spec, so that they and all later steps run anew for
   * every pod. The same holds for a plugin with these methods that declares no dependency.
   */
  readonly readsCluster?: boolean;
  /** Set if PreScore always returns Skip, so that the plugin never scores. */
  readonly neverScores?: true;
  /** The numbers of a node that `filterColumns` and `scoreColumns` read as columns, by name. */
  readonly columns?: Readonly<Record<string, (node: NodeInfo) => number>>;
  /**
   * The events after which a pod that this plugin rejected is worth another attempt; all events without this method.
   * Called once, when the scheduling queue is created.
   */
  eventsToRegister?(): readonly ClusterEventWithHint[];
}

/** Admits a pod to the queue: null admits it. */
export interface PreEnqueuePlugin extends Plugin {
  preEnqueue(pod: PodInfo): Status | null;
  /**
   * Whether the plugin may hold back pods with this spec. Where it may not, it need not be asked about each of them;
   * without this method it always is.
   */
  gates?(pod: Pod): boolean;
  /** What decides about a gated pod; without keys the plugin is asked again after each event that it registered. */
  readonly gateKeys?: GateKeys;
}

/** Orders the queue: whether `a` is scheduled before `b`. */
export interface QueueSortPlugin extends Plugin {
  readonly less: (a: QueuedPod, b: QueuedPod) => boolean;
}

/** The only nodes that are filtered. */
export interface PreFilterResult {
  readonly nodeNames: ReadonlySet<string>;
}

/** The nodes, in snapshot order, and the other objects that a plugin may read. */
export interface Snapshot {
  readonly nodeCount: number;
  readonly objects: ClusterObjects;
  nodeInfos(): readonly NodeInfo[];
  node(name: string): NodeInfo | undefined;
  /** Whether a pod on some node names the claim as a volume (upstream's IsPVCUsedByPods). */
  isClaimUsed(namespace: string, claimName: string): boolean;
  /** The known pods of a group; none in a scheduler that does not know groups. */
  podGroupState(namespace: string, name: string): PodGroupState;
}

/** The nodes by slot, a small number, for readers that follow their changes. */
export interface NodeFeed extends Pick<Snapshot, 'node'> {
  /** All slots lie below this number. */
  readonly slotCount: number;
  nodeAt(slot: number): NodeInfo | undefined;
  /** The cursor of a reader that has seen all changes. */
  readonly end: number;
  /** The slots of nodes that have changed since the cursor, or have won or lost a pod with storage; null for all. */
  storageChangedSince(cursor: number): Iterable<number> | null;
  /** The slots of nodes that have changed since the cursor, whatever their pods; null for all. */
  nodesChangedSince(cursor: number): Iterable<number> | null;
}

/** The pending pods that are nominated for nodes. */
export interface PodNominator {
  /** The pods in the order in which they were nominated. The list is replaced, never changed. */
  nominatedPodsForNode(name: string): readonly PodInfo[];
  /** The nominated pods by node name; the node need not be known. */
  nominations(): Iterable<{ readonly name: string; readonly pods: readonly PodInfo[] }>;
  /** The names of the nodes for which the pod is nominated. */
  nominatedNodesOf(pod: PodInfo): readonly string[];
}

/**
 * Runs once for each pod, before any node is filtered. A Skip status switches the plugin's `filter` off for this pod.
 */
export interface PreFilterPlugin extends Plugin {
  preFilter(state: CycleState, pod: PodInfo, snapshot: Snapshot): Status | PreFilterResult | null;
}

/**
 * Updates PreFilter state that counts pods, when a pod is added to a node or removed from it. Called on copies of the
 * state (`CycleState.clone`) by preemption and for nominated pods.
 */
export interface PreFilterExtensions extends Plugin {
  addPod(state: CycleState, podToSchedule: PodInfo, podToAdd: PodInfo, node: NodeInfo): Status | null;
  removePod(state: CycleState, podToSchedule: PodInfo, podToRemove: PodInfo, node: NodeInfo): Status | null;
}

/** Filters nodes: null accepts the node. */
export interface FilterPlugin extends Plugin {
  readonly filterReads: Reads;
  filter(state: CycleState, pod: PodInfo, node: NodeInfo): Status | null;
  /**
   * For a plugin that reads `hostPorts`: the ports that it reads for this pod. All nodes on which none of them is used
   * are alike to it; without this method, those on which no port is.
   */
  hostPortsRead?(pod: PodInfo): readonly number[];
  /** Says in detail what stands in the way of the pod on a node that the filter rejected, for those who ask why. */
  rejectionDetails?(pod: PodInfo, node: NodeInfo): readonly string[];
  /**
   * For a plugin that reads `objects` or `cluster`: the parts of a node that the filter reads in this attempt, after
   * PreFilter. Null, or no such method, means that it may read anything.
   */
  attemptLooksAt?(state: CycleState, pod: PodInfo): NodeParts | null;
  /** All that the filter reads of a node in this attempt; null if more. Called when `attemptLooksAt` returned null. */
  attemptSees?(state: CycleState, pod: PodInfo): NodeSight | null;
  /**
   * For a plugin that reads `cluster`: the slots of the nodes that the filter may reject in this attempt, after
   * PreFilter; it accepts all other nodes. Null, or no such method, means that it may reject any. Called when
   * `attemptLooksAt` has returned null.
   */
  attemptSuspects?(state: CycleState, pod: PodInfo, nodes: NodeFeed): ReadonlySet<number> | null;
  /**
   * As `attemptSuspects`, for a plugin that knows in this attempt that the filter rejects these nodes and accepts all
   * others, so that it is not asked. Called before `attemptSuspects`, which is called if this returns null.
   */
  attemptRejections?(state: CycleState, pod: PodInfo, nodes: NodeFeed): RejectedSlots | null;
  /**
   * For a plugin that reads `objects` or `cluster`: a text, of JSON, of all that it reads of the pod and of objects
   * besides nodes. To pods with equal texts PreFilter and Filter give the same answers on every node, and the steps
   * after them have nothing to do. Null, or no such method, if that is not so for this pod.
   */
  attemptForm?(pod: PodInfo, snapshot: Snapshot): string | null;
  /**
   * For a plugin that reads `cluster`: PreFilter and Filter accept so many pods, each with this room or more, on every
   * node, wherever those before it were placed, and whatever other pods with which the plugin is not concerned were. 0,
   * or no such method, if that is not known.
   */
  attemptRoom?(pod: PodInfo, nodes: NodeFeed): number;
  /**
   * A tally of the pods of the node and the `expected` ones. Null if `filter` does not depend on other pods for this
   * pod.
   */
  tally?(state: CycleState, pod: PodInfo, node: NodeInfo, expected: readonly PodInfo[]): NodeTally | null;
  /** Filters many nodes at once, for a plugin that reads `node` or `nodePods`. See `UserPlugin`. */
  filterColumns?(pod: PodInfo, nodes: NodeColumnsView, out: Uint8Array, from: number, to: number): void;
  columnStatuses?(pod: PodInfo): readonly PluginStatus[];
}

/** Runs if no node is feasible, and may make room for the pod. No plugin runs after the first that succeeds. */
export interface PostFilterPlugin extends Plugin {
  postFilter(context: PostFilterContext): PostFilterOutcome;
  /** Replaces `postFilter` in a plugin that lets extenders process its preemption. */
  postFilterWithExtenders?(context: PostFilterContext): ExtenderCalls<PostFilterOutcome>;
}

/** Runs once for each pod, on the feasible nodes. A Skip status switches the plugin's `score` off for this pod. */
export interface PreScorePlugin extends Plugin {
  preScore(state: CycleState, pod: PodInfo, nodes: readonly NodeInfo[]): Status | null;
}

export interface ScorePlugin extends Plugin {
  readonly scoreReads: Reads;
  /** Returns why the pod cannot be scored in a profile without an earlier step. Called once, before `score`. */
  scoreFailure?(state: CycleState, pod: PodInfo): string | null;
  /**
   * For a plugin with `readsCluster`: whether it scores nodes in this attempt, after PreFilter; if not, every score is
   * 0. Without this method it may.
   */
  scoresInAttempt?(state: CycleState): boolean;
  /** The raw score of all nodes that the plugin's filter accepts in this attempt; null if not known, or not one. */
  commonScore?(state: CycleState): number | null;
  /** The raw score, which is an integer. */
  score(state: CycleState, pod: PodInfo, node: NodeInfo): number;
  /**
   * For a plugin that reads images: the images of which the score depends. It is 0 for a node that holds none of them,
   * and equal for nodes that hold the same of them in equal states.
   */
  scoredImages?(pod: Pod): readonly string[];
  /** Scores many nodes at once. */
  scoreColumns?(pod: PodInfo, nodes: NodeColumnsView, out: Int32Array, from: number, to: number): void;
  /** Set if the raw scores of all feasible nodes are scaled by their maximum to 0..100. */
  readonly normalize?: Normalization;
  /** Normalises the scores in the plugin's own way: returns the new score of each node. */
  normalizeScores?(state: CycleState, pod: PodInfo, nodes: readonly NodeInfo[], raw: readonly number[]): number[];
}

/** The default normalisation, which scales by the maximum; `reverse` gives the lowest raw score the highest score. */
export interface Normalization {
  readonly reverse: boolean;
}

/**
 * Reserves what the pod needs on the selected node beyond the columns, and releases it if the pod does not go there.
 */
export interface ReservePlugin extends Plugin {
  /** Whether the plugin may reserve something for the pod; without this method it may for every pod. */
  reserves?(pod: PodInfo): boolean;
  reserve(state: CycleState, pod: PodInfo, node: NodeInfo): Status | null;
  unreserve(state: CycleState, pod: PodInfo, node: NodeInfo): void;
}

/** A value, or a function that takes a callback and calls it once, with the value, now or later. */
export type Eventually<T> = T | ((done: (value: T) => void) => void);

/** The answer of a Permit plugin that holds the pod until it is approved, for `timeoutMillis` at most. */
export interface PermitWait extends Status {
  readonly code: 'Wait';
  readonly timeoutMillis: number;
}

/** Approves a pod that is about to be bound, rejects it, or lets it wait. */
export interface PermitPlugin extends Plugin {
  /** Whether the plugin may have something against the pod; without this method it may for every pod. */
  permits?(pod: PodInfo): boolean;
  permit(state: CycleState, pod: PodInfo, nodeName: string): Status | PermitWait | null;
}

/** Does what must be done before the pod is bound, such as attaching its volumes. */
export interface PreBindPlugin extends Plugin {
  /** Whether `preBind` may have work for the pod; without this method it may have work for every pod. */
  preBinds?(pod: PodInfo): boolean;
  /**
   * Returns null if `preBind` has work, and a Skip status if it is not to be called; no other code is allowed. Without
   * this method `preBind` is always called.
   */
  preBindPreFlight?(state: CycleState, pod: PodInfo, nodeName: string): Status | null;
  preBind(state: CycleState, pod: PodInfo, nodeName: string): Eventually<Status | null>;
}

/** Binds the pod. A Skip status leaves it to the next plugin. */
export interface BindPlugin extends Plugin {
  bind(state: CycleState, pod: PodInfo, nodeName: string): Eventually<Status | null>;
}

/** Is notified after the pod was bound. */
export interface PostBindPlugin extends Plugin {
  postBind(state: CycleState, pod: PodInfo, nodeName: string): void;
}

/** The interface to which a method of a plugin belongs. */
interface PluginsByMethod {
  readonly preEnqueue: PreEnqueuePlugin;
  readonly less: QueueSortPlugin;
  readonly preFilter: PreFilterPlugin;
  readonly addPod: PreFilterExtensions;
  readonly filter: FilterPlugin;
  readonly postFilter: PostFilterPlugin;
  readonly preScore: PreScorePlugin;
  readonly score: ScorePlugin;
  readonly reserve: ReservePlugin;
  readonly permit: PermitPlugin;
  readonly preBind: PreBindPlugin;
  readonly bind: BindPlugin;
  readonly postBind: PostBindPlugin;
}

export function hasMethod<M extends keyof PluginsByMethod>(
  plugin: Plugin,
  method: M,
): plugin is Plugin & PluginsByMethod[M] {
  return method in plugin;
}

/** The plugins that have the method, in the same order. */
export function pluginsWith<M extends keyof PluginsByMethod>(
  plugins: readonly Plugin[] | undefined,
  method: M,
): PluginsByMethod[M][] {
  return (plugins ?? []).flatMap((plugin) => (hasMethod(plugin, method) ? [plugin] : []));
}

/** Whether the plugin's answer about one pod is not valid for the next pod, even if its spec is equal. */
export function readsCluster(plugin: Plugin): boolean {
  if (plugin.readsCluster) return true;
  const filterReads = hasMethod(plugin, 'filter') ? plugin.filterReads : undefined;
  const scoreReads = hasMethod(plugin, 'score') ? plugin.scoreReads : undefined;
  const reads = [filterReads, scoreReads];
  if (reads.includes('cluster') || reads.includes('objects')) return true;
  const hasState = hasMethod(plugin, 'preFilter') || hasMethod(plugin, 'preScore');
  return hasState && !reads.includes('kernel') && plugin.dependsOn === undefined && plugin.concerns === undefined;
}
