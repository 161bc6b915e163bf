import type { Pod } from '../api/pod.ts';
import type { ClusterObjects } from './cluster-objects.ts';
import type { ColumnForms } from './column-forms.ts';
import type { CycleState } from './cycle-state.ts';
import type { ClusterEventWithHint } from './events.ts';
import type { ExtenderCalls } from './extender-calls.ts';
import type { NodeColumnsView } from './node-columns-view.ts';
import type { NodeInfo } from './node-info.ts';
import type { NodeTally } from './node-tally.ts';
import type { PluginStatus } from './plugin-status.ts';
import type { PodInfo } from './pod-info.ts';
import type { PostFilterContext, PostFilterOutcome } from './post-filter.ts';
import type { QueuedPod } from './queued-pod.ts';
import type { Status } from './status.ts';

export const MAX_NODE_SCORE = 100;
export const MIN_NODE_SCORE = 0;

/**
 * What a plugin's verdict on (pod, node) depends on. The column engine keeps verdicts in columns and asks again only
 * for the nodes whose inputs changed; a wrong answer here is a wrong decision there (the engine property tests look for
 * it).
 *
 *   node       the pod and the Node object
 *   nodePods   also the pods that are on the node
 *   images     also how many nodes hold an image, and how many nodes there are
 *   kernel     numbers in columns: a kernel in assembly/ takes the place of the method, as `ColumnForms` say
 *   cluster    anything: asked anew for every node at every attempt
 */
export type Reads = 'node' | 'nodePods' | 'images' | 'kernel' | 'cluster';

/** What of a Node object a plugin looks at; nodes that are equal in this get equal answers. */
export interface NodeParts {
  /** Its taints, and whether it is cordoned. */
  readonly taints: boolean;
  /** The labels with these keys. */
  readonly labels: readonly string[];
}

export const LOOKS_AT_NOTHING: NodeParts = { taints: false, labels: [] };

export interface Plugin extends ColumnForms {
  readonly name: string;
  /**
   * The parts of the pod that the plugin's verdicts and scores depend on, as a JSON value: pods with equal parts share
   * their columns. Kernel plugins need none, requests are always told apart.
   */
  dependsOn?(pod: Pod): unknown;
  /**
   * For a plugin that reads `node`: what it looks at for such a pod, so that it need not be asked for every node. Null,
   * or without this method: anything.
   */
  looksAt?(pod: Pod): NodeParts | null;
  /**
   * Instead, for a plugin that reads `cluster`: whether it may ever have something to say of such a pod. Without this,
   * it may of every pod.
   */
  concerns?(pod: Pod): boolean;
  /**
   * PreFilter or PreScore depend on more than the spec of the pod: they run anew for every pod, and so does all that
   * follows. The same holds of a plugin that has them and says nowhere on what its answers depend.
   */
  readonly readsCluster?: boolean;
  /** Numbers of a node, by name, that `filterColumns` and `scoreColumns` want to see as columns. */
  readonly columns?: Readonly<Record<string, (node: NodeInfo) => number>>;
  /**
   * After which events a pod that this plugin rejected is worth another attempt. Without this: after any. Asked once,
   * when the scheduling queue is made.
   */
  eventsToRegister?(): readonly ClusterEventWithHint[];
}

/** Looks at a pod before it enters the queue; null lets it in. */
export interface PreEnqueuePlugin extends Plugin {
  preEnqueue(pod: PodInfo): Status | null;
}

/** Orders the queue: whether `a` is tried before `b`. */
export interface QueueSortPlugin extends Plugin {
  readonly less: (a: QueuedPod, b: QueuedPod) => boolean;
}

/** Limits the search to these nodes. */
export interface PreFilterResult {
  readonly nodeNames: ReadonlySet<string>;
}

/** What the steps that look at more than one node may see: the nodes, in snapshot order. */
export interface Snapshot {
  readonly nodeCount: number;
  readonly objects: ClusterObjects;
  nodeInfos(): readonly NodeInfo[];
  node(name: string): NodeInfo | undefined;
}

