import { type ApiResource, kindText } from '../../kinds/object/api-resource.ts';
import type { KindStrategy } from './kind-strategy.ts';
import { SPECIAL_STRATEGIES } from './special-strategies.ts';

const DEFAULT: KindStrategy = {
  hasGeneration: false,
  generationReads: [],
  createsOnUpdate: false,
  updatesUnconditionally: true,
  returnsDeleted: false,
  hasStatus: false,
  orphansByDefault: false,
};

const WITH_GENERATION = new Set([
  ...['Pod', 'ReplicationController', 'Deployment.apps', 'DaemonSet.apps', 'ReplicaSet.apps', 'StatefulSet.apps'],
  ...['Job.batch', 'CronJob.batch', 'PodDisruptionBudget.policy'],
  ...['EndpointSlice.discovery.k8s.io', 'ResourceSlice.resource.k8s.io', 'DeviceClass.resource.k8s.io'],
  ...['PodGroup.scheduling.k8s.io', 'Workload.scheduling.k8s.io'],
  ...['Ingress.networking.k8s.io', 'IngressClass.networking.k8s.io', 'NetworkPolicy.networking.k8s.io'],
  ...['FlowSchema.flowcontrol.apiserver.k8s.io', 'PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io'],
  ...['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration', 'ValidatingAdmissionPolicy'].map(
    (kind) => `${kind}.admissionregistration.k8s.io`,
  ),
  ...['ValidatingAdmissionPolicyBinding', 'MutatingAdmissionPolicy', 'MutatingAdmissionPolicyBinding'].map(
    (kind) => `${kind}.admissionregistration.k8s.io`,
  ),
  'CustomResourceDefinition.apiextensions.k8s.io',
]);

const CREATED_ON_UPDATE = new Set(['Lease.coordination.k8s.io', 'Service', 'Event', 'Event.events.k8s.io']);

const NEEDING_VERSION = new Set([
  ...['Lease.coordination.k8s.io', 'PodDisruptionBudget.policy', 'CSIStorageCapacity.storage.k8s.io'],
  'CustomResourceDefinition.apiextensions.k8s.io',
]);

const RETURNED = new Set([
  ...['Pod', 'Service', 'PersistentVolumeClaim', 'PersistentVolume', 'ServiceAccount', 'Namespace', 'ResourceQuota'],
  ...['StorageClass', 'CSINode', 'CSIDriver', 'VolumeAttachment', 'VolumeAttributesClass'].map(
    (kind) => `${kind}.storage.k8s.io`,
  ),
  ...['ResourceClaim', 'ResourceClaimTemplate', 'ResourceSlice', 'DeviceClass'].map(
    (kind) => `${kind}.resource.k8s.io`,
  ),
  'PodTemplate',
]);

const ORPHANING = new Set(['Job.batch', 'ReplicationController']);

const cache = new WeakMap<ApiResource, KindStrategy>();

/** The strategy for the objects of a resource. */
export function strategyOf(resource: ApiResource): KindStrategy {
  const known = cache.get(resource);
  if (known !== undefined) return known;
  const kind = kindText(resource);
  const hasStatus = resource.subresources.some(({ name }) => name === 'status');
  const strategy: KindStrategy = resource.isCustom
    ? { ...DEFAULT, hasStatus, hasGeneration: true, updatesUnconditionally: false }
    : {
        ...DEFAULT,
        hasStatus,
        hasGeneration: WITH_GENERATION.has(kind),
        createsOnUpdate: CREATED_ON_UPDATE.has(kind),
        updatesUnconditionally: !NEEDING_VERSION.has(kind),
        returnsDeleted: RETURNED.has(kind),
        orphansByDefault: ORPHANING.has(kind),
        ...SPECIAL_STRATEGIES[kind],
      };
  cache.set(resource, strategy);
  return strategy;
}
