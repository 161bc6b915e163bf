import type { PodInfo } from './pod-info.ts';
import type { Status } from './status.ts';

/**
 * What one filter counts of the pods on a node, updated as pods are removed and added: it replaces a copy of the node.
 */
export interface NodeTally {
  add(pod: PodInfo): void;
  /** The pod must be on the node. */
  remove(pod: PodInfo): void;
  /** Whether `rejection` is null, without computing a reason. */
  fits(): boolean;
  /** The answer of the filter for the counted pods. */
  rejection(): Status | null;
}
