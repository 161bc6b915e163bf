import type { Informers } from '../../../src/client/informer/informers.ts';
import { splitKey } from '../../../src/client/object-key.ts';
import { controllerOf, uidOf } from '../mirror.ts';
import type { Violated } from '../violation.ts';

const DELETED = /recorded Normal SuccessfulDelete of Job (\S+): "Deleted pod: (\S+)"$/;

/**
 * After a step: the pods that a Job's controller says it deleted were the Job's, as far as it could know: its caches
 * have received no event since it decided.
 */
export function checkOwnPods(lines: readonly string[], caches: Informers, violated: Violated): void {
  for (const line of lines) {
    const [, key = '', podName = ''] = DELETED.exec(line) ?? [];
    if (key === '') continue;
    const { namespace, name } = splitKey(key);
    const job = caches.of('jobs').lister.get(namespace, name);
    const pod = caches.of('pods').lister.get(namespace, podName);
    const owner = pod && controllerOf(pod);
    if (job !== undefined && owner?.kind === 'Job' && owner.uid === uidOf(job)) continue;
    violated('a controller deletes its own pods', `Job ${key} deleted pod ${podName} of ${owner?.kind} ${owner?.name}`);
  }
}
