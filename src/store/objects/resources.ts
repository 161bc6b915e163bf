import type { Event } from '../../api/event.ts';
import type { Job } from '../../api/job.ts';
import { KINDS, type Kinds } from '../../api/kinds.ts';
import type { Lease } from '../../api/lease.ts';

/** The resources of the store: each name, as it stands in a URL, and the type of its objects. */
export interface Resources {
  pods: Kinds['Pod'];
  nodes: Kinds['Node'];
  jobs: Job;
  namespaces: Kinds['Namespace'];
  services: Kinds['Service'];
  replicasets: Kinds['ReplicaSet'];
  statefulsets: Kinds['StatefulSet'];
  replicationcontrollers: Kinds['ReplicationController'];
  persistentvolumes: Kinds['PersistentVolume'];
  persistentvolumeclaims: Kinds['PersistentVolumeClaim'];
  storageclasses: Kinds['StorageClass'];
  csinodes: Kinds['CSINode'];
  csidrivers: Kinds['CSIDriver'];
  csistoragecapacities: Kinds['CSIStorageCapacity'];
  volumeattachments: Kinds['VolumeAttachment'];
  poddisruptionbudgets: Kinds['PodDisruptionBudget'];
  priorityclasses: Kinds['PriorityClass'];
  events: Event;
  leases: Lease;
}

export type Resource = keyof Resources;

export interface ResourceInfo {
  readonly kind: string;
  /** The API version, such as `v1` or `batch/v1`. */
  readonly apiVersion: string;
  readonly isNamespaced: boolean;
}

function known(kind: keyof Kinds): ResourceInfo {
  return { kind, ...KINDS[kind] };
}

export const RESOURCES: { readonly [R in Resource]: ResourceInfo } = {
  pods: known('Pod'),
  nodes: known('Node'),
  jobs: { kind: 'Job', apiVersion: 'batch/v1', isNamespaced: true },
  namespaces: known('Namespace'),
  services: known('Service'),
  replicasets: known('ReplicaSet'),
  statefulsets: known('StatefulSet'),
  replicationcontrollers: known('ReplicationController'),
  persistentvolumes: known('PersistentVolume'),
  persistentvolumeclaims: known('PersistentVolumeClaim'),
  storageclasses: known('StorageClass'),
  csinodes: known('CSINode'),
  csidrivers: known('CSIDriver'),
  csistoragecapacities: known('CSIStorageCapacity'),
  volumeattachments: known('VolumeAttachment'),
  poddisruptionbudgets: known('PodDisruptionBudget'),
  priorityclasses: known('PriorityClass'),
  events: { kind: 'Event', apiVersion: 'v1', isNamespaced: true },
  leases: { kind: 'Lease', apiVersion: 'coordination.k8s.io/v1', isNamespaced: true },
};

const DEFAULT_NAMESPACE = 'default';

/** The namespace that an object is stored under: the one that its metadata names, or '' for a cluster-wide kind. */
export function namespaceOf(resource: Resource, namespace: string | undefined): string {
  return RESOURCES[resource].isNamespaced ? namespace || DEFAULT_NAMESPACE : '';
}

/** The resource as the API's messages name it: `pods`, `jobs.batch`. */
export function resourceText(resource: Resource): string {
  return withGroup(resource, RESOURCES[resource].apiVersion);
}

/** The kind as the API's messages name it: `Pod`, `Job.batch`. */
export function kindText(resource: Resource): string {
  const { kind, apiVersion } = RESOURCES[resource];
  return withGroup(kind, apiVersion);
}

function withGroup(name: string, apiVersion: string): string {
  const [group, version] = apiVersion.split('/');
  return version === undefined ? name : `${name}.${group}`;
}
