import type { Job } from '../../api/job.ts';
import type { Pod } from '../../api/pod.ts';
import type { EventRecorder } from '../../client/events/event-recorder.ts';
import type { EventHandler } from '../../client/informer/event-handler.ts';
import type { Lister } from '../../client/informer/lister.ts';
import type { HandlerRegistration } from '../../client/informer/shared-informer.ts';
import { ItemExponentialFailureRateLimiter } from '../../client/queue/rate-limiter.ts';
import { RateLimitedWorkQueue, type RateLimitingQueue } from '../../client/queue/work-queues.ts';
import type { ReportError } from '../../client/report-error.ts';
import { WorkerPool } from '../../client/worker-pool.ts';
import type { Clock } from '../../lib/clock.ts';
import type { EventLoop } from '../../lib/event-loop.ts';
import { type ControllerModules, type RecordingModules, SyncedPools } from '../queued-controller.ts';
import { JobHandler, PodHandler } from './event-handlers.ts';
import { JobMemory } from './job-memory.ts';
import { type JobApi, JobWrites, jobApi } from './job-writes.ts';
import { JobMetrics } from './metrics.ts';
import { type OrphanKey, type OrphanModules, releaseOrphans } from './orphan-pods.ts';
import { JOB_INDEXES, POD_INDEXES } from './pod-indexes.ts';
import { type SyncModules, syncJob } from './sync-job.ts';
import { type CacheVersions, WrittenVersions } from './written-versions.ts';

/** What a Job controller is made of. */
export interface JobControllerOptions {
  readonly api: JobApi;
  /** Jobs, with the index functions of `JOB_INDEXES`. */
  readonly jobs: Lister<Job>;
  /** Pods, with the index functions of `POD_INDEXES`. */
  readonly pods: Lister<Pod>;
  /** The versions of the caches; if undefined, no sync checks that they show this controller's last write. */
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
  /** @internal */
  readonly memory: JobMemory;
  readonly metrics = new JobMetrics();
  readonly #modules: SyncModules;
  readonly #orphanModules: OrphanModules;
  readonly #pools: SyncedPools;

  constructor(options: JobControllerOptions) {
    const { api, jobs, pods, recorder, loop, reportError, cacheVersions, busyMillis } = options;
    const { queue = newQueue(loop), orphanQueue = newQueue<OrphanKey>(loop) } = options;
    const { metrics } = this;
    const memory = new JobMemory(options.expectationsClock ?? loop);
    const writtenVersions = cacheVersions && new WrittenVersions(cacheVersions);
    const handling = { jobs, queue, orphanQueue, memory, metrics, clock: loop };
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
    const workers = new WorkerPool(
      { loop, queue, sync, reportError },
      { name: 'job', workers: options.workers ?? WORKERS, busyMillis },
    );
    const syncOrphans = (key: OrphanKey) => this.releaseOrphans(key);
    const orphanWorkers = new WorkerPool(
      { loop, queue: orphanQueue, sync: syncOrphans, reportError },
      { name: 'orphan pods', workers: 1, busyMillis },
    );
    this.#pools = new SyncedPools(loop, [options], [workers, orphanWorkers]);
  }

  /** Starts as soon as the caches have synced: before that, pods that are not seen yet would be created again. */
  start(): void {
    this.#pools.start();
  }

  stop(): void {
    this.#pools.stop();
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

/** The parts of a cluster that a Job controller uses. */
export type JobControllerModules = ControllerModules & RecordingModules;

/** A Job controller that uses the caches of these informers, and waits for them when it is started. */
export function newJobController({ client, informers, ...modules }: JobControllerModules): JobController {
  const jobs = informers.of('jobs');
  const pods = informers.of('pods');
  for (const [name, valuesOf] of Object.entries(JOB_INDEXES)) jobs.addIndex(name, valuesOf);
  for (const [name, valuesOf] of Object.entries(POD_INDEXES)) pods.addIndex(name, valuesOf);
  const registrations: HandlerRegistration[] = [];
  const controller = new JobController({
    ...modules,
    api: jobApi(client),
    jobs: jobs.lister,
    pods: pods.lister,
    hasSynced: () => registrations.every((registration) => registration.hasSynced()),
    cacheVersions: { jobs: () => jobs.lastSyncResourceVersion, pods: () => pods.lastSyncResourceVersion },
  });
  registrations.push(jobs.addHandler(controller.jobHandler, { name: 'job controller, jobs' }));
  registrations.push(pods.addHandler(controller.podHandler, { name: 'job controller, pods' }));
  return controller;
}
