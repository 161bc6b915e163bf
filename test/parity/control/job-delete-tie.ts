import type { Job } from '../../../src/api/job.ts';
import type { Pod } from '../../../src/api/pod.ts';
import { splitKey } from '../../../src/client/object-key.ts';
import { controllerOf } from '../../../src/controllers/job/pod-indexes.ts';
import { completionIndexOf, isActive, nameOf } from '../../../src/controllers/job/pod-state.ts';
import { goesBefore } from '../../../src/controllers/job/rank-pods.ts';
import type { JobCaches } from './job-caches.ts';
import type { ApiCalls } from './job-calls.ts';

/** The pods among which a sync of the Job may choose some to delete, also if it adopts them first. */
export function rankedPods(caches: JobCaches, key: string): readonly Pod[] {
  const { namespace, name } = splitKey(key);
  const job = caches.jobLister.get(namespace, name);
  return caches.podLister.list().filter((pod) => isActive(pod) && mayBelongTo(pod, job));
}

function mayBelongTo(pod: Pod, job: Job | undefined): boolean {
  const controller = controllerOf(pod);
  return controller === undefined || controller.uid === job?.metadata?.uid;
}

/** Whether some pods were deleted and others not that were no better; of an indexed Job those of one index. */
export function hasDeleteTie(ranked: readonly Pod[], { deleted, adopted }: ApiCalls): boolean {
  const own = ranked.filter((pod) => controllerOf(pod) !== undefined || adopted.includes(nameOf(pod)));
  const chosen = own.filter((pod) => deleted.includes(nameOf(pod)));
  const left = own.filter((pod) => !deleted.includes(nameOf(pod)));
  return chosen.some((pod) => left.some((other) => isTie(pod, other)));
}

function isTie(a: Pod, b: Pod): boolean {
  return completionIndexOf(a) === completionIndexOf(b) && !goesBefore(a, b) && !goesBefore(b, a);
}
