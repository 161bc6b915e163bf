import type { ChoosingObserver } from '../../framework/cluster/cluster-observer.ts';
import type { CycleState } from '../../framework/cycle-state.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { SearchWindow } from '../../framework/node-search.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { NodeToStatus, TallyContext } from '../../framework/post-filter.ts';
import type { Status } from '../../framework/status.ts';
import type { DrawTie, TieBreak } from '../../framework/tie-break.ts';
import type { TaskRunner } from '../../pool/task-runner.ts';
import type { AttemptAnswers, NodeMask, RunAnswers } from '../index/node-mask.ts';
import type { PodSignature } from '../index/pod-signature.ts';
import type { SignatureIndex } from '../index/signature-index.ts';
import type { SignatureTotals } from '../index/signature-totals.ts';
import type { TopologyBest } from '../index/topology-totals.ts';
import type { TopologyRules } from '../topology/topology-rules.ts';
import type { TopologyRun } from '../topology-run/topology-run.ts';

/**
 * The engine that computes decisions. All three make the same decisions.
 *
 *   simd        WebAssembly kernels over columns, 4 nodes per step
 *   scalar      the same kernels without SIMD
 *   reference   the plugins' own methods on objects, node by node: the readable specification
 */
export type EngineName = 'simd' | 'scalar' | 'reference';

/** The node that was chosen, with its total and the number of nodes as good. */
export interface Selection {
  readonly node: NodeInfo;
  readonly total: number;
  readonly ties: number;
}

/** The scores of one plugin, by node. */
export interface PluginScores {
  readonly plugin: string;
  readonly weight: number;
  raw(node: NodeInfo): number;
  normalized(node: NodeInfo): number;
}

/** One scheduling attempt. The steps are called in this order; a cycle is invalid once the next one begins. */
export interface Cycle {
  /** The status if no node is to be filtered (code Error if the attempt failed); null otherwise. */
  readonly rejected: Status | null;
  /** The state after PreFilter. To read it may cost a count of all pods. */
  readonly state: CycleState;
  /** The state after PreFilter, perhaps without the values that count pods. */
  readonly podState: CycleState;
  /** The filters for dry runs; null if plugins must be called on copies of nodes. */
  readonly tallied: TallyContext | null;
  /** The PreFilter plugins that excluded nodes. */
  readonly limitedBy: readonly string[];
  /**
   * Returns the number of feasible nodes that were found. A node that is nominated for the pod is filtered first; if it
   * is feasible, it is the only one. Null if a filter failed in a way that only the plugins' own methods can report:
   * the attempt begins anew with them.
   */
  filter(window: SearchWindow): number | null;
  /** The Error status of a plugin that failed in `filter`, which ends the attempt; null otherwise. */
  readonly failure: Status | null;
  /** The number of nodes that the search found feasible or rejected. */
  readonly processed: number;
  /** The feasible nodes in the order in which they were found: snapshot order, from the start of the window on. */
  feasibleNodes(): readonly NodeInfo[];
  /** The nodes that were filtered, or excluded by PreFilter, and rejected, in any order. */
  rejections(): Iterable<readonly [NodeInfo, Status]>;
  /** The number of nodes by reason. */
  reasonCounts(): Map<string, number>;
  /** The status of each node for PostFilter, also for a pod that PreFilter rejected. */
  nodeStatuses(): NodeToStatus;
  /** Scores the feasible nodes; returns an Error status if scoring fails. */
  score(): Status | null;
  select(tieBreak: TieBreak, draw: DrawTie): Selection;
  /** The total score of a node, after `score`. */
  total(node: NodeInfo): number;
  pluginScores(): readonly PluginScores[];
}

/** The dependency of a decision on other pods: none, these rules, or one that only a cycle can find out. */
export type PodTopology = 'none' | 'unknown' | TopologyRules;

/** What an engine knows of pods that fit nowhere. */
export interface Refusals {
  /**
   * An object that equal pods have in common while the cluster stays as it is; null if plugins are asked about the pod
   * in every attempt, or nothing is kept for it.
   */
  likenessOf(pod: PodInfo): object | null;
  /**
   * The rejection of the pod by all nodes, where it follows from what is kept for pods like it; null if a cycle has to
   * decide. Called after the attempt's snapshot was taken. `isOver`: whether no PostFilter plugin is asked, so that
   * only the text is needed.
   */
  of(pod: PodInfo, isOver: boolean): Refusal | null;
}