/** Pending pods for which room is kept on a node. */
export interface PodNominator {
  /** In the order in which they were nominated. The list is replaced, never changed. */
  nominatedPodsForNode(name: string): readonly PodInfo[];
  /** The same by node name, for every node with nominated pods; such a node need not be known. */
  nominations(): Iterable<{ readonly name: string; readonly pods: readonly PodInfo[] }>;
  /** Names of the nodes that are kept for the pod itself. */
  nominatedNodesOf(pod: PodInfo): readonly string[];
}

/** Runs once per pod, before any node is looked at. A Skip status switches the plugin's `filter` off for this pod. */
export interface PreFilterPlugin extends Plugin {
  preFilter(state: CycleState, pod: PodInfo, snapshot: Snapshot): Status | PreFilterResult | null;
}

/**
 * For plugins whose PreFilter state counts pods: what changes when a pod is put on or taken off a node. Called on
 * copies of the state (`CycleState.clone`) by preemption and for nominated pods.
 */
export interface PreFilterExtensions extends Plugin {
  addPod(state: CycleState, podToSchedule: PodInfo, podToAdd: PodInfo, node: NodeInfo): Status | null;
  removePod(state: CycleState, podToSchedule: PodInfo, podToRemove: PodInfo, node: NodeInfo): Status | null;
}

/** null: the node can take the pod. */
export interface FilterPlugin extends Plugin {
  readonly filterReads: Reads;
  filter(state: CycleState, pod: PodInfo, node: NodeInfo): Status | null;
  /**
   * What `filter` compares about the pods of the node, to begin with those that are there and the `expected` ones. For
   * a plugin that never rejects a node because of fewer pods. Null: about this pod, `filter` asks for no other pods.
   */
  tally?(state: CycleState, pod: PodInfo, node: NodeInfo, expected: readonly PodInfo[]): NodeTally | null;
  /** `filter` for many nodes at once; what it depends on must be `node` or `nodePods`. See `UserPlugin`. */
  filterColumns?(pod: PodInfo, nodes: NodeColumnsView, out: Uint8Array, from: number, to: number): void;
  columnStatuses?(pod: PodInfo): readonly PluginStatus[];
}

/** Runs when no node is feasible: may make room for the pod. The first plugin that succeeds is the last to run. */
export interface PostFilterPlugin extends Plugin {
  postFilter(context: PostFilterContext): PostFilterOutcome;
  /** Takes the place of `postFilter` in a plugin that lets extenders process its preemption. */
  postFilterWithExtenders?(context: PostFilterContext): ExtenderCalls<PostFilterOutcome>;
}

/** Runs once per pod, on the feasible nodes. A Skip status switches the plugin's `score` off for this pod. */
export interface PreScorePlugin extends Plugin {
  preScore(state: CycleState, pod: PodInfo, nodes: readonly NodeInfo[]): Status | null;
}

export interface ScorePlugin extends Plugin {
  readonly scoreReads: Reads;
  /** Why this pod cannot be scored, where an earlier step is not part of the profile. Asked once, before `score`. */
  scoreFailure?(state: CycleState, pod: PodInfo): string | null;
  /** The raw score, an integer. */
  score(state: CycleState, pod: PodInfo, node: NodeInfo): number;
  /** The same for many nodes at once. */
  scoreColumns?(pod: PodInfo, nodes: NodeColumnsView, out: Int32Array, from: number, to: number): void;
  /** How raw scores of all feasible nodes become 0..100, when scaling by the maximum does it. */
  readonly normalize?: Normalization;
  /** The plugin's own way instead: returns the new score of each node. */
  normalizeScores?(state: CycleState, pod: PodInfo, nodes: readonly NodeInfo[], raw: readonly number[]): number[];
}

/** The default normalisation: scale by the maximum; `reverse` turns "more is worse" into "more is better". */
export interface Normalization {
  readonly reverse: boolean;
}

/**
 * Notes what the pod takes on the chosen node, beyond what columns count; takes it back when the pod does not go there.
 */
export interface ReservePlugin extends Plugin {
  /** Whether there is anything to note for this pod; absent: always. */
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
  if (reads.includes('cluster')) return true;
  const hasState = hasMethod(plugin, 'preFilter') || hasMethod(plugin, 'preScore');
  return hasState && !reads.includes('kernel') && plugin.dependsOn === undefined && plugin.concerns === undefined;
}
