import type { ControllerRevision } from '../../api/controller-revision.ts';
import type { CronJob } from '../../api/cron-job.ts';
import type { DaemonSet } from '../../api/daemon-set.ts';
import type { Deployment } from '../../api/deployment.ts';
import type { Event } from '../../api/event.ts';
import type { Job } from '../../api/job.ts';
import { KINDS, type KindInfo, type Kinds } from '../../api/kinds.ts';
import type { Lease } from '../../api/lease.ts';
import type { ResourceClaimTemplate } from '../../api/resource-claims.ts';

export interface StoredKinds extends Kinds {
  Job: Job;
  Deployment: Deployment;
  DaemonSet: DaemonSet;
  CronJob: CronJob;
  ControllerRevision: ControllerRevision;
  Event: Event;
  Lease: Lease;
  ResourceClaimTemplate: ResourceClaimTemplate;
}

/** The kind in lower case and in the plural, as it stands in a URL. */
export type Plural<Kind extends string> = Kind extends `${infer Stem}y`
  ? `${Stem}ies`
  : Kind extends `${string}s`
    ? `${Kind}es`
    : `${Kind}s`;

/** The resources of the store: each name, as it stands in a URL, and the type of its objects. */
export type Resources = { [K in keyof StoredKinds as Plural<Lowercase<K>>]: StoredKinds[K] };

/** The plural name of a kind that the store holds, such as `pods`. */
export type Resource = keyof Resources;

export interface ResourceInfo extends KindInfo {
  readonly kind: string;
}

const STORED_KINDS: { readonly [K in keyof StoredKinds]: KindInfo } = {
  ...KINDS,
  Job: { apiVersion: 'batch/v1', isNamespaced: true },
  CronJob: { apiVersion: 'batch/v1', isNamespaced: true },
  Deployment: { apiVersion: 'apps/v1', isNamespaced: true },
  DaemonSet: { apiVersion: 'apps/v1', isNamespaced: true },
  ControllerRevision: { apiVersion: 'apps/v1', isNamespaced: true },
  Event: { apiVersion: 'v1', isNamespaced: true },
  Lease: { apiVersion: 'coordination.k8s.io/v1', isNamespaced: true },
  ResourceClaimTemplate: { apiVersion: 'resource.k8s.io/v1', isNamespaced: true },
};

/** Caches are filled, and namespaces emptied, in this order. */
const ORDER: readonly (keyof StoredKinds)[] = [
  ...(['Pod', 'Node', 'Job', 'Namespace', 'Service', 'ReplicaSet', 'StatefulSet', 'ReplicationController'] as const),
  ...(['PersistentVolume', 'PersistentVolumeClaim', 'StorageClass', 'CSINode', 'CSIDriver'] as const),
  ...(['CSIStorageCapacity', 'VolumeAttachment', 'PodDisruptionBudget', 'PriorityClass', 'Event', 'Lease'] as const),
  ...(['ResourceClaim', 'ResourceClaimTemplate', 'ResourceSlice', 'DeviceClass', 'PodGroup', 'Workload'] as const),
  ...(['Deployment', 'DaemonSet', 'CronJob', 'ControllerRevision'] as const),
];

export const RESOURCES = Object.fromEntries(
  ORDER.map((kind) => [pluralOf(kind), { kind, ...STORED_KINDS[kind] }]),
) as unknown as { readonly [R in Resource]: ResourceInfo };

/** Upstream: UnsafeGuessKindToResource in apimachinery/pkg/api/meta/restmapper.go. */
function pluralOf(kind: string): string {
  const singular = kind.toLowerCase();
  if (singular.endsWith('s')) return `${singular}es`;
  return singular.endsWith('y') ? `${singular.slice(0, -1)}ies` : `${singular}s`;
}

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
