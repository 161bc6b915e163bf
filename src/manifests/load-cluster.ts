import type { ObjectKind, ObjectKinds } from '../api/kinds.ts';
import type { Node } from '../api/node.ts';
import type { Pod } from '../api/pod.ts';
import type { ClusterObjects } from './cluster-objects.ts';
import type { PodSelection } from './pod-selection.ts';

/** What can be told of a cluster: a scheduler. */
export interface ClusterSink {
  setObject<K extends ObjectKind>(kind: K, object: ObjectKinds[K]): void;
  addNode(node: Node): void;
  addPod(pod: Pod): void;
}

/** Tells a scheduler of everything but the pods that it is to place; of those only where one of them is nominated. */
export function loadCluster(scheduler: ClusterSink, cluster: ClusterObjects, { bound, pending }: PodSelection): void {
  for (const { kind, object } of cluster.others ?? []) scheduler.setObject(kind, object);
  for (const node of cluster.nodes) scheduler.addNode(node);
  for (const pod of bound) scheduler.addPod(pod);
  for (const pod of pending) if (pod.status?.nominatedNodeName) scheduler.addPod(pod);
}
