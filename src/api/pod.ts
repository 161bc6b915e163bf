import type { ObjectMeta, Time } from './meta.ts';
import type { NodeAffinity } from './node-selector.ts';
import type { PodAffinity } from './pod-affinity.ts';
import type { ResourceList } from './quantity.ts';
import type { Toleration } from './taints.ts';
import type { TopologySpreadConstraint } from './topology-spread.ts';
import type { Volume } from './volumes.ts';

export interface ResourceRequirements {
  readonly requests?: ResourceList | undefined;
  readonly limits?: ResourceList | undefined;
}

export interface ContainerPort {
  readonly containerPort?: number | undefined;
  readonly hostPort?: number | undefined;
  readonly hostIP?: string | undefined;
  readonly protocol?: string | undefined;
}

/** One rule of a container's `restartPolicyRules`; only the action matters to the scheduler. */
export interface ContainerRestartRule {
  readonly action?: string | undefined;
}

export interface Container {
  readonly name?: string | undefined;
  readonly image?: string | undefined;
  readonly ports?: readonly ContainerPort[] | undefined;
  readonly resources?: ResourceRequirements | undefined;
  /** `Always` on an init container makes it a sidecar (a restartable init container). */
  readonly restartPolicy?: string | undefined;
  readonly restartPolicyRules?: readonly ContainerRestartRule[] | undefined;
}

export interface ContainerStatus {
  readonly name: string;
  readonly resources?: ResourceRequirements | undefined;
  readonly allocatedResources?: ResourceList | undefined;
}

export interface PodCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string | undefined;
}

export interface Affinity {
  readonly nodeAffinity?: NodeAffinity | undefined;
  readonly podAffinity?: PodAffinity | undefined;
  readonly podAntiAffinity?: PodAffinity | undefined;
}

export interface PodSpec {
  readonly nodeName?: string | undefined;
  readonly schedulerName?: string | undefined;
  readonly hostNetwork?: boolean | undefined;
  readonly priority?: number | undefined;
  /** Where `priority` and `preemptionPolicy` come from when the pod is created. */
  readonly priorityClassName?: string | undefined;
  readonly preemptionPolicy?: string | undefined;
  readonly containers?: readonly Container[] | undefined;
  readonly initContainers?: readonly Container[] | undefined;
  readonly overhead?: ResourceList | undefined;
  readonly resources?: ResourceRequirements | undefined;
  readonly nodeSelector?: Readonly<Record<string, string>> | undefined;
  readonly affinity?: Affinity | undefined;
  readonly tolerations?: readonly Toleration[] | undefined;
  readonly topologySpreadConstraints?: readonly TopologySpreadConstraint[] | undefined;
  readonly schedulingGates?: readonly { readonly name: string }[] | undefined;
  readonly volumes?: readonly Volume[] | undefined;
}

export interface PodStatus {
  readonly phase?: string | undefined;
  readonly nominatedNodeName?: string | undefined;
  readonly startTime?: Time | undefined;
  readonly conditions?: readonly PodCondition[] | undefined;
  readonly containerStatuses?: readonly ContainerStatus[] | undefined;
  readonly initContainerStatuses?: readonly ContainerStatus[] | undefined;
  /** Of the pod as a whole, while pod-level resources are resized. */
  readonly resources?: ResourceRequirements | undefined;
  readonly allocatedResources?: ResourceList | undefined;
}

/** A v1 Pod: exactly the fields that scheduling reads. */
export interface Pod {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata?: ObjectMeta | undefined;
  readonly spec?: PodSpec | undefined;
  readonly status?: PodStatus | undefined;
}
