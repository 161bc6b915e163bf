import type { ObjectKind, ObjectKinds } from '../api/kinds.ts';
import type { Node } from '../api/node.ts';
import type { Pod } from '../api/pod.ts';

/** A cluster as a user hands it over, checked and defaulted, in the order of the input. */
export interface ClusterObjects {
  readonly nodes: readonly Node[];
  readonly pods: readonly Pod[];
  /** Whatever else decisions depend on: namespaces, services, volume claims, ... Absent: none. */
  readonly others?: readonly OtherObject[];
}

export type OtherObject = {
  readonly [K in ObjectKind]: { readonly kind: K; readonly object: ObjectKinds[K] };
}[ObjectKind];
