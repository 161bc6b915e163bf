import { podGroupNameOf } from '../../api/pod-group.ts';
import { featureGates } from '../../config/feature-gates.ts';
import type { SchedulerOptions } from '../../core/scheduler-options.ts';
import { whole } from '../../lib/shown-count.ts';
import type { PodSelection } from '../../manifests/pod-selection.ts';

/** Whether pods are scheduled as groups: the gate is on, and some of them name a group. */
export function schedulesGroups(
  { featureGates: given, configuration }: Pick<SchedulerOptions, 'featureGates' | 'configuration'>,
  { pending }: PodSelection,
): boolean {
  return featureGates(given, configuration).GenericWorkload && pending.some((pod) => podGroupNameOf(pod) !== '');
}

/** A warning about groups that do not count because their gate is off. */
export function ignoredGroups(
  { featureGates: given, configuration }: Pick<SchedulerOptions, 'featureGates' | 'configuration'>,
  { pending }: PodSelection,
): string[] {
  if (featureGates(given, configuration).GenericWorkload) return [];
  const count = pending.filter((pod) => podGroupNameOf(pod) !== '').length;
  if (count === 0) return [];
  const pods = count === 1 ? '1 pod' : `${whole(count)} pods`;
  return [`spec.schedulingGroup of ${pods} is ignored (--feature-gates GenericWorkload=true,GangScheduling=true)`];
}
