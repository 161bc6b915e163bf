import type { Pod } from '../../api/pod.ts';
import type { Expectations } from '../../client/expectations.ts';
import { type BatchOutcome, slowStartBatch } from '../slow-start-batch.ts';
import type { JobSync } from './job-sync.ts';
import type { JobWrites } from './job-writes.ts';
import { NewPods } from './new-pods.ts';

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
