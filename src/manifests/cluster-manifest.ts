import type { ObjectKind, ObjectKinds } from '../api/kinds.ts';
import type { Node } from '../api/node.ts';
import type { Pod } from '../api/pod.ts';

/** A cluster as it was read from manifests, checked and defaulted, in the order of the input. */
export interface ClusterManifest {
  readonly nodes: readonly Node[];
  readonly pods: readonly Pod[];
  /** The other objects that decisions depend on: namespaces, services, volume claims, ... Absent: none. */
  readonly others?: readonly OtherObject[];
}

export type OtherObject = {
  readonly [K in ObjectKind]: { readonly kind: K; readonly object: ObjectKinds[K] };
}[ObjectKind];
