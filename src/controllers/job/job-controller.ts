import type { Job } from '../../api/job.ts';
import type { Pod } from '../../api/pod.ts';
import type { EventRecorder } from '../../client/events/event-recorder.ts';
import type { EventHandler } from '../../client/informer/event-handler.ts';
import type { Lister } from '../../client/informer/lister.ts';
import { whenSynced } from '../../client/informer/when-synced.ts';
import type { RateLimitingQueue } from '../../client/queue/queues.ts';
import { RateLimitedWorkQueue } from '../../client/queue/rate-limited-work-queue.ts';
import { ItemExponentialFailureRateLimiter } from '../../client/queue/rate-limiter.ts';
import type { ReportError } from '../../client/report-error.ts';
import { WorkerPool } from '../../client/worker-pool.ts';
import type { Clock } from '../../lib/clock.ts';
import type { EventLoop, Timer } from '../../lib/event-loop.ts';
import { JobHandler, PodHandler } from './event-handlers.ts';
import type { JobApi } from './job-api.ts';
import { JobMemory } from './job-memory.ts';
import { JobWrites } from './job-writes.ts';
import { JobMetrics } from './metrics.ts';
import { type OrphanKey, type OrphanModules, releaseOrphans } from './orphan-pods.ts';
import { type SyncModules, syncJob } from './sync-job.ts';
import { type CacheVersions, WrittenVersions } from './written-versions.ts';

export interface JobControllerOptions {
  readonly api: JobApi;
  /** Jobs, with the index functions of `JOB_INDEXES`. */
  readonly jobs: Lister<Job>;
  /** Pods, with the index functions of `POD_INDEXES`. */
  readonly pods: Lister<Pod>;
  /**
   * The versions of the caches; if undefined, a sync does not check whether the caches show this controller's last
   * write.
   */
  readonly cacheVersions: CacheVersions | undefined;
  /** Whether the two caches hold their first lists, and the handlers were notified of all of it. */
  readonly hasSynced: () => boolean;
  readonly recorder: EventRecorder;
  readonly loop: EventLoop;
  readonly reportError: ReportError;
  /** How many Jobs may be synced at a time. */
  readonly workers?: number;
  /** How long a sync occupies its worker; absent: no time. */
  readonly busyMillis?: (() => number) | undefined;
  readonly queue?: RateLimitingQueue<string>;
  readonly orphanQueue?: RateLimitingQueue<OrphanKey>;
  /** The clock by which expectations expire. */
  readonly expectationsClock?: Clock;
}

const WORKERS = 5;
const RETRY_BASE_MILLIS = 1000;
const RETRY_MAX_MILLIS = 60_000;

/**
 * Runs Jobs to completion. Upstream: pkg/controller/job/job_controller.go.
 *
 *   Job and pod events ──▶ handlers ──▶ queue ────────▶ workers ──▶ syncJob ──▶ pods, status
 *                             └───────▶ orphan queue ─▶ worker ───▶ releaseOrphans: finalizers that no sync will remove
 */
export class JobController {
  readonly jobHandler: EventHandler<Job>;
  readonly podHandler: EventHandler<Pod>;
  readonly memory: JobMemory;
  readonly metrics = new JobMetrics();
  readonly #loop: EventLoop;
  readonly #hasSynced: () => boolean;
  readonly #modules: SyncModules;
  readonly #orphanModules: OrphanModules;
  readonly #workers: WorkerPool<string>;
  readonly #orphanWorkers: WorkerPool<OrphanKey>;
  #starting: Timer | undefined;

  constructor(options: JobControllerOptions) {
    const { api, jobs, pods, recorder, loop, reportError, cacheVersions, busyMillis } = options;
    const { queue = newQueue(loop), orphanQueue = newQueue<OrphanKey>(loop) } = options;
    const { metrics } = this;
    const memory = new JobMemory(options.expectationsClock ?? loop);
    const writtenVersions = cacheVersions && new WrittenVersions(cacheVersions);
    const handling = { jobs, queue, orphanQueue, memory, metrics, clock: loop };
    this.#loop = loop;
    this.#hasSynced = options.hasSynced;
    this.memory = memory;
    this.jobHandler = new JobHandler(handling);
    this.podHandler = new PodHandler(handling);
    const writes = new JobWrites({ api, recorder, writtenVersions });
    this.#modules = {
      ...{ api, writes, jobs, pods, memory, metrics, writtenVersions, clock: loop },
      syncAfter: (key, delayMillis) => queue.addAfter(key, delayMillis),
    };
    this.#orphanModules = { api, jobs, pods, reportError };
    const sync = (key: string) => this.syncJob(key);
    this.#workers = new WorkerPool(
      { loop, queue, sync, reportError },
      { name: 'job', workers: options.workers ?? WORKERS, busyMillis },
    );
    const syncOrphans = (key: OrphanKey) => this.releaseOrphans(key);
    this.#orphanWorkers = new WorkerPool(
      { loop, queue: orphanQueue, sync: syncOrphans, reportError },
      { name: 'orphan pods', workers: 1, busyMillis },
    );
  }

  /** Starts as soon as the caches have synced: before that, pods that are not seen yet would be created again. */
  start(): void {
    this.#starting ??= whenSynced(this.#loop, this.#hasSynced, () => {
      this.#workers.start();
      this.#orphanWorkers.start();
    });
  }

  stop(): void {
    this.#starting?.cancel();
    this.#starting = undefined;
    this.#workers.stop();
    this.#orphanWorkers.stop();
  }

  /** Syncs one Job. @throws an error after which the sync is to be retried */
  syncJob(key: string): void {
    syncJob(this.#modules, key);
  }

  /** @throws an error after which the key is to be retried */
  releaseOrphans(key: OrphanKey): void {
    releaseOrphans(this.#orphanModules, key);
  }
}

function newQueue<K extends string>(loop: EventLoop): RateLimitingQueue<K> {
  return new RateLimitedWorkQueue<K>(loop, new ItemExponentialFailureRateLimiter(RETRY_BASE_MILLIS, RETRY_MAX_MILLIS));
}
