/** What admission plugins of the API server do with new groups of pods. Nothing is mutated. */
import type { PriorityClasses } from './admission.ts';
import { POD_GROUP_PROTECTION, type PodGroup } from './pod-group.ts';
import { type PriorityClass, SYSTEM_PRIORITY_CLASSES } from './priority-class.ts';

/** The feature gates that decide which parts of groups the API knows. */
export interface GroupFeatures {
  readonly GenericWorkload: boolean;
  readonly DRAWorkloadResourceClaims: boolean;
  readonly TopologyAwareWorkloadScheduling: boolean;
  readonly WorkloadAwarePreemption: boolean;
}

export const NO_GROUP_FEATURES: GroupFeatures = {
  GenericWorkload: false,
  DRAWorkloadResourceClaims: false,
  TopologyAwareWorkloadScheduling: false,
  WorkloadAwarePreemption: false,
};

/** The group with the finalizer that keeps it (plugin/pkg/admission/scheduling/podgroupprotection). */
export function withProtection(group: PodGroup): PodGroup {
  const finalizers = group.metadata?.finalizers ?? [];
  if (finalizers.includes(POD_GROUP_PROTECTION)) return group;
  return { ...group, metadata: { ...group.metadata, finalizers: [...finalizers, POD_GROUP_PROTECTION] } };
}

/**
 * The group with the priority of its class, or of the default class, whose name it takes, as admission resolves it
 * under the feature gate WorkloadAwarePreemption; or a text that says why it is refused.
 */
export function withGroupPriority(
  group: PodGroup,
  classes: PriorityClasses,
  globalDefault: PriorityClass | null,
): PodGroup | string {
  const { priorityClassName: name = '', priority: given } = group.spec ?? {};
  const found = name === '' ? globalDefault : (classes.get(name) ?? SYSTEM_PRIORITY_CLASSES.get(name));
  if (found === undefined) return `no PriorityClass with name ${name} was found`;
  const [className, priority] = [found?.metadata?.name ?? name, found?.value ?? 0];
  if (given !== undefined && given !== null && given !== priority) {
    const rule = `the integer value of priority (${given}) must not be provided in pod group spec`;
    return `${rule}; priority admission controller computed ${priority} from the given PriorityClass name`;
  }
  return { ...group, spec: { ...group.spec, priority, ...(className !== '' && { priorityClassName: className }) } };
}
