import type { NodeInfo } from '../node-info.ts';
import type { PodInfo } from '../pod-info.ts';

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
  /** `isCharged`: this observer has chosen the node itself, and has charged it with what the pods request. */
  podsAdded(node: NodeInfo, pods: readonly PodInfo[], isCharged: boolean): void;
  podRemoved(node: NodeInfo, pod: PodInfo): void;
}
