import type { Node } from '../api/node.ts';
import type { Pod } from '../api/pod.ts';

/** A cluster as a user hands it over, checked and defaulted, in the order of the input. */
export interface ClusterObjects {
  readonly nodes: readonly Node[];
  readonly pods: readonly Pod[];
}
