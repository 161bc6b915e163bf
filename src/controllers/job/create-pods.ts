import type { Pod } from '../../api/pod.ts';
import type { Expectations } from '../../client/expectations.ts';
import { hasCause } from '../../store/objects/api-error.ts';
import type { JobSync } from './job-sync.ts';
import { type JobWrites, NAMESPACE_TERMINATING } from './job-writes.ts';
import { NewPods } from './new-pods.ts';

export interface Creation {
  readonly created: number;
  /** The number of creations that were refused. */
  readonly failed: number;
  /** The number of creations that were not tried, because others were refused. */
  readonly skipped: number;
  /** The first error, if there was one. */
  readonly error: unknown;
}

/**
 * Creates pods in batches of 1, 2, 4, ...: if one creation is refused, all would be, so the first batch with an error
 * is the last. Creations that are refused or not tried are removed from the expectations. Upstream: the end of
 * manageJob.
 *
 * `indexes`: the indexes of the pods; undefined for pods without.
 */
export function createPods(
  writes: JobWrites,
  expectations: Expectations,
  sync: JobSync,
  count: number,
  indexes: readonly number[] | undefined,
): Creation {
  expectations.expectCreations(sync.key, count);
  const newPods = new NewPods(sync.job, sync.plan);
  const awaitingReplacement = sync.indexes?.awaitingReplacement;
  const podAt = (position: number): Pod => {
    const index = indexes?.[position];
    return index === undefined ? newPods.withoutIndex() : newPods.withIndex(index, awaitingReplacement?.get(index));
  };
  let tried = 0;
  let created = 0;
  let failed = 0;
  let error: unknown;
  for (let batchSize = 1; tried < count && failed === 0; batchSize *= 2) {
    for (const end = Math.min(tried + batchSize, count); tried < end; tried++) {
      try {
        writes.createPod(sync.job, podAt(tried));
        created++;
      } catch (caught) {
        // The namespace is being deleted, and takes everything in it along, so there is nothing to stop or to retry.
        if (hasCause(caught, NAMESPACE_TERMINATING)) continue;
        failed++;
        error ??= caught;
      }
    }
  }
  const skipped = count - tried;
  expectations.lower(sync.key, failed + skipped, 0);
  return { created, failed, skipped, error };
}
