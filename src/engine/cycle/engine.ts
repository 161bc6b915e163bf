import type { ClusterObserver } from '../../framework/cluster/cluster-observer.ts';
import type { CycleState } from '../../framework/cycle-state.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { SearchWindow } from '../../framework/node-search.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { NodeToStatus } from '../../framework/post-filter.ts';
import type { Status } from '../../framework/status.ts';
import type { DrawTie, TieBreak } from '../../framework/tie-break.ts';
import type { TaskRunner } from '../../pool/task-runner.ts';
import type { PodSignature } from '../index/pod-signature.ts';
import type { SignatureIndex } from '../index/signature-index.ts';
import type { SignatureTotals } from '../index/signature-totals.ts';
import type { TopologyBest } from '../index/topology-totals.ts';
import type { TopologyRules } from '../topology/topology-rules.ts';

/**
 * Who does the work. All three make the same decisions.
 *
 *   simd        WebAssembly kernels over columns, 4 nodes per step
 *   scalar      the same kernels without SIMD
 *   reference   the plugins' own methods on objects, node by node: the readable specification
 */
export type EngineName = 'simd' | 'scalar' | 'reference';

export interface Selection {
  readonly node: NodeInfo;
  readonly total: number;
  readonly ties: number;
}

/** One plugin's scores, looked up by node. */
export interface PluginScores {
  readonly plugin: string;
  readonly weight: number;
  raw(node: NodeInfo): number;
  normalized(node: NodeInfo): number;
}

/** One scheduling attempt. The steps are called in this order; a cycle is void once the next one begins. */
export interface Cycle {
  /** Why no node needs to be looked at (code Error: the attempt failed); null to go on. */
  readonly rejected: Status | null;
  /** As PreFilter left it. To read it may cost a count of all pods. */
  readonly state: CycleState;
  /** The same, perhaps without what counts pods. */
  readonly podState: CycleState;
  /** PreFilter plugins that left nodes out. */
  readonly limitedBy: readonly string[];
  /**
   * Returns the number of feasible nodes that were found. A node that is nominated for the pod comes first: if it is
   * feasible it is the only one, and no other is looked at.
   */
  filter(window: SearchWindow): number;
  /** After `filter`: an Error status when a plugin failed, which ends the attempt; null to go on. */
  readonly failure: Status | null;
  /** Nodes that the search dealt with: feasible or rejected, not those it did not come to. */
  readonly processed: number;
  /** In the order in which they were found: snapshot order, from the start of the window on. */
  feasibleNodes(): readonly NodeInfo[];
  /** The nodes that were looked at (or left out by a PreFilter result) and rejected, in any order. */
  rejections(): Iterable<readonly [NodeInfo, Status]>;
  /** How many nodes gave each reason. */
  reasonCounts(): Map<string, number>;
  /** Why no node is feasible, for PostFilter; also for a pod that PreFilter `rejected`. */
  nodeStatuses(): NodeToStatus;
  /** Scores the feasible nodes; an Error status when scoring fails. */
  score(): Status | null;
  select(tieBreak: TieBreak, draw: DrawTie): Selection;
  /** After `score`. */
  total(node: NodeInfo): number;
  pluginScores(): readonly PluginScores[];
}

/** Where other pods are: it does not matter, it does by these rules, or a cycle has to find out. */
export type PodTopology = 'none' | 'unknown' | TopologyRules;

/** An engine that can place pods by their signature alone, without a cycle. */
export interface IndexedEngine extends ClusterObserver {
  readonly index: SignatureIndex;
  /** No pod and no object speaks of where other pods may be: only a pod's own constraints matter. */
  readonly isQuiet: boolean;
  /** What the pod's decision depends on beside its signature. */
  topologyOf(pod: PodInfo): PodTopology;
  /** The best nodes for a pod with such rules; null: a cycle has to tell. */
  bestByTopology(signature: PodSignature, rules: TopologyRules): TopologyBest | null;
  /**
   * Before a decision, when nobody holds a signature or a totals column: gives up what was kept, if that has become too
   * much.
   */
  makeRoom(): void;
  /** What all pods of the same requirements share. */
  signatureOf(pod: PodInfo): PodSignature;
  /** The totals of a signature, in step with the cluster; null when its pods are decided by cycles. */
  totalsOf(signature: PodSignature): SignatureTotals | null;
}

export interface Engine {
  readonly name: EngineName;
  readonly indexed: IndexedEngine | null;
  /** Of the kernels' memory; 0 for an engine without kernels. */
  readonly sharedMemoryBytes: number;
  /** Who runs its programs; null for an engine without kernels. */
  readonly runner: TaskRunner | null;
  /** Encodes the pod and runs PreFilter. */
  begin(pod: PodInfo): Cycle;
}
