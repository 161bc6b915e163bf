import type { Node } from './node.ts';
import type { Pod } from './pod.ts';
import type { PodDisruptionBudget } from './pod-disruption-budget.ts';
import type { PodGroup, Workload } from './pod-group.ts';
import type { PriorityClass } from './priority-class.ts';
import type { DeviceClass, ResourceClaim, ResourceSlice } from './resource-claims.ts';
import type { StatefulSet } from './stateful-set.ts';
import type {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  PersistentVolume,
  PersistentVolumeClaim,
  StorageClass,
  VolumeAttachment,
} from './storage.ts';
import type { Namespace, ReplicaSet, ReplicationController, SelectorOwner } from './workloads.ts';

/** The kinds that scheduling reads, by name. */
export interface Kinds {
  Node: Node;
  Pod: Pod;
  Namespace: Namespace;
  Service: SelectorOwner;
  ReplicationController: ReplicationController;
  ReplicaSet: ReplicaSet;
  StatefulSet: StatefulSet;
  PersistentVolumeClaim: PersistentVolumeClaim;
  PersistentVolume: PersistentVolume;
  StorageClass: StorageClass;
  CSINode: CSINode;
  CSIDriver: CSIDriver;
  CSIStorageCapacity: CSIStorageCapacity;
  VolumeAttachment: VolumeAttachment;
  PodDisruptionBudget: PodDisruptionBudget;
  ResourceClaim: ResourceClaim;
  ResourceSlice: ResourceSlice;
  DeviceClass: DeviceClass;
  PodGroup: PodGroup;
  Workload: Workload;
  PriorityClass: PriorityClass;
}

export type Kind = keyof Kinds;

/**
 * Objects besides nodes and pods that decisions depend on, by kind. Priority classes are not among them, since
 * priorities are resolved when a pod is admitted.
 */
export type ObjectKinds = Omit<Kinds, 'Node' | 'Pod' | 'PriorityClass'>;

/** The name of a kind that the scheduler knows. */
export type ObjectKind = keyof ObjectKinds;

export interface KindInfo {
  readonly apiVersion: string;
  readonly isNamespaced: boolean;
}

function kind(apiVersion: string, isNamespaced: boolean): KindInfo {
  return { apiVersion, isNamespaced };
}

export const KINDS: { readonly [K in Kind]: KindInfo } = {
  Node: kind('v1', false),
  Pod: kind('v1', true),
  Namespace: kind('v1', false),
  Service: kind('v1', true),
  ReplicationController: kind('v1', true),
  ReplicaSet: kind('apps/v1', true),
  StatefulSet: kind('apps/v1', true),
  PersistentVolumeClaim: kind('v1', true),
  PersistentVolume: kind('v1', false),
  StorageClass: kind('storage.k8s.io/v1', false),
  CSINode: kind('storage.k8s.io/v1', false),
  CSIDriver: kind('storage.k8s.io/v1', false),
  CSIStorageCapacity: kind('storage.k8s.io/v1', true),
  VolumeAttachment: kind('storage.k8s.io/v1', false),
  PodDisruptionBudget: kind('policy/v1', true),
  ResourceClaim: kind('resource.k8s.io/v1', true),
  ResourceSlice: kind('resource.k8s.io/v1', false),
  DeviceClass: kind('resource.k8s.io/v1', false),
  PodGroup: kind('scheduling.k8s.io/v1alpha2', true),
  Workload: kind('scheduling.k8s.io/v1alpha2', true),
  PriorityClass: kind('scheduling.k8s.io/v1', false),
};
