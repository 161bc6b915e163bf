/** The objects of scheduling.k8s.io/v1alpha2: groups of pods that are scheduled together. */
import type { Condition, KubernetesObject } from './meta.ts';
import type { Pod, PodResourceClaim, PodResourceClaimStatus } from './pod.ts';

/** How the pods of a group are scheduled: one of the fields is set. */
export interface PodGroupSchedulingPolicy {
  /** The pods are scheduled one by one, as far as they fit. */
  readonly basic?: object | undefined;
  /** No pod is bound before as many as `minCount` have a place. */
  readonly gang?: { readonly minCount: number } | undefined;
}

/** Where the pods of a group have to be. */
export interface PodGroupSchedulingConstraints {
  /** The labels in whose values the nodes of all pods agree; v1alpha2 allows one. */
  readonly topology?: readonly { readonly key: string }[] | undefined;
}

/** What a group of pods asks for. */
export interface PodGroupSpec {
  readonly podGroupTemplateRef?:
    | { readonly workload?: { readonly workloadName: string; readonly podGroupTemplateName: string } | undefined }
    | undefined;
  readonly schedulingPolicy?: PodGroupSchedulingPolicy | undefined;
  readonly schedulingConstraints?: PodGroupSchedulingConstraints | null | undefined;
  /** Claims that the group uses as a whole. */
  readonly resourceClaims?: readonly PodResourceClaim[] | undefined;
  /** Whether the pods are evicted one by one (`Pod`, also when absent) or all together (`PodGroup`). */
  readonly disruptionMode?: string | undefined;
  readonly priorityClassName?: string | undefined;
  /** What the group counts for in preemption. */
  readonly priority?: number | undefined;
}

/** A scheduling.k8s.io/v1alpha2 PodGroup: pods name it in `spec.schedulingGroup`. */
export interface PodGroup extends KubernetesObject {
  readonly spec?: PodGroupSpec | undefined;
  readonly status?:
    | {
        readonly conditions?: readonly Condition[] | undefined;
        readonly resourceClaimStatuses?: readonly PodResourceClaimStatus[] | undefined;
      }
    | undefined;
}

/** A scheduling.k8s.io/v1alpha2 Workload: templates of groups. Decisions never read it. */
export interface Workload extends KubernetesObject {
  readonly spec?:
    | {
        readonly controllerRef?:
          | { readonly apiGroup?: string | undefined; readonly kind: string; readonly name: string }
          | undefined;
        readonly podGroupTemplates?:
          | readonly (Pick<
              PodGroupSpec,
              | 'schedulingPolicy'
              | 'schedulingConstraints'
              | 'resourceClaims'
              | 'disruptionMode'
              | 'priorityClassName'
              | 'priority'
            > & { readonly name: string })[]
          | undefined;
      }
    | undefined;
}

/** The condition of a group that says whether it was scheduled. */
export const POD_GROUP_SCHEDULED = 'PodGroupScheduled';

/** Keeps a group that is being deleted until its pods have ended. */
export const POD_GROUP_PROTECTION = 'scheduling.k8s.io/podgroup-protection';

/** The name of the pod's group; '' for a pod that belongs to none. */
export function podGroupNameOf({ spec }: Pod): string {
  return spec?.schedulingGroup?.podGroupName ?? '';
}

/** The key of the pod's group, namespace/name; '' for a pod that belongs to none. */
export function podGroupKeyOf(pod: Pod): string {
  const name = podGroupNameOf(pod);
  return name === '' ? '' : keyOfPodGroup(pod.metadata?.namespace || 'default', name);
}

/** The key that was asked for last. Pods of a group are met one after the other, and look up the same text. */
const last = { namespace: '', name: '', key: '/' };

/** The key of the group, namespace/name. */
export function keyOfPodGroup(namespace: string, name: string): string {
  if (name === last.name && namespace === last.namespace) return last.key;
  last.namespace = namespace;
  last.name = name;
  last.key = `${namespace}/${name}`;
  return last.key;
}

/** Whether the group names the claim exactly as the pod does: then all pods of the group share one claim. */
export function sharesClaim({ spec }: PodGroup, { name, ...source }: PodResourceClaim): boolean {
  return (spec?.resourceClaims ?? []).some(
    (claim) =>
      claim.name === name &&
      claim.resourceClaimName === source.resourceClaimName &&
      claim.resourceClaimTemplateName === source.resourceClaimTemplateName,
  );
}
