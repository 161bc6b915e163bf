import type { Node, Pod, Scheduler } from 'kube-berth';
import type * as apps from 'kubernetes-types/apps/v1.js';
import type * as core from 'kubernetes-types/core/v1.js';
import type * as policy from 'kubernetes-types/policy/v1.js';
import type * as storage from 'kubernetes-types/storage/v1.js';

/** Objects of the package are taken as they are: without a cast, and in either direction of optional members. */
export function feed(
  scheduler: Scheduler,
  objects: {
    pod: core.Pod;
    node: core.Node;
    namespace: core.Namespace;
    service: core.Service;
    replicationController: core.ReplicationController;
    replicaSet: apps.ReplicaSet;
    statefulSet: apps.StatefulSet;
    persistentVolumeClaim: core.PersistentVolumeClaim;
    persistentVolume: core.PersistentVolume;
    storageClass: storage.StorageClass;
    csiNode: storage.CSINode;
    csiDriver: storage.CSIDriver;
    csiStorageCapacity: storage.CSIStorageCapacity;
    volumeAttachment: storage.VolumeAttachment;
    podDisruptionBudget: policy.PodDisruptionBudget;
  },
): Pod[] {
  scheduler.addNode(objects.node);
  scheduler.updateNode(objects.node);
  scheduler.addPod(objects.pod);
  scheduler.schedule(objects.pod);
  scheduler.explain(objects.pod);
  scheduler.setObject('Namespace', objects.namespace);
  scheduler.setObject('Service', objects.service);
  scheduler.setObject('ReplicationController', objects.replicationController);
  scheduler.setObject('ReplicaSet', objects.replicaSet);
  scheduler.setObject('StatefulSet', objects.statefulSet);
  scheduler.setObject('PersistentVolumeClaim', objects.persistentVolumeClaim);
  scheduler.setObject('PersistentVolume', objects.persistentVolume);
  scheduler.setObject('StorageClass', objects.storageClass);
  scheduler.setObject('CSINode', objects.csiNode);
  scheduler.setObject('CSIDriver', objects.csiDriver);
  scheduler.setObject('CSIStorageCapacity', objects.csiStorageCapacity);
  scheduler.setObject('VolumeAttachment', objects.volumeAttachment);
  scheduler.setObject('PodDisruptionBudget', objects.podDisruptionBudget);
  const nodes: readonly Node[] = [objects.node];
  const pods: Pod[] = [objects.pod];
  scheduler.scheduleBatch(pods);
  return nodes.length > 0 ? pods : [];
}
