import type { Pod } from '../../api/pod.ts';
import type { UidExpectations } from '../../client/uid-expectations.ts';
import { isApiError } from '../../store/objects/api-error.ts';
import { removedFinalizer } from './claim-pods.ts';
import type { JobSync } from './job-sync.ts';
import type { JobWrites } from './job-writes.ts';
import { uidOf } from './pod-state.ts';

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
