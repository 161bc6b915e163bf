import { objectAt } from '../defaults/members.ts';
import type { JsonObject } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import * as access from './access-kinds.ts';
import { autoscalerUpdateErrors, newAutoscalerErrors } from './autoscalers.ts';
import { claimStatusErrors } from './claim-statuses.ts';
import * as cluster from './cluster-kinds.ts';
import * as config from './config-and-quota.ts';
import { cronJobUpdateErrors, newCronJobErrors } from './cron-jobs.ts';
import * as devices from './devices.ts';
import { eventErrors, eventUpdateErrors } from './events.ts';
import { ingressClassErrors, ingressClassUpdateErrors, ingressErrors, newIngressErrors } from './ingresses.ts';
import { jobStatusErrors } from './job-statuses.ts';
import * as jobs from './jobs.ts';
import { networkPolicyErrors } from './network-policies.ts';
import * as groups from './pod-groups.ts';
import { podErrors } from './pod-spec.ts';
import { ephemeralUpdateErrors, podStatusErrors, resizeUpdateErrors } from './pod-subresources.ts';
import { podUpdateErrors } from './pod-update.ts';
import { newSliceErrors, sliceUpdateErrors } from './resource-slices.ts';
import * as services from './services.ts';
import * as statuses from './statuses.ts';
import * as storage from './storage.ts';
import * as storageKinds from './storage-kinds.ts';
import * as workloads from './workloads.ts';

/** The checks of a kind. Those of its metadata are made already, and take the place that they have upstream. */
export interface KindValidator {
  create(object: JsonObject, metadataErrors: readonly FieldError[]): FieldError[];
  /** Problems of a change of the object itself, not of one of its subresources. */
  update(object: JsonObject, old: JsonObject, metadataErrors: readonly FieldError[]): FieldError[];
  /** Problems of a write to a subresource, by its name. */
  readonly subresources?: Readonly<Record<string, UpdateCheck>>;
}

type Check = (object: JsonObject) => FieldError[];
type UpdateCheck = (object: JsonObject, old: JsonObject) => FieldError[];

/** Without rules of its own an update is checked like a new object. */
export function checked(
  create: Check,
  update: UpdateCheck = create,
  subresources: Readonly<Record<string, UpdateCheck>> = {},
): KindValidator {
  return {
    create: (object, metadataErrors) => [...metadataErrors, ...create(object)],
    update: (object, old, metadataErrors) => [...metadataErrors, ...update(object, old)],
    subresources,
  };
}

/** An update is checked like a new object, and must keep the selector. */
function withSelector(create: Check, status: UpdateCheck): KindValidator {
  return checked(create, (object, old) => [...create(object), ...workloads.selectorIsImmutable(object, old)], {
    status,
  });
}

/** An update is checked like a new object, and must keep the role. */
function withRoleRef(create: Check): KindValidator {
  return checked(create, (object, old) => [...create(object), ...access.roleRefIsImmutable(object, old)]);
}

/** The kinds that run pods, and pods. */
const RUNNING: Readonly<Record<string, KindValidator>> = {
  Pod: checked(podErrors, podUpdateErrors, {
    status: podStatusErrors,
    ephemeralcontainers: ephemeralUpdateErrors,
    resize: resizeUpdateErrors,
  }),
  Deployment: withSelector(workloads.deploymentErrors, statuses.deploymentStatusErrors),
  ReplicaSet: withSelector(workloads.replicaSetErrors, statuses.replicaStatusErrors),
  DaemonSet: checked(workloads.daemonSetErrors, workloads.daemonSetUpdateErrors, {
    status: statuses.daemonSetStatusErrors,
  }),
  StatefulSet: checked(workloads.statefulSetErrors, workloads.statefulSetUpdateErrors, {
    status: statuses.statefulSetStatusErrors,
  }),
  ReplicationController: checked(workloads.controllerErrors, workloads.controllerErrors, {
    status: statuses.replicaStatusErrors,
  }),
  // An update is checked like a new object first, and then as an update.
  Job: {
    ...checked(jobs.jobErrors, undefined, { status: jobStatusErrors }),
    update: (job, old, metadataErrors) => [
      ...jobs.jobErrors(job),
      ...metadataErrors,
      ...jobs.selectedSpecErrors(workloads.specOf(job)),
      ...jobs.jobUpdateErrors(job, old),
    ],
  },
  CronJob: checked(newCronJobErrors, cronJobUpdateErrors),
};

