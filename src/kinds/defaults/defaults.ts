import type { JsonObject } from '../object/json.ts';
import { setPodDefaults } from './pod-spec.ts';
import {
  setAdmissionPolicyBindingDefaults,
  setAdmissionPolicyDefaults,
  setBindingDefaults,
  setCustomResourceDefinitionDefaults,
  setFlowSchemaDefaults,
  setIngressClassDefaults,
  setLeaseDefaults,
  setNetworkPolicyDefaults,
  setPriorityClassDefaults,
  setPriorityLevelDefaults,
  setResourceClaimDefaults,
  setResourceClaimTemplateDefaults,
  setWebhooksDefaults,
} from './policies.ts';
import {
  setCsiDriverDefaults,
  setEndpointSliceDefaults,
  setEndpointsDefaults,
  setLimitRangeDefaults,
  setNamespaceDefaults,
  setNodeDefaults,
  setPersistentVolumeDefaults,
  setSecretDefaults,
  setServiceDefaults,
  setStorageClassDefaults,
} from './services-and-storage.ts';
import * as workloads from './workloads.ts';

/** The defaults of each kind that has any; they change the object in place. */
const DEFAULTS: Readonly<Record<string, (object: JsonObject) => void>> = {
  Pod: setPodDefaults,
  PodTemplate: workloads.setPodTemplateDefaults,
  ReplicationController: workloads.setReplicationControllerDefaults,
  Deployment: workloads.setDeploymentDefaults,
  DaemonSet: workloads.setDaemonSetDefaults,
  StatefulSet: workloads.setStatefulSetDefaults,
  ReplicaSet: workloads.setReplicaSetDefaults,
  Job: workloads.setJobDefaults,
  CronJob: workloads.setCronJobDefaults,
  HorizontalPodAutoscaler: workloads.setAutoscalerDefaults,
  PersistentVolumeClaim: workloads.setClaimDefaults,
  Service: setServiceDefaults,
  Secret: setSecretDefaults,
  Namespace: setNamespaceDefaults,
  Node: setNodeDefaults,
  PersistentVolume: setPersistentVolumeDefaults,
  Endpoints: setEndpointsDefaults,
  EndpointSlice: setEndpointSliceDefaults,
  LimitRange: setLimitRangeDefaults,
  StorageClass: setStorageClassDefaults,
  CSIDriver: setCsiDriverDefaults,
  NetworkPolicy: setNetworkPolicyDefaults,
  IngressClass: setIngressClassDefaults,
  RoleBinding: setBindingDefaults,
  ClusterRoleBinding: setBindingDefaults,
  PriorityClass: setPriorityClassDefaults,
  Lease: setLeaseDefaults,
  ResourceClaim: setResourceClaimDefaults,
  ResourceClaimTemplate: setResourceClaimTemplateDefaults,
  MutatingWebhookConfiguration: setWebhooksDefaults,
  ValidatingWebhookConfiguration: setWebhooksDefaults,
  ValidatingAdmissionPolicy: setAdmissionPolicyDefaults,
  MutatingAdmissionPolicy: setAdmissionPolicyDefaults,
  ValidatingAdmissionPolicyBinding: setAdmissionPolicyBindingDefaults,
  MutatingAdmissionPolicyBinding: setAdmissionPolicyBindingDefaults,
  FlowSchema: setFlowSchemaDefaults,
  PriorityLevelConfiguration: setPriorityLevelDefaults,
  CustomResourceDefinition: setCustomResourceDefinitionDefaults,
};

export function defaultsOf(kind: string): ((object: JsonObject) => void) | undefined {
  return Object.hasOwn(DEFAULTS, kind) ? DEFAULTS[kind] : undefined;
}
