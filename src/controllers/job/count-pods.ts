import type { Pod } from '../../api/pod.ts';
import type { JobPlan } from './job-plan.ts';
import {
  ACTIVE,
  factsOf,
  hasFailed,
  NO_INDEX,
  type PodFacts,
  READY,
  TERMINATING,
  TRACKED,
  uidOf,
  validIndexOf,
} from './pod-state.ts';
import { judgeFailedPod } from './policies.ts';

const NOTHING: ReadonlySet<string> = new Set();

export interface PodCounts {
  readonly activePods: readonly Pod[];
  /** Pods that have finished, or are being deleted, and whose finalizer is not yet being removed. */
  readonly heldPods: readonly Pod[];
  readonly ready: number;
  readonly terminating: number;
  /** Pods that finished since the status was written; they still have their finalizer. */
  readonly newSucceeded: readonly Pod[];
  readonly newFailed: readonly Pod[];
}

/**
 * Counts a Job's pods. `awaitingRemoval`: uids of pods that were counted, although the cache still shows their
 * finalizer; `facts`: the facts of the pods, if the caller has them. Upstream: syncJob and getNewFinishedPods in
 * pkg/controller/job/job_controller.go.
 */
export function countPods(
  pods: readonly Pod[],
  plan: JobPlan,
  uncounted: { readonly succeeded: readonly string[]; readonly failed: readonly string[] },
  awaitingRemoval: ReadonlySet<string>,
  { bits }: PodFacts = factsOf(pods),
): PodCounts {
  const activePods: Pod[] = [];
  const heldPods: Pod[] = [];
  const newSucceeded: Pod[] = [];
  const newFailed: Pod[] = [];
  const uncountedSucceeded = asSet(uncounted.succeeded);
  const uncountedFailed = asSet(uncounted.failed);
  let ready = 0;
  let terminating = 0;
  for (let i = 0; i < pods.length; i++) {
    const pod = pods[i] as Pod;
    const facts = bits[i] as number;
    if (facts & ACTIVE) {
      activePods.push(pod);
      if (facts & READY) ready++;
      continue;
    }
    if (facts & TERMINATING) terminating++;
    if (!(facts & TRACKED)) continue;
    const uid = uidOf(pod);
    if (awaitingRemoval.has(uid)) continue;
    heldPods.push(pod);
    if (plan.indexes !== undefined && validIndexOf(pod, plan.indexes) === NO_INDEX) continue;
    if (pod.status?.phase === 'Succeeded') {
      if (!uncountedSucceeded.has(uid)) newSucceeded.push(pod);
    } else if (hasFailed(pod, plan.onlyFailed) && !uncountedFailed.has(uid)) newFailed.push(pod);
  }
  return { activePods, heldPods, ready, terminating, newSucceeded, newFailed };
}

/** How many of the failed pods count against the back-off limit. */
export function countNotIgnored(failedPods: readonly Pod[], plan: JobPlan): number {
  if (plan.podFailurePolicy === undefined) return failedPods.length;
  return failedPods.filter((pod) => judgeFailedPod(plan.podFailurePolicy, pod).counts).length;
}

function asSet(uids: readonly string[]): ReadonlySet<string> {
  return uids.length === 0 ? NOTHING : new Set(uids);
}