/**
 * A rejection by all nodes, valid until something changes. Its state may lack the values that count pods, which dry
 * runs do not need where they tally pods: with `tallied` null, a cycle has to look for victims.
 */
export interface Refusal extends Pick<Cycle, 'state' | 'podState' | 'tallied' | 'nodeStatuses'> {
  /** The text of the event without that of PostFilter. */
  readonly message: string;
  /** Whether some node would fit the pod without the pods on it. */
  readonly hasCandidates: boolean;
}

/** What filters say that are asked in every attempt. */
export interface AttemptFilterAnswers {
  /** The answers in an attempt; null if a cycle has to decide. Valid until the next attempt. */
  of(signature: PodSignature, pod: PodInfo): AttemptAnswers | null;
  /** The answers in a run, in which earlier pods are on nodes that are not charged yet; null if they must be asked. */
  inRun(signature: PodSignature, pod: PodInfo): RunAnswers | null;
}

/** What nominated pods change for pods without filters of their own attempt. */
export interface NominationAnswers {
  /** The nodes that they take from the pod; null if a cycle has to decide. Valid until the next attempt. */
  of(signature: PodSignature, pod: PodInfo): readonly NodeMask[] | null;
}

/** The only node that fits a pod, and the state after PreFilter. */
export interface OnlyNode {
  readonly node: NodeInfo;
  readonly state: CycleState;
}

/** Finds the node of a pod that requests a resource which hardly any node has, without a signature. */
export interface OnlyNodeFinder {
  /** Whether a plugin of an embedder filters: it may fail on any node, which fails the attempt. */
  readonly hasOtherFilters: boolean;
  /**
   * Returns the only node that fits the pod, for which pods on other nodes must not matter. Null if none or several fit
   * it, or if that cannot be told by a few nodes alone.
   */
  onlyNode(pod: PodInfo): OnlyNode | null;
}

/** An engine that can place pods by their signature alone, without a cycle. */
export interface IndexedEngine extends ChoosingObserver {
  readonly index: SignatureIndex;
  /** Places pods with topology rules in runs. */
  readonly topologyRun: TopologyRun;
  readonly refusals: Refusals;
  /** Whether only a pod's own constraints matter, because neither terms of other pods nor default ones exist. */
  readonly isQuiet: boolean;
  /** Whether pods are counted for topology rules as soon as they are assigned to a node. */
  readonly countsAssigned: boolean;
  /** Whether only the plugins' own methods can decide about the pod, in a cycle. */
  needsMethods(pod: PodInfo): boolean;
  /** The dependency of the pod's decision on other pods. */
  topologyOf(pod: PodInfo): PodTopology;
  /** The best nodes for a pod with these rules; null if a cycle is needed. */
  bestByTopology(signature: PodSignature, rules: TopologyRules): TopologyBest | null;
  /**
   * Drops what was kept if it has become too much. Called before a decision, when no signature or totals are in use.
   */
  makeRoom(): void;
  /** Whether one more signature can be kept before room has to be made. */
  readonly hasRoom: boolean;
  /** Drops the signatures of pods about which plugins may think otherwise by now. Called when none is in use. */
  dropStale(): void;
  /** The signature that all pods with the same requirements share. */
  signatureOf(pod: PodInfo): PodSignature;
  readonly rareResourceNodes: OnlyNodeFinder;
  /** The filters that are asked in every attempt, for pods whose signature has such. */
  readonly attemptFilters: AttemptFilterAnswers;
  readonly nominations: NominationAnswers;
  /** Reverts the charge of a node that the index has chosen, before the pod was assumed there. */
  uncharge(node: NodeInfo, pod: PodInfo): void;
  /** The up-to-date totals of a signature; null if its pods need cycles. */
  totalsOf(signature: PodSignature): SignatureTotals | null;
}

export interface Engine {
  readonly name: EngineName;
  readonly indexed: IndexedEngine | null;
  /** The size of the kernels' memory; 0 for an engine without kernels. */
  readonly sharedMemoryBytes: number;
  /** The runner of the engine's programs; null for an engine without kernels. */
  readonly runner: TaskRunner | null;
  /** Encodes the pod and runs PreFilter. `byMethods`: the cycle calls nothing but the plugins' own methods. */
  begin(pod: PodInfo, byMethods?: boolean): Cycle;
  /**
   * Releases the threads, and the kernels' memory if no thread may still be leaving it. Nothing of the engine is called
   * afterwards.
   */
  release(): void;
}
