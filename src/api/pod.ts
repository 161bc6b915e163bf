import type { Condition, KubernetesObject, Time } from './meta.ts';
import type { NodeAffinity } from './node-selector.ts';
import type { PodAffinity } from './pod-affinity.ts';
import type { ResourceList } from './quantity.ts';
import type { Toleration } from './taints.ts';
import type { TopologySpreadConstraint } from './topology-spread.ts';
import type { Volume } from './volumes.ts';

/** The requests and limits of a container (v1 ResourceRequirements). */
export interface ResourceRequirements {
  readonly requests?: ResourceList | undefined;
  readonly limits?: ResourceList | undefined;
}

/** A port of a container (v1 ContainerPort). */
export interface ContainerPort {
  readonly containerPort?: number | undefined;
  readonly hostPort?: number | undefined;
  readonly hostIP?: string | undefined;
  readonly protocol?: string | undefined;
}

/** A rule of a container's `restartPolicyRules`; the scheduler reads only its action. */
export interface ContainerRestartRule {
  readonly action?: string | undefined;
  readonly exitCodes?:
    | { readonly operator?: string | undefined; readonly values?: readonly number[] | undefined }
    | undefined;
}

/** An environment variable, whose value is given, or taken from a field of the pod. */
export interface EnvVar {
  readonly name: string;
  readonly value?: string | undefined;
  readonly valueFrom?: EnvVarSource | undefined;
}

/** Where the value of an environment variable comes from (v1 EnvVarSource). */
export interface EnvVarSource {
  readonly fieldRef?: { readonly apiVersion?: string | undefined; readonly fieldPath: string } | undefined;
}

/** A container of a pod (v1 Container). */
export interface Container {
  readonly name?: string | undefined;
  readonly image?: string | undefined;
  readonly command?: readonly string[] | undefined;
  readonly args?: readonly string[] | undefined;
  readonly env?: readonly EnvVar[] | undefined;
  readonly ports?: readonly ContainerPort[] | undefined;
  readonly resources?: ResourceRequirements | undefined;
  /** `Always` on an init container makes it a sidecar (a restartable init container). */
  readonly restartPolicy?: string | undefined;
  readonly restartPolicyRules?: readonly ContainerRestartRule[] | undefined;
  readonly imagePullPolicy?: string | undefined;
  readonly terminationMessagePath?: string | undefined;
  readonly terminationMessagePolicy?: string | undefined;
}

/** One of the three states is set; none means waiting. */
export interface ContainerState {
  readonly waiting?: { readonly reason?: string | undefined; readonly message?: string | undefined } | undefined;
  readonly running?: { readonly startedAt?: Time | undefined } | undefined;
  readonly terminated?: ContainerStateTerminated | undefined;
}

/** How a container ended (v1 ContainerStateTerminated). */
export interface ContainerStateTerminated {
  readonly exitCode: number;
  readonly signal?: number | undefined;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly startedAt?: Time | undefined;
  readonly finishedAt?: Time | undefined;
  readonly containerID?: string | undefined;
}

/** The state of a container as the kubelet reports it (v1 ContainerStatus). */
export interface ContainerStatus {
  readonly name: string;
  readonly state?: ContainerState | undefined;
  /** The end of the container's previous run. */
  readonly lastState?: ContainerState | undefined;
  readonly ready?: boolean | undefined;
  readonly started?: boolean | undefined;
  readonly restartCount?: number | undefined;
  readonly image?: string | undefined;
  readonly imageID?: string | undefined;
  readonly containerID?: string | undefined;
  readonly resources?: ResourceRequirements | undefined;
  readonly allocatedResources?: ResourceList | undefined;
}

export interface PodCondition extends Condition {
  readonly lastProbeTime?: Time | null | undefined;
}

/** The nodes and pods that a pod wants to be on or near, or away from (v1 Affinity). */
export interface Affinity {
  readonly nodeAffinity?: NodeAffinity | undefined;
  readonly podAffinity?: PodAffinity | undefined;
  readonly podAntiAffinity?: PodAffinity | undefined;
}

