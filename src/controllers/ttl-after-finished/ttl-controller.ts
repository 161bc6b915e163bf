import type { Job } from '../../api/job.ts';
import { stateHandler } from '../../client/informer/event-handler.ts';
import type { Lister } from '../../client/informer/lister.ts';
import { objectKey, splitKey } from '../../client/object-key.ts';
import type { EventLoop } from '../../lib/event-loop.ts';
import { ifFound } from '../../store/objects/api-error.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';
import { type ControllerModules, QueuedController } from '../queued-controller.ts';
import { millisLeft, needsCleanup } from './time-left.ts';

/**
 * Deletes Jobs, and with them their pods, `ttlSecondsAfterFinished` after they ended.
 *
 * Upstream: pkg/controller/ttlafterfinished/ttlafterfinished_controller.go.
 */
export class TtlAfterFinishedController extends QueuedController {
  //   Job event ─▶ needs cleanup? ─▶ queue ─▶ time over? ─no─▶ queue, at that time
  //                                             │ yes
  //                                             ▼
  //                                           also in the API? ─no─▶ do as the API says
  //                                             │ yes
  //                                             ▼
  //                                           delete this very Job in the foreground

  readonly #client: StoreClient;
  readonly #jobs: Lister<Job>;
  readonly #loop: EventLoop;

  constructor(modules: ControllerModules) {
    super(modules, 'ttl of job');
    this.#client = modules.client;
    this.#loop = modules.loop;
    const informer = modules.informers.of('jobs');
    this.#jobs = informer.lister;
    const enqueue = (job: Job): void => {
      if (needsCleanup(job)) this.queue.add(objectKey(job));
    };
    this.handle(informer, stateHandler(enqueue), 'ttl after finished');
  }

  protected override sync(key: string): void {
    const { namespace, name } = splitKey(key);
    const cached = this.#jobs.get(namespace, name);
    if (cached === undefined || !this.#isExpired(cached)) return;
    // The cache may be stale: the time to live may have been raised, or the name may belong to another Job.
    const job = ifFound(() => this.#client.get('jobs', namespace, name));
    if (job === undefined || !this.#isExpired(job)) return;
    const preconditions = { uid: job.metadata?.uid };
    this.#client.delete('jobs', namespace, name, { propagationPolicy: 'Foreground', preconditions });
  }

  /** Whether the Job's time to live is over. If not, the Job is queued again for that time. */
  #isExpired(job: Job): boolean {
    if (!needsCleanup(job)) return false;
    const delayMillis = millisLeft(job, this.#loop.nowMillis());
    if (delayMillis > 0) this.queue.addAfter(objectKey(job), delayMillis);
    return delayMillis <= 0;
  }
}
