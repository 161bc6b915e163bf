import { JobController } from '../../../src/controllers/job/job-controller.ts';
import type { OrphanKey } from '../../../src/controllers/job/orphan-pods.ts';
import { FakeClock } from '../../../src/lib/clock.ts';
import { START_MILLIS } from './control-case.ts';
import { JobApiStub } from './job-api-stub.ts';
import { JobCaches } from './job-caches.ts';
import { ApiCalls } from './job-calls.ts';
import type { JobCase, Observation } from './job-case.ts';
import { hasDeleteTie, rankedPods } from './job-delete-tie.ts';
import { observedError } from './job-errors.ts';
import { JobEvents } from './job-events.ts';
import { observedMemory, observedPods, shownAt } from './job-observation.ts';
import { JobWorld } from './job-world.ts';
import { LateLoop } from './late-loop.ts';
import { foldedCalls, type QueueCall, RecordingQueue } from './recording-queue.ts';

/** The number of syncs of a case whose created pods are shown in full. */
const DETAILED_SYNCS = 2;

interface Running {
  readonly controller: JobController;
  readonly queue: RecordingQueue<string>;
  readonly orphanQueue: RecordingQueue<OrphanKey>;
}

/** The controller with all that stands around it, and what is observed of it. */
export class JobRig {
  readonly jobName: string;
  readonly loop = new LateLoop(START_MILLIS);
  /** Kubernetes times expectations by the wall clock, which stands still here. */
  readonly expectationsClock = new FakeClock();
  readonly caches = new JobCaches();
  readonly api: JobApiStub;
  readonly world: JobWorld;
  readonly #events = new JobEvents();
  readonly #checksStaleness: boolean;
  #running: Running;
  #queueCalls: QueueCall[] = [];
  #syncs = 0;

  constructor({ config, submitted }: JobCase) {
    this.jobName = submitted.metadata?.name ?? '';
    this.api = new JobApiStub(this.loop, config.statusValidation, (news) => this.caches.add(news));
    this.world = new JobWorld(this.api, this.loop, this.jobName);
    this.#checksStaleness = config.staleConsistency;
    this.#running = this.#start();
    this.caches.fill([], [], this.api.version);
  }

  /** Delivers pending watch events; what the handlers asked of the queues, and what is held back. */
  deliver(): Observation {
    this.#queueCalls = [];
    const { podHandler, jobHandler } = this.#running.controller;
    this.caches.deliver(podHandler, jobHandler);
    return this.#handled();
  }

  advance(seconds: number): void {
    this.loop.moveTo(this.loop.nowMillis() + seconds * 1000);
  }

  restart(): Observation {
    const { queue, orphanQueue } = this.#running;
    queue.shutDown();
    orphanQueue.shutDown();
    this.#running = this.#start();
    const pods = this.api.podNames().flatMap((name) => this.api.pods.get(name) ?? []);
    const jobs = [...this.api.jobs.keys()].toSorted().flatMap((name) => this.api.jobs.get(name) ?? []);
    this.caches.fill(pods, jobs, this.api.version);
    this.#queueCalls = [];
    const { podHandler, jobHandler } = this.#running.controller;
    for (const job of jobs) jobHandler.onAdd(job, true);
    for (const pod of pods) podHandler.onAdd(pod, true);
    return this.#handled();
  }

  /** Syncs the case's Job whatever the queue says. */
  syncNow(expected: Observation): Observation {
    this.#running.queue.putFirst(this.#jobKey);
    return this.#sync(expected);
  }

  /** One turn of the worker of orphans; undefined when nothing is ready. */
  syncOrphans(): Observation | undefined {
    return this.#running.orphanQueue.length === 0 ? undefined : this.#releaseOrphans();
  }

  /** One turn of a worker, at the next time at which there is work; undefined when that is after the end. */
  workUntil(endMillis: number, expected: Observation | undefined): Observation | undefined {
    const { queue, orphanQueue } = this.#running;
    for (;;) {
      this.loop.runDue();
      if (queue.length > 0) return { ...this.#sync(expected), kind: 'sync' };
      if (orphanQueue.length > 0) return this.#releaseOrphans();
      const nextMillis = Math.min(queue.nextDueMillis() ?? Infinity, orphanQueue.nextDueMillis() ?? Infinity);
      this.loop.moveTo(Math.min(nextMillis, endMillis));
      if (nextMillis > endMillis) return undefined;
    }
  }

  nextSyncMillis(): number | undefined {
    return this.#running.queue.nextDueMillis();
  }

  get #jobKey(): string {
    return `default/${this.jobName}`;
  }

  #start(): Running {
    const { loop, api, caches } = this;
    const record = (call: QueueCall) => this.#queueCalls.push(call);
    const queue = new RecordingQueue<string>('job', loop, record);
    const orphanQueue = new RecordingQueue<OrphanKey>('orphan', loop, record);
    const controller = new JobController({
      ...{ api, loop, queue, orphanQueue },
      jobs: caches.jobLister,
      pods: caches.podLister,
      cacheVersions: this.#checksStaleness ? caches : undefined,
      hasSynced: () => true,
      recorder: this.#events,
      reportError: () => {},
      expectationsClock: this.expectationsClock,
    });
    return { controller, queue, orphanQueue };
  }

  #sync(expected: Observation | undefined): Observation {
    const { controller, queue } = this.#running;
    const isDetailed = this.#syncs++ < DETAILED_SYNCS;
    return this.#observe(queue, isDetailed, (key) => {
      const ranked = rankedPods(this.caches, key);
      const error = thrownBy(() => controller.syncJob(key));
      return {
        ...(key !== this.#jobKey && { key }),
        ...observedError(error, expected?.['error']),
        ...(hasDeleteTie(ranked, this.api.calls) && { deleteTie: true }),
      };
    });
  }

  #releaseOrphans(): Observation {
    const { controller, orphanQueue } = this.#running;
    return this.#observe(orphanQueue, false, (key) => {
      const error = thrownBy(() => controller.releaseOrphans(key));
      return { key, kind: 'orphan', ...(error !== undefined && observedError(error, undefined)) };
    });
  }

  /** One turn of a worker: what `sync` shows, what the controller called, and what the news of it led to. */
  #observe<K extends string>(
    queue: RecordingQueue<K>,
    isDetailed: boolean,
    sync: (key: K) => Observation,
  ): Observation {
    this.api.calls = new ApiCalls();
    this.#queueCalls = [];
    let shown: Observation = {};
    queue.work((key) => {
      shown = sync(key);
      return shown['error'] ?? undefined;
    });
    const requeue = foldedCalls(this.#queueCalls);
    return {
      at: shownAt(this.loop.nowMillis()),
      ...shown,
      ...(requeue.length > 0 && { requeue }),
      ...this.api.calls.observed(isDetailed),
      ...this.#events.take(),
      ...this.deliver(),
      ...observedPods(this.api),
      ...('kind' in shown ? {} : observedMemory(this.#running.controller.memory, this.#jobKey)),
    };
  }

  #handled(): Observation {
    const wakeups = foldedCalls(this.#queueCalls);
    const { undelivered } = this.caches;
    return { ...(wakeups.length > 0 && { wakeups }), ...(undelivered > 0 && { undelivered }) };
  }
}

function thrownBy(run: () => void): unknown {
  try {
    run();
    return undefined;
  } catch (error) {
    return error;
  }
}
