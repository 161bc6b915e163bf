import type { Pod } from '../../api/pod.ts';
import type { Expectations } from '../../client/expectations.ts';
import { isApiError } from '../../store/objects/api-error.ts';
import { removedFinalizer } from './claim-pods.ts';
import type { JobSync } from './job-sync.ts';
import type { JobWrites } from './job-writes.ts';
import { isReady, isTracked } from './pod-state.ts';

/** What became of pods that were to go. */
export class Deletion {
  /** On their way out, or gone already. */
  deleted = 0;
  /** Ready ones that are no longer counted, even where the deletion failed: so upstream has it. */
  unready = 0;
  /** The first error, if there was one. */
  error: unknown;

  /** Runs what deletes a pod, or prepares for it; false when it failed. */
  attempt(run: () => void): boolean {
    try {
      run();
      return true;
    } catch (error) {
      // A pod that is gone already is as good as deleted.
      if (isApiError(error, 'NotFound')) this.deleted++;
      else this.error ??= error;
      return false;
    }
  }

  delete(writes: JobWrites, sync: JobSync, pod: Pod): boolean {
    const isDone = this.attempt(() => writes.deletePod(sync.job, pod));
    if (isDone) this.deleted++;
    if (isReady(pod)) this.unready++;
    return isDone;
  }
}

/**
 * Deletes pods that are no longer wanted. They lose the finalizer first: they count neither as failed nor as succeeded.
 * A pod that keeps it is not deleted. Upstream: deleteJobPods.
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
    // No watch event will tell of it.
    if (!isDeleted) expectations.deletionObserved(sync.key);
  }
  return deletion;
}

/** Deletes the pods of a Job that ends. They keep the finalizer until they are counted. Upstream: deleteActivePods. */
export function deleteActivePods(writes: JobWrites, sync: JobSync): Deletion {
  const deletion = new Deletion();
  for (const pod of sync.activePods) deletion.delete(writes, sync, pod);
  return deletion;
}
