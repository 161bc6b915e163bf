import type { PodInfo } from './pod-info.ts';
import type { Status } from './status.ts';

/**
 * What one filter counts of the pods on a node, carried on while pods are taken off and put back: the filter's question
 * without a copy of the node.
 */
export interface NodeTally {
  add(pod: PodInfo): void;
  /** The pod must be on the node. */
  remove(pod: PodInfo): void;
  /** Whether `rejection` is null, without putting a reason into words. */
  fits(): boolean;
  /** What the filter would answer if the node held the counted pods. */
  rejection(): Status | null;
}
