import type { NodeInfo } from '../node-info.ts';
import type { PodInfo } from '../pod-info.ts';

/** Told of every change after it has been made; keeps columns in step. */
export interface ClusterObserver {
  /** Before a node is added: room for this many slots. May throw, then nothing has changed. */
  reserve(slotCount: number): void;
  /** The Node object is new or has changed. */
  nodeChanged(node: NodeInfo): void;
  nodeRemoved(node: NodeInfo): void;
  podAdded(node: NodeInfo, pod: PodInfo): void;
  podRemoved(node: NodeInfo, pod: PodInfo): void;
  /** An attempt begins, and sees another `images` of the node. */
  imagesChanged(node: NodeInfo): void;
}
