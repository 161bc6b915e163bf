import type { Job } from '../../api/job.ts';
import type { Informers } from '../../client/informer/informers.ts';
import type { Lister } from '../../client/informer/lister.ts';
import { whenSynced } from '../../client/informer/when-synced.ts';
import { objectKey, splitKey } from '../../client/object-key.ts';
import { RateLimitedWorkQueue } from '../../client/queue/rate-limited-work-queue.ts';
import { defaultControllerRateLimiter } from '../../client/queue/rate-limiter.ts';
import type { ReportError } from '../../client/report-error.ts';
import { WorkerPool } from '../../client/worker-pool.ts';
import type { EventLoop, Timer } from '../../lib/event-loop.ts';
import { isApiError } from '../../store/objects/api-error.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';
import { millisLeft, needsCleanup } from './time-left.ts';

export interface TtlAfterFinishedOptions {
  readonly client: StoreClient;
  readonly informers: Informers;
  readonly loop: EventLoop;
  readonly reportError: ReportError;
  readonly workers?: number;
  /** How long a sync occupies its worker; absent: no time. */
  readonly busyMillis?: (() => number) | undefined;
}

/**
 * Deletes Jobs, and with them their pods, `ttlSecondsAfterFinished` after they ended.
 *
 * ```
 *   Job event ─▶ needs cleanup? ─▶ queue ─▶ time over? ─no─▶ queue, at that time
 *                                             │ yes
 *                                             ▼
 *                                           also in the API? ─no─▶ do as the API says
 *                                             │ yes
 *                                             ▼
 *                                           delete this very Job in the foreground
 * ```
 *
 * Upstream: pkg/controller/ttlafterfinished/ttlafterfinished_controller.go.
 */
export class TtlAfterFinishedController {
  readonly #client: StoreClient;
  readonly #jobs: Lister<Job>;
  readonly #hasSynced: () => boolean;
  readonly #loop: EventLoop;
  readonly #queue: RateLimitedWorkQueue<string>;
  readonly #pool: WorkerPool<string>;
  #start: Timer | undefined;

  constructor({ client, informers, loop, reportError, workers = 5, busyMillis }: TtlAfterFinishedOptions) {
    this.#client = client;
    this.#loop = loop;
    this.#queue = new RateLimitedWorkQueue(loop, defaultControllerRateLimiter(loop));
    const sync = (key: string): void => this.#processJob(key);
    this.#pool = new WorkerPool(
      { loop, queue: this.#queue, sync, reportError },
      { name: 'ttl of job', workers, busyMillis },
    );
    const informer = informers.of('jobs');
    this.#jobs = informer.lister;
    const enqueue = (job: Job): void => {
      if (needsCleanup(job)) this.#queue.add(objectKey(job));
    };
    const handler = { onAdd: enqueue, onUpdate: (_: Job, job: Job) => enqueue(job), onDelete: () => {} };
    const registration = informer.addHandler(handler, { name: 'ttl after finished' });
    this.#hasSynced = () => registration.hasSynced();
  }

  start(): void {
    this.#start = whenSynced(this.#loop, this.#hasSynced, () => this.#pool.start());
  }

  stop(): void {
    this.#start?.cancel();
    this.#pool.stop();
  }

  #processJob(key: string): void {
    const { namespace, name } = splitKey(key);
    const cached = this.#jobs.get(namespace, name);
    if (cached === undefined || !this.#isExpired(cached)) return;
    // The cache may be stale: the time to live may have been raised, or the name may belong to another Job.
    const job = this.#getJob(namespace, name);
    if (job === undefined || !this.#isExpired(job)) return;
    const preconditions = { uid: job.metadata?.uid };
    this.#client.delete('jobs', namespace, name, { propagationPolicy: 'Foreground', preconditions });
  }

  /** Whether the Job's time to live is over. If not, the Job is queued again for that time. */
  #isExpired(job: Job): boolean {
    if (!needsCleanup(job)) return false;
    const delayMillis = millisLeft(job, this.#loop.nowMillis());
    if (delayMillis > 0) this.#queue.addAfter(objectKey(job), delayMillis);
    return delayMillis <= 0;
  }

  #getJob(namespace: string, name: string): Job | undefined {
    try {
      return this.#client.get('jobs', namespace, name);
    } catch (error) {
      if (isApiError(error, 'NotFound')) return undefined;
      throw error;
    }
  }
}
