import type { Pod } from '../../api/pod.ts';
import { finishMillisOf } from './back-off.ts';
import { failsIndex, totalFailuresBefore } from './index-failures.ts';
import { IndexIntervals } from './index-intervals.ts';
import type { JobPlan } from './job-plan.ts';
import type { JobSync, SyncIndexes } from './job-sync.ts';
import { hasFailed, indexesOf, isTerminating, isTracked, NO_INDEX, uidOf, validIndexOf } from './pod-state.ts';

/**
 * The succeeded and failed indexes, from the status and from pods that are not yet in it. Upstream:
 * calculateSucceededIndexes, calculateFailedIndexes and getPodsWithDelayedDeletionPerIndex in indexed_job_utils.go.
 */
export function findIndexes(
  plan: JobPlan,
  status: { readonly completedIndexes?: string | undefined; readonly failedIndexes?: string | undefined },
  pods: readonly Pod[],
  activePods: readonly Pod[],
  awaitingRemoval: ReadonlySet<string>,
): SyncIndexes {
  const completions = plan.indexes ?? 0;
  const succeededBefore = IndexIntervals.parse(status.completedIndexes, completions);
  const newSucceeded = new Set<number>();
  const newFailed = new Set<number>();
  for (const pod of pods) {
    const isSucceeded = pod.status?.phase === 'Succeeded';
    const isFailed = !isSucceeded && plan.backoffLimitPerIndex !== undefined && hasFailed(pod, plan.onlyFailed);
    if (!(isSucceeded || isFailed) || !isTracked(pod)) continue;
    const index = validIndexOf(pod, completions);
    if (index === NO_INDEX) continue;
    if (isSucceeded) newSucceeded.add(index);
    else if (failsIndex(pod, plan)) newFailed.add(index);
  }
  const succeeded = succeededBefore.union(IndexIntervals.of(newSucceeded));
  if (plan.backoffLimitPerIndex === undefined) {
    return { succeededBefore, succeeded, failed: undefined, awaitingReplacement: NONE_AWAITING };
  }
  const failed = IndexIntervals.parse(status.failedIndexes, completions).union(IndexIntervals.of(newFailed));
  const active = indexesOf(activePods);
  // An index that is done, or has its next pod, needs no replacement.
  const isResolved = (index: number): boolean => succeeded.has(index) || failed.has(index) || active.has(index);
  const awaitingReplacement = lastFailedPods(plan, pods, awaitingRemoval, isResolved);
  return { succeededBefore, succeeded, failed, awaitingReplacement };
}

const NONE_AWAITING: ReadonlyMap<number, Pod> = new Map();

/** For each index that needs a replacement pod, the uncounted failed pod that failed last. */
function lastFailedPods(
  plan: JobPlan,
  pods: readonly Pod[],
  awaitingRemoval: ReadonlySet<string>,
  isResolved: (index: number) => boolean,
): ReadonlyMap<number, Pod> {
  const lastByIndex = new Map<number, Pod>();
  for (const pod of pods) {
    if (!hasFailed(pod, plan.onlyFailed) || !isTracked(pod) || awaitingRemoval.has(uidOf(pod))) continue;
    const index = validIndexOf(pod, plan.indexes ?? 0);
    if (index === NO_INDEX || isResolved(index)) continue;
    const last = lastByIndex.get(index);
    if (last === undefined || isLater(pod, last)) lastByIndex.set(index, pod);
  }
  return lastByIndex;
}

function isLater(pod: Pod, last: Pod): boolean {
  return totalFailuresBefore(pod) >= totalFailuresBefore(last) && finishMillisOf(pod) >= finishMillisOf(last);
}

/** The first `count` indexes that need a pod. Upstream: firstPendingIndexes. */
export function firstPendingIndexes(sync: JobSync, indexes: SyncIndexes, count: number): number[] {
  const { plan, pods, activePods } = sync;
  let taken = indexes.succeeded.union(IndexIntervals.of(indexesOf(activePods)));
  if (plan.onlyFailed) taken = taken.union(IndexIntervals.of(indexesOf(pods.filter(isTerminating))));
  if (indexes.failed !== undefined) taken = taken.union(indexes.failed);
  return taken.firstMissing(count, plan.indexes ?? 0);
}
