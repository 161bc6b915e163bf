import type { Pod } from '../../api/pod.ts';
import { isPodReady } from '../../api/pod-conditions.ts';
import { isActive, isTerminating, isTracked } from './pod-state.ts';

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