/** What a pod asks for (v1 PodSpec). */
export interface PodSpec {
  readonly nodeName?: string | undefined;
  readonly schedulerName?: string | undefined;
  readonly hostNetwork?: boolean | undefined;
  /** Whether the pod's users are those of its host, also when absent. */
  readonly hostUsers?: boolean | undefined;
  readonly hostname?: string | undefined;
  readonly subdomain?: string | undefined;
  /** `Always` (also when absent), `OnFailure` or `Never` */
  readonly restartPolicy?: string | undefined;
  readonly terminationGracePeriodSeconds?: number | undefined;
  readonly activeDeadlineSeconds?: number | undefined;
  readonly dnsPolicy?: string | undefined;
  readonly securityContext?: object | undefined;
  readonly priority?: number | undefined;
  /** The priority class, which determines `priority` and `preemptionPolicy` on creation. */
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
  /** The conditions, set by others, that must be `True` for the pod to be ready. */
  readonly readinessGates?: readonly { readonly conditionType: string }[] | undefined;
  readonly volumes?: readonly Volume[] | undefined;
  readonly resourceClaims?: readonly PodResourceClaim[] | undefined;
  /** The group with which the pod is scheduled. */
  readonly schedulingGroup?: { readonly podGroupName?: string | undefined } | undefined;
}

/** A claim to devices that the pod uses: one that exists, or one that is made from a template. */
export interface PodResourceClaim {
  readonly name: string;
  readonly resourceClaimName?: string | undefined;
  readonly resourceClaimTemplateName?: string | undefined;
}

/** Which claim was made for a reference to a template. */
export interface PodResourceClaimStatus {
  readonly name: string;
  /** The claim that was made; absent if the pod needs none. */
  readonly resourceClaimName?: string | undefined;
}

/** The claim that the scheduler made for the pod's extended resources. */
export interface PodExtendedResourceClaimStatus {
  readonly resourceClaimName: string;
  readonly requestMappings: readonly ContainerExtendedResourceRequest[];
}

/** Which request of the claim holds a container's extended resource. */
export interface ContainerExtendedResourceRequest {
  readonly containerName: string;
  readonly resourceName: string;
  readonly requestName: string;
}

/** The state of a pod (v1 PodStatus). */
export interface PodStatus {
  /** `Pending`, `Running`, `Succeeded`, `Failed` or `Unknown` */
  readonly phase?: string | undefined;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  /** The generation of the pod that the node agent has seen. */
  readonly observedGeneration?: number | undefined;
  readonly hostIP?: string | undefined;
  readonly podIP?: string | undefined;
  readonly podIPs?: readonly { readonly ip?: string | undefined }[] | undefined;
  /** `Guaranteed`, `Burstable` or `BestEffort` */
  readonly qosClass?: string | undefined;
  readonly nominatedNodeName?: string | undefined;
  readonly startTime?: Time | undefined;
  readonly conditions?: readonly PodCondition[] | undefined;
  readonly containerStatuses?: readonly ContainerStatus[] | undefined;
  readonly initContainerStatuses?: readonly ContainerStatus[] | undefined;
  /** The resources of the pod as a whole, while pod-level resources are resized. */
  readonly resources?: ResourceRequirements | undefined;
  readonly allocatedResources?: ResourceList | undefined;
  readonly resourceClaimStatuses?: readonly PodResourceClaimStatus[] | undefined;
  readonly extendedResourceClaimStatus?: PodExtendedResourceClaimStatus | undefined;
}

/** A v1 Pod: the fields that scheduling, controllers and node agents read. */
export interface Pod extends KubernetesObject {
  readonly spec?: PodSpec | undefined;
  readonly status?: PodStatus | undefined;
}

/** Whether the init container keeps running beside the containers: a sidecar, or restartable init container. */
export function isSidecar({ restartPolicy }: Pick<Container, 'restartPolicy'>): boolean {
  return restartPolicy === 'Always';
}
