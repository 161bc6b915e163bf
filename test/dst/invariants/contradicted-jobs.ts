import { COMPLETION_INDEX_KEY, isIndexedJob, type Job } from '../../../src/api/job.ts';
import type { Pod } from '../../../src/api/pod.ts';
import { isTracked } from '../mirror.ts';
import { indexesOf } from './job-accounting.ts';

/** What the API says of a Job's status that names an index twice. */
export const CONTRADICTION = 'failedIndexes and completedIndexes overlap';

/**
 * Whether a pod of the Job succeeded although its index had failed because the pod was on its way out, and still has
 * its finalizer. Upstream's calculateSucceededIndexes looks neither at failedIndexes nor at the pods that are counted
 * as failed: each sync names the index in both lists, the API refuses that, and the finalizer stays. Only the deletion
 * of the Job ends it.
 */
export function isContradicted(job: Job, pods: readonly Pod[]): boolean {
  if (!isIndexedJob(job)) return false;
  const failed = new Set(indexesOf(job.status?.failedIndexes ?? ''));
  return pods.some((pod) => {
    const index = Number(pod.metadata?.annotations?.[COMPLETION_INDEX_KEY]);
    return pod.status?.phase === 'Succeeded' && isTracked(pod) && failed.has(index);
  });
}
