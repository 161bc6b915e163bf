import { KINDS, type Kind } from '../kinds.ts';
import { type Check, isMissing, type Problem } from './check.ts';
import { podDisruptionBudget } from './disruption-budget.ts';
import { validateNode } from './node.ts';
import { validatePod } from './pod.ts';
import { priorityClass } from './priority-class.ts';
import { all, object, oneOf } from './shapes.ts';
import {
  csiDriver,
  csiNode,
  csiStorageCapacity,
  persistentVolume,
  persistentVolumeClaim,
  storageClass,
  volumeAttachment,
} from './storage.ts';
import { namespace, replicas, replicationController, service } from './workloads.ts';

const CHECKS: { readonly [K in Exclude<Kind, 'Node' | 'Pod'>]: Check } = {
  Namespace: namespace,
  Service: service,
  ReplicationController: replicationController,
  ReplicaSet: replicas,
  StatefulSet: replicas,
  PersistentVolumeClaim: persistentVolumeClaim,
  PersistentVolume: persistentVolume,
  StorageClass: storageClass,
  CSINode: csiNode,
  CSIDriver: csiDriver,
  CSIStorageCapacity: csiStorageCapacity,
  VolumeAttachment: volumeAttachment,
  PodDisruptionBudget: podDisruptionBudget,
  PriorityClass: priorityClass,
};

/**
 * The problems of the scheduling fields of a decoded object of this kind; empty when it can be used. Other fields are
 * not checked. `path` is put in front of every field and may be ''.
 */
export function validateObject(kind: Kind, value: unknown, path = ''): Problem[] {
  if (kind === 'Node') return validateNode(value, path);
  if (kind === 'Pod') return validatePod(value, path);
  if (isMissing(value)) return [{ field: path, reason: 'is required' }];
  const problems: Problem[] = [];
  const typeMeta = object({ apiVersion: oneOf('apiVersion', KINDS[kind].apiVersion), kind: oneOf('kind', kind) });
  all(typeMeta, CHECKS[kind])(value, path, problems);
  return problems;
}
