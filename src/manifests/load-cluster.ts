import type { ObjectKind, ObjectKinds } from '../api/kinds.ts';
import type { Node } from '../api/node.ts';
import type { Pod } from '../api/pod.ts';
import type { ClusterManifest } from './cluster-manifest.ts';
import type { PodSelection } from './pod-selection.ts';

/** The methods of a scheduler by which it is given the objects of a cluster. */
export interface ClusterSink {
  setObject<K extends ObjectKind>(kind: K, object: ObjectKinds[K]): void;
  addNode(node: Node): void;
  addPod(pod: Pod): void;
}

/** Loads a cluster into a scheduler, without the pods that it is to place, unless one of them is nominated. */
export function loadCluster(scheduler: ClusterSink, cluster: ClusterManifest, { bound, pending }: PodSelection): void {
  for (const { kind, object } of cluster.others ?? []) scheduler.setObject(kind, object);
  for (const node of cluster.nodes) scheduler.addNode(node);
  for (const pod of bound) scheduler.addPod(pod);
  for (const pod of pending) if (pod.status?.nominatedNodeName) scheduler.addPod(pod);
}
