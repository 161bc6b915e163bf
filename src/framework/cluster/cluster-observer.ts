import type { NodeInfo } from '../node-info.ts';
import type { PodInfo } from '../pod-info.ts';

/** How pods were added to a node. */
export interface Arrival {
  /** The observer that chose the node and has charged its own columns already; null if there is none. */
  readonly chargedBy: ClusterObserver | null;
  /** Whether some of the pods may have affinity terms. */
  readonly mayHaveTerms: boolean;
  /** Whether some of the pods may have host ports, or volumes that plugins read. */
  readonly mayHavePortsOrStorage: boolean;
  /** Whether the same observer has also counted the pods already, when they were assigned to the node. */
  readonly isCounted: boolean;
}

/** An observer that chooses nodes for pods, and charges the nodes with them later. */
export interface ChoosingObserver extends ClusterObserver {
  /**
   * Counts a pod that was assigned to the node in the slot, so that the next decision knows of it. Returns false if
   * nothing is counted yet.
   */
  podAssigned(slot: number, pod: PodInfo): boolean;
}

/**
 * An observer that keeps values of every node up to date, and is called after each change. Other readers catch up from
 * `ClusterState.changes` when they are used.
 */
export interface ClusterObserver {
  /** Makes room for this many slots before a node is added. If it throws, nothing has changed. */
  reserve(slotCount: number): void;
  /** Called after the Node object was added or replaced. */
  nodeChanged(node: NodeInfo): void;
  nodeRemoved(node: NodeInfo): void;
  podsAdded(node: NodeInfo, pods: readonly PodInfo[], arrival: Arrival): void;
  podRemoved(node: NodeInfo, pod: PodInfo): void;
  /**
   * Called after the cluster took over all of another one, which `origin` observes as this observer does its own.
   */
  clusterCopied(origin: ClusterObserver): void;
}
