import type { NodeInfo } from '../node-info.ts';
import type { PodInfo } from '../pod-info.ts';

/** How pods came to a node. */
export interface Arrival {
  /** Who chose the node, and has charged it in columns of its own; null: nobody has. */
  readonly chargedBy: ClusterObserver | null;
  /** Whether some of the pods may have terms about other pods. */
  readonly mayHaveTerms: boolean;
}

/**
 * Who keeps something of every node in step, and is called with each change after it has been made. Everybody else
 * reads `ClusterState.changes` when it is next used.
 */
export interface ClusterObserver {
  /** Before a node is added: room for this many slots. May throw, then nothing has changed. */
  reserve(slotCount: number): void;
  /** The Node object is new or has changed. */
  nodeChanged(node: NodeInfo): void;
  nodeRemoved(node: NodeInfo): void;
  podsAdded(node: NodeInfo, pods: readonly PodInfo[], arrival: Arrival): void;
  podRemoved(node: NodeInfo, pod: PodInfo): void;
}
