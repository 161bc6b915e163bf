import type { Pod } from '../../api/pod.ts';
import { indexesOf, NO_INDEX, validIndexOf } from './completion-index.ts';
import { finishMillisOf } from './finish-time.ts';
import { failsIndex, totalFailuresBefore } from './index-failures.ts';
import { IndexIntervals } from './index-intervals.ts';
import type { JobPlan } from './job-plan.ts';
import type { JobSync, SyncIndexes } from './job-sync.ts';
import { hasFailed, isTerminating, isTracked, uidOf } from './pod-state.ts';

/**
 * Which indexes have succeeded and failed, by the status and by pods that it does not tell of yet. Upstream:
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
  const isSettled = settledIndexes(activePods, succeeded, failed);
  const awaitingReplacement = lastFailedPods(plan, pods, awaitingRemoval, isSettled);
  return { succeededBefore, succeeded, failed, awaitingReplacement };
}

const NONE_AWAITING: ReadonlyMap<number, Pod> = new Map();

/** Nothing of their failed pods is needed any more: the index is done, or its next pod is there. */
function settledIndexes(
  activePods: readonly Pod[],
  succeeded: IndexIntervals,
  failed: IndexIntervals,
): (index: number) => boolean {
  const active = indexesOf(activePods);
  return (index) => succeeded.has(index) || failed.has(index) || active.has(index);
}

/** By index that is not settled the failed pod, not counted yet, that failed last. */
function lastFailedPods(
  plan: JobPlan,
  pods: readonly Pod[],
  awaitingRemoval: ReadonlySet<string>,
  isSettled: (index: number) => boolean,
): ReadonlyMap<number, Pod> {
  const lastByIndex = new Map<number, Pod>();
  for (const pod of pods) {
    if (!hasFailed(pod, plan.onlyFailed) || !isTracked(pod) || awaitingRemoval.has(uidOf(pod))) continue;
    const index = validIndexOf(pod, plan.indexes ?? 0);
    if (index === NO_INDEX || isSettled(index)) continue;
    const last = lastByIndex.get(index);
    if (last === undefined || isLater(pod, last)) lastByIndex.set(index, pod);
  }
  return lastByIndex;
}

function isLater(pod: Pod, last: Pod): boolean {
  return totalFailuresBefore(pod) >= totalFailuresBefore(last) && finishMillisOf(pod) >= finishMillisOf(last);
}

/**
 * The first `count` indexes that need a pod. Upstream: firstPendingIndexes.
 */
export function firstPendingIndexes(sync: JobSync, indexes: SyncIndexes, count: number): number[] {
  const { plan, pods, activePods } = sync;
  let taken = indexes.succeeded.union(IndexIntervals.of(indexesOf(activePods)));
  if (plan.onlyFailed) taken = taken.union(IndexIntervals.of(indexesOf(pods.filter(isTerminating))));
  if (indexes.failed !== undefined) taken = taken.union(indexes.failed);
  return taken.firstMissing(count, plan.indexes ?? 0);
}
