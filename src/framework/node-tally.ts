import type { PodInfo } from './pod-info.ts';
import type { Status } from './status.ts';

/**
 * What one filter counts of the pods on a node, updated as pods are removed and added, and of pods that are expected
 * there: it replaces a copy of the node.
 */
export interface NodeTally {
  add(pod: PodInfo): void;
  /** The pod must be on the node. */
  remove(pod: PodInfo): void;
  /** Whether `rejection` and `rejectionAlone` are null, without computing a reason. */
  fits(): boolean;
  /** The answer of the filter for the counted pods and the expected ones. */
  rejection(): Status | null;
  /** The answer without the expected pods; absent if it is null whenever that of `rejection` is. */
  rejectionAlone?(): Status | null;
}
