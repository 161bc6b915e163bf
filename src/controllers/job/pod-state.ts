import { JOB_TRACKING_FINALIZER } from '../../api/job.ts';
import type { Pod, PodCondition } from '../../api/pod.ts';
import { isPodFinished } from '../../api/pod-conditions.ts';

/** The Job controller's predicates on single pods. */

export function isActive(pod: Pod): boolean {
  return pod.metadata?.deletionTimestamp === undefined && !isPodFinished(pod);
}

export function isTerminating(pod: Pod): boolean {
  return pod.metadata?.deletionTimestamp !== undefined && !isPodFinished(pod);
}

export function readyConditionOf(pod: Pod): PodCondition | undefined {
  return pod.status?.conditions?.find(({ type }) => type === 'Ready');
}

/** Whether the pod still has to be counted, or given up. */
export function isTracked(pod: Pod): boolean {
  return pod.metadata?.finalizers?.includes(JOB_TRACKING_FINALIZER) ?? false;
}

/** `onlyFailed`: a pod that is being deleted has not failed before its phase says so. */
export function hasFailed(pod: Pod, onlyFailed: boolean): boolean {
  const phase = pod.status?.phase;
  if (phase === 'Failed') return true;
  return !onlyFailed && pod.metadata?.deletionTimestamp !== undefined && phase !== 'Succeeded';
}

export function uidOf(pod: Pod): string {
  return pod.metadata?.uid ?? '';
}

export function nameOf(pod: Pod): string {
  return pod.metadata?.name ?? '';
}
