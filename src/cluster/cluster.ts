import { StoreEventRecorder } from '../client/events/store-event-recorder.ts';
import { Informers } from '../client/informer/informers.ts';
import type { ReportError } from '../client/report-error.ts';
import { GarbageCollector } from '../controllers/garbage-collector/garbage-collector.ts';
import type { JobController } from '../controllers/job/job-controller.ts';
import { newJobController } from '../controllers/job/new-job-controller.ts';
import { newPodGcController } from '../controllers/podgc/new-pod-gc-controller.ts';
import type { PodGcController } from '../controllers/podgc/pod-gc-controller.ts';
import { TtlAfterFinishedController } from '../controllers/ttl-after-finished/ttl-controller.ts';
import { CodedError } from '../lib/errors.ts';
import { type EventLoop, VirtualEventLoop } from '../lib/event-loop.ts';
import { Prng } from '../lib/prng.ts';
import { coreEvents, storeApi } from '../scheduler/store-api.ts';
import { StoreScheduler, type StoreSchedulerOptions } from '../scheduler/store-scheduler.ts';
import { RandomNames } from '../store/names.ts';
import { Store } from '../store/store.ts';
import type { StoreClient } from '../store/store-client.ts';
import { EventLog } from './event-log.ts';

export interface ClusterOptions {
  /** Draws uids, names and jitter; a safe integer >= 0, absent: 1. One seed, one run. */
  readonly seed?: number;
  /** Absent: a virtual one, on which time passes only while the cluster is run. */
  readonly loop?: EventLoop;
  /** How many writes to each kind of object a watch may fall behind. */
  readonly historyLimit?: number;
  /** How many Jobs may be in work at a time; absent: 5. */
  readonly jobWorkers?: number;
  /** How many terminated pods may stay; 0 or less: all; absent: 12,500. */
  readonly terminatedPodThreshold?: number;
  /**
   * Schedules pods to the nodes of the cluster, as kube-scheduler does: its options, or `{}` for the defaults. Absent:
   * nobody does.
   */
  readonly scheduler?: StoreSchedulerOptions;
  /** What controllers and informers talk to instead of the store itself: it may refuse, delay or count. */
  readonly clientOf?: (store: Store) => StoreClient;
  /** Is given every line of the log. */
  readonly onLogLine?: (line: string) => void;
  /** Is told, after the log, of errors that stopped nothing: what failed is tried again, or given up. */
  readonly onError?: ReportError;
}

/** Somebody asked a cluster for something that it cannot do. */
export class ClusterError extends CodedError<'RealTime'> {}

/**
 * A control plane in one process: the API on one clock and one seed, the controllers that run Jobs and clean up, and a
 * scheduler if one is wanted. Nothing here runs pods; a `PodRunner` on the same cluster does.
 *
 * ```
 *                    ┌──────────────── event loop: one task after the other ────────────────┐
 *   you ──────────▶ store ── watches ─▶ informers ─▶ handlers ─▶ queues ─▶ workers ─▶ syncs │
 *                    ▲ └──────── watches ─▶ log                                         │   │
 *                    └───────────────────────── writes ◀────────────────────────────────┘   │
 *                    └──────────────────────────────────────────────────────────────────────┘
 * ```
 */
export class Cluster {
  readonly loop: EventLoop;
  /** The truth: create, change and delete objects here. */
  readonly store: Store;
  /** What controllers see of it. */
  readonly client: StoreClient;
  readonly informers: Informers;
  readonly log: EventLog;
  readonly jobController: JobController;
  readonly podGcController: PodGcController;
  readonly garbageCollector: GarbageCollector;
  readonly ttlAfterFinishedController: TtlAfterFinishedController;
  /** undefined: pods are scheduled by somebody else, or not at all. */
  readonly scheduler: StoreScheduler | undefined;
  readonly reportError: ReportError;

  constructor(options: ClusterOptions = {}) {
    const { seed = 1, loop = new VirtualEventLoop(), historyLimit, jobWorkers, terminatedPodThreshold } = options;
    const seeds = new Prng(seed);
    const newPrng = (): Prng => new Prng(seeds.next());
    this.loop = loop;
    this.store = new Store({ clock: loop, names: new RandomNames(newPrng()) }, { historyLimit });
    this.client = options.clientOf?.(this.store) ?? this.store;
    this.log = new EventLog({ client: this.store, clock: loop, onLine: options.onLogLine });
    this.reportError = (error, activity) => {
      this.log.reported(error, activity);
      options.onError?.(error, activity);
    };
    const { client, reportError } = this;
    this.informers = new Informers(client, { loop, prng: newPrng(), reportError });
    const modules = { client, informers: this.informers, loop, reportError };
    const recorder = this.log.recording(
      new StoreEventRecorder('job-controller', { client, loop, prng: newPrng(), reportError }),
    );
    this.jobController = newJobController({
      ...modules,
      recorder,
      ...(jobWorkers !== undefined && { workers: jobWorkers }),
    });
    this.podGcController = newPodGcController({
      ...modules,
      ...(terminatedPodThreshold !== undefined && { terminatedPodThreshold }),
    });
    this.garbageCollector = new GarbageCollector(modules);
    this.ttlAfterFinishedController = new TtlAfterFinishedController(modules);
    if (options.scheduler !== undefined) {
      const events = new StoreEventRecorder('default-scheduler', { client, loop, prng: newPrng(), reportError });
      this.scheduler = new StoreScheduler(
        { ...modules, api: storeApi(client), recorder: coreEvents(this.log.recording(events)) },
        { seed: seed % 2 ** 32, ...options.scheduler },
      );
    }
  }

  /** Starts log, informers and controllers, which begin to work when their caches are filled. */
  start(): void {
    this.log.start();
    this.informers.start();
    for (const controller of this.#controllers) controller.start();
  }

  /** What is in work is finished; the store stays as it is. */
  stop(): void {
    for (const controller of this.#controllers) controller.stop();
    this.informers.stop();
    this.log.stop();
  }

  /** Lets so much virtual time pass. @throws ClusterError `RealTime` on a loop that is not virtual */
  runFor(millis: number): void {
    const { loop } = this;
    if (!(loop instanceof VirtualEventLoop)) {
      throw new ClusterError('RealTime', 'this cluster is on real time, which passes by itself');
    }
    loop.runUntil(loop.nowMillis() + millis);
  }

  /**
   * Lets virtual time pass until `isDone`, which is asked at every full second from now, or so much has passed. Returns
   * whether it is.
   *
   * @throws ClusterError `RealTime` on a loop that is not virtual
   */
  runUntil(isDone: () => boolean, limitMillis: number): boolean {
    const endMillis = this.loop.nowMillis() + limitMillis;
    while (!isDone()) {
      const leftMillis = endMillis - this.loop.nowMillis();
      if (leftMillis <= 0) return false;
      this.runFor(Math.min(CHECK_MILLIS, leftMillis));
    }
    return true;
  }

  get #controllers(): readonly Controller[] {
    const controllers = [this.jobController, this.podGcController, this.garbageCollector];
    const others = this.scheduler === undefined ? [] : [this.scheduler];
    return [...controllers, this.ttlAfterFinishedController, ...others];
  }
}

interface Controller {
  start(): void;
  stop(): void;
}

const CHECK_MILLIS = 1000;
