import { COMPLETION_INDEX_KEY, JOB_TRACKING_FINALIZER } from '../../api/job.ts';
import type { Pod, PodCondition } from '../../api/pod.ts';
import { isPodFinished, isPodReady } from '../../api/pod-conditions.ts';

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

/** The index of a pod that has none, or an invalid one. */
export const NO_INDEX = -1;

/** The Job's index that the pod is to complete. */
export function completionIndexOf(pod: Pod): number {
  const text = pod.metadata?.annotations?.[COMPLETION_INDEX_KEY];
  if (text === undefined || !/^[+-]?\d{1,15}$/.test(text)) return NO_INDEX;
  const index = Number(text);
  return index < 0 ? NO_INDEX : index;
}

/** The pod's index if it is below the number of completions; otherwise NO_INDEX. */
export function validIndexOf(pod: Pod, completions: number): number {
  const index = completionIndexOf(pod);
  return index < completions ? index : NO_INDEX;
}

/** The indexes of these pods, of any size. */
export function indexesOf(pods: readonly Pod[]): Set<number> {
  const indexes = new Set<number>();
  for (const pod of pods) {
    const index = completionIndexOf(pod);
    if (index !== NO_INDEX) indexes.add(index);
  }
  return indexes;
}

/** The facts of a pod that every sync needs, as bits. */
export const ACTIVE = 1;
export const READY = 2;
export const TERMINATING = 4;
export const TRACKED = 8;

/** The facts of the pods of a list, in its order. */
export interface PodFacts {
  readonly pods: readonly Pod[];
  readonly bits: readonly number[];
}

/**
 * The facts of the pods of a list. If the previous list has the same object at the same place, its facts are reused:
 * few pods change between two syncs of a Job, and comparing references costs less than reading every pod again.
 */
export function factsOf(pods: readonly Pod[], before?: PodFacts): PodFacts {
  if (before?.pods === pods) return before;
  const bits: number[] = [];
  for (let i = 0; i < pods.length; i++) {
    const pod = pods[i] as Pod;
    bits.push(before?.pods[i] === pod ? (before.bits[i] as number) : bitsOf(pod));
  }
  return { pods, bits };
}

function bitsOf(pod: Pod): number {
  return (
    (isActive(pod) ? ACTIVE : 0) |
    (isPodReady(pod) ? READY : 0) |
    (isTerminating(pod) ? TERMINATING : 0) |
    (isTracked(pod) ? TRACKED : 0)
  );
}
