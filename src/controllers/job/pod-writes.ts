import type { Pod } from '../../api/pod.ts';
import { isPodReady } from '../../api/pod-conditions.ts';
import type { Expectations, UidExpectations } from '../../client/expectations.ts';
import { isApiError } from '../../store/objects/api-error.ts';
import { type BatchOutcome, slowStartBatch } from '../pod-creation.ts';
import { removedFinalizer } from './claim-pods.ts';
import type { JobSync } from './job-sync.ts';
import type { JobWrites } from './job-writes.ts';
import { NewPods } from './new-pods.ts';
import { isTracked, uidOf } from './pod-state.ts';

/**
 * Creates pods in batches. Creations that are refused or not tried are removed from the expectations. Upstream: the end
 * of manageJob.
 *
 * `indexes`: the indexes of the pods; undefined for pods without.
 */
export function createPods(
  writes: JobWrites,
  expectations: Expectations,
  sync: JobSync,
  count: number,
  indexes: readonly number[] | undefined,
): BatchOutcome {
  expectations.expectCreations(sync.key, count);
  const newPods = new NewPods(sync.job, sync.plan);
  const awaitingReplacement = sync.indexes?.awaitingReplacement;
  const podAt = (position: number): Pod => {
    const index = indexes?.[position];
    return index === undefined ? newPods.withoutIndex() : newPods.withIndex(index, awaitingReplacement?.get(index));
  };
  const outcome = slowStartBatch(count, (position) => writes.createPod(sync.job, podAt(position)));
  expectations.lower(sync.key, outcome.failed + outcome.skipped, 0);
  return outcome;
}

/** The result of deleting pods. */
export class Deletion {
  /** The number of pods that are being deleted, or were gone already. */
  deleted = 0;
  /** The number of ready pods that no longer count as ready, even if their deletion failed, as upstream. */
  unready = 0;
  /** The first error, if there was one. */
  error: unknown;

  /** Runs a deletion, or its preparation. Returns false when it failed. */
  attempt(run: () => void): boolean {
    try {
      run();
      return true;
    } catch (error) {
      // A pod that is gone already counts as deleted.
      if (isApiError(error, 'NotFound')) this.deleted++;
      else this.error ??= error;
      return false;
    }
  }

  delete(writes: JobWrites, sync: JobSync, pod: Pod): boolean {
    const isDone = this.attempt(() => writes.deletePod(sync.job, pod));
    if (isDone) this.deleted++;
    if (isPodReady(pod)) this.unready++;
    return isDone;
  }
}

/**
 * Deletes pods that are no longer wanted. Their finalizer is removed first, so that they count neither as failed nor as
 * succeeded; a pod whose finalizer cannot be removed is not deleted. Upstream: deleteJobPods.
 */
export function deleteUnwantedPods(
  writes: JobWrites,
  expectations: Expectations,
  sync: JobSync,
  pods: readonly Pod[],
): Deletion {
  expectations.expectDeletions(sync.key, pods.length);
  const deletion = new Deletion();
  for (const pod of pods) {
    const isUntracked = !isTracked(pod) || deletion.attempt(() => writes.patchPod(sync.job, pod, removedFinalizer));
    const isDeleted = isUntracked && deletion.delete(writes, sync, pod);
    // No watch event will report this deletion.
    if (!isDeleted) expectations.deletionObserved(sync.key);
  }
  return deletion;
}

/**
 * Deletes the active pods of a Job that ends. They keep the finalizer until they are counted. Upstream:
 * deleteActivePods.
 */
export function deleteActivePods(writes: JobWrites, sync: JobSync): Deletion {
  const deletion = new Deletion();
  for (const pod of sync.activePods) deletion.delete(writes, sync, pod);
  return deletion;
}

export interface Removal {
  /** Uids of pods that have no finalizer any more. */
  readonly removed: ReadonlySet<string>;
  /** The first error, if there was one. */
  readonly error: unknown;
}

/**
 * Removes the tracking finalizer from pods that the status has recorded. Until the cache shows this, the pods are
 * treated as if it did. Upstream: removeTrackingFinalizerFromPods.
 */
export function removeFinalizers(
  writes: JobWrites,
  finalizerRemovals: UidExpectations,
  sync: JobSync,
  pods: readonly Pod[],
): Removal {
  const removed = new Set<string>();
  let firstError: unknown;
  finalizerRemovals.expect(sync.key, pods.map(uidOf));
  for (const pod of pods) {
    try {
      writes.patchPod(sync.job, pod, removedFinalizer);
    } catch (error) {
      // No watch event will report this removal.
      finalizerRemovals.observed(sync.key, uidOf(pod));
      // A pod that is gone has no finalizer.
      if (!isApiError(error, 'NotFound')) {
        firstError ??= error;
        continue;
      }
    }
    removed.add(uidOf(pod));
  }
  return { removed, error: firstError };
}
