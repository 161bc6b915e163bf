import type { Pod } from '../../api/pod.ts';
import { isActive, isReady, isTerminating, isTracked } from './pod-state.ts';

/** What every sync asks of each of its Job's pods, as bits. */
export const ACTIVE = 1;
export const READY = 2;
export const TERMINATING = 4;
export const TRACKED = 8;

/** What is known of the pods of a list, in their order. */
export interface PodFacts {
  readonly pods: readonly Pod[];
  readonly bits: readonly number[];
}

/**
 * Reads the pods of a list. Where the list before has the same object in the same place, what was read then is taken
 * over: between two syncs of a Job few of its pods change, and it costs less to compare references than to look at
 * every pod again.
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
    (isReady(pod) ? READY : 0) |
    (isTerminating(pod) ? TERMINATING : 0) |
    (isTracked(pod) ? TRACKED : 0)
  );
}