const VALIDATORS: Readonly<Record<string, KindValidator>> = {
  ...RUNNING,
  Service: checked(services.serviceErrors, services.serviceUpdateErrors),
  Endpoints: checked(services.endpointsErrors),
  EndpointSlice: checked(services.endpointSliceErrors, services.endpointSliceUpdateErrors),
  ConfigMap: checked(config.configMapErrors, (map, old) => [
    ...config.immutableDataErrors(map, old),
    ...config.configMapErrors(map),
  ]),
  Secret: checked(config.secretErrors, config.secretUpdateErrors),
  LimitRange: checked(config.limitRangeErrors),
  ResourceQuota: checked(config.quotaErrors, (quota, old) => [
    ...config.quotaErrors(quota),
    ...quotaScopes(quota, old),
  ]),
  PersistentVolume: checked(storage.volumeObjectErrors, storage.volumeUpdateErrors),
  PersistentVolumeClaim: checked(storage.claimErrors, storage.claimUpdateErrors),
  StorageClass: checked(storageKinds.storageClassErrors, storageKinds.storageClassUpdateErrors),
  CSINode: checked(storageKinds.csiNodeErrors, storageKinds.csiNodeUpdateErrors),
  CSIDriver: checked(storageKinds.csiDriverErrors, storageKinds.csiDriverUpdateErrors),
  CSIStorageCapacity: checked(storageKinds.capacityErrors, storageKinds.capacityUpdateErrors),
  VolumeAttributesClass: checked(storageKinds.attributesClassErrors, storageKinds.attributesClassUpdateErrors),
  VolumeAttachment: checked(storageKinds.attachmentErrors, storageKinds.attachmentUpdateErrors),
  Node: checked(cluster.nodeErrors, cluster.nodeUpdateErrors),
  Namespace: checked(cluster.namespaceErrors, () => [], { status: statuses.namespaceStatusErrors }),
  Lease: checked(cluster.leaseErrors),
  PriorityClass: checked(cluster.priorityClassErrors, cluster.priorityClassUpdateErrors),
  PodDisruptionBudget: checked(cluster.budgetErrors, cluster.budgetErrors, { status: statuses.budgetStatusErrors }),
  HorizontalPodAutoscaler: checked(newAutoscalerErrors, autoscalerUpdateErrors, {
    status: statuses.autoscalerStatusErrors,
  }),
  Ingress: checked(newIngressErrors, ingressErrors),
  IngressClass: checked(ingressClassErrors, ingressClassUpdateErrors),
  NetworkPolicy: checked(networkPolicyErrors),
  Role: checked(access.roleErrors),
  ClusterRole: checked(access.clusterRoleErrors),
  RoleBinding: withRoleRef(access.roleBindingErrors),
  ClusterRoleBinding: withRoleRef(access.clusterRoleBindingErrors),
  RuntimeClass: checked(cluster.runtimeClassErrors, cluster.runtimeClassUpdateErrors),
  ControllerRevision: checked(cluster.revisionErrors, cluster.revisionUpdateErrors),
  PodTemplate: checked((object) => workloads.templateErrors('template', objectAt(object, 'template') ?? {})),
  Event: { create: eventErrors, update: eventUpdateErrors },
  ResourceClaim: checked(devices.resourceClaimErrors, devices.resourceClaimUpdateErrors, { status: claimStatusErrors }),
  ResourceClaimTemplate: checked(devices.claimTemplateErrors, devices.claimTemplateUpdateErrors),
  DeviceClass: checked(devices.deviceClassErrors),
  ResourceSlice: checked(newSliceErrors, sliceUpdateErrors),
  PodGroup: checked(groups.podGroupErrors, groups.podGroupUpdateErrors),
  Workload: checked(groups.workloadErrors, groups.workloadUpdateErrors),
};

function quotaScopes(quota: JsonObject, old: JsonObject): FieldError[] {
  const scopes = (object: JsonObject) => workloads.specOf(object)['scopes'];
  if (JSON.stringify(scopes(quota) ?? []) === JSON.stringify(scopes(old) ?? [])) return [];
  return [{ reason: 'FieldValueInvalid', field: 'spec.scopes', message: 'Invalid value: field is immutable' }];
}

export function validatorOf(kind: string): KindValidator | undefined {
  return Object.hasOwn(VALIDATORS, kind) ? VALIDATORS[kind] : undefined;
}
