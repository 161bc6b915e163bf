import type {
  V1CSIDriver,
  V1CSINode,
  V1CSIStorageCapacity,
  V1Namespace,
  V1Node,
  V1PersistentVolume,
  V1PersistentVolumeClaim,
  V1Pod,
  V1PodDisruptionBudget,
  V1ReplicaSet,
  V1ReplicationController,
  V1Service,
  V1StatefulSet,
  V1StorageClass,
  V1VolumeAttachment,
} from 'client-node-2';
import type { Node, Pod, Scheduler } from 'kube-berth';

/** Objects of the package are taken as they are: without a cast, and in either direction of optional members. */
export function feed(
  scheduler: Scheduler,
  objects: {
    pod: V1Pod;
    node: V1Node;
    namespace: V1Namespace;
    service: V1Service;
    replicationController: V1ReplicationController;
    replicaSet: V1ReplicaSet;
    statefulSet: V1StatefulSet;
    persistentVolumeClaim: V1PersistentVolumeClaim;
    persistentVolume: V1PersistentVolume;
    storageClass: V1StorageClass;
    csiNode: V1CSINode;
    csiDriver: V1CSIDriver;
    csiStorageCapacity: V1CSIStorageCapacity;
    volumeAttachment: V1VolumeAttachment;
    podDisruptionBudget: V1PodDisruptionBudget;
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
