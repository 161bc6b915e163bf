import { StoreEventRecorder } from '../client/events/store-event-recorder.ts';
import { Informers } from '../client/informer/informers.ts';
import type { ReportError } from '../client/report-error.ts';
import { type FeatureGates, featureGates } from '../config/feature-gates.ts';
import type { GarbageCollector } from '../controllers/garbage-collector/garbage-collector.ts';
import type { JobController } from '../controllers/job/job-controller.ts';
import type { PodGcController } from '../controllers/podgc/pod-gc-controller.ts';
import type { TtlAfterFinishedController } from '../controllers/ttl-after-finished/ttl-controller.ts';
import { NodeAgents, type NodeAgentsOptions } from '../kubelet/agents/node-agents.ts';
import { assert } from '../lib/assert.ts';
import { CodedError } from '../lib/errors.ts';
import { type EventLoop, VirtualEventLoop } from '../lib/event-loop.ts';
import { HttpPoster } from '../lib/http-poster.ts';
import { type Logger, NO_LOGGER } from '../lib/logger.ts';
import { Prng } from '../lib/prng.ts';
import { SchedulerShards, type ShardingOptions } from '../scheduler/shards/scheduler-shards.ts';
import { coreEvents, storeApi } from '../scheduler/store-api.ts';
import { StoreScheduler, type StoreSchedulerOptions } from '../scheduler/store-scheduler.ts';
import { RandomNames } from '../store/objects/names.ts';
import type { StoreClient } from '../store/objects/store-client.ts';
import { Store } from '../store/store.ts';
import { ControllerManager, type ControllerManagerOptions } from './controller-manager.ts';
import { EventLog } from './event-log.ts';

/** The options of a cluster; all of them have defaults. */
export interface ClusterOptions extends ControllerManagerOptions {
  /** The seed of uids, names and jitter; a safe integer >= 0, absent: 1. The same seed gives the same run. */
  readonly seed?: number;
  /** The event loop; absent: a virtual one, on which time passes only while the cluster is run. */
  readonly loop?: EventLoop;
  /** How many writes to each resource are kept, by which a watch may fall behind. */
  readonly historyLimit?: number;
  /**
   * Gives the controllers caches of their own, so that they can be restarted with empty ones (`restartControllers`).
   */
  readonly restartableControllers?: boolean | undefined;
  /** Gives every node a simulated agent that runs its pods; absent: pods are not run. */
  readonly nodeAgents?: NodeAgentsOptions | undefined;
  /**
   * The options of the scheduler that binds the cluster's pods as kube-scheduler does, `{}` for the defaults. Absent:
   * there is no scheduler.
   */
  readonly scheduler?: StoreSchedulerOptions;
  /** The feature gates of the API and the controllers; absent: those of the scheduler. */
  readonly featureGates?: Partial<FeatureGates> | undefined;
  /** The pods, by uid, that the scheduler does not try by itself; absent: none. @internal */
  readonly isHeld?: ((uid: string) => boolean) | undefined;
  /** Lets so many schedulers with the same options share the pods, or the nodes too. Absent: there is one. */
  readonly sharding?: ShardingOptions | undefined;
  /**
   * Returns the client that controllers and informers use instead of the store itself; it may refuse, delay or count
   * calls.
   */
  readonly clientOf?: (store: Store) => StoreClient;
  /** Receives every line of the log. */
  readonly onLogLine?: (line: string) => void;
  /** Receives, after the log, errors that stop nothing: the failed work is retried or given up. */
  readonly onError?: ReportError;
  /**
   * Receives what the scheduler logs of its work (unless that has a logger of its own), restarts of controllers, and
   * errors that stopped nothing, with the time of the loop. The log of the cluster does not depend on it.
   */
  readonly logger?: Logger | undefined;
}

/** A call that the cluster cannot carry out. */
export class ClusterError extends CodedError<'RealTime'> {}

/**
 * A control plane in one process, with one clock and one seed: the API, the controllers that run Jobs and clean up, and
 * optionally a scheduler. Pods are run by simulated node agents, if there are any, or by a `PodRunner` on the same
 * cluster.
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
  /** The store, in which users create, change and delete objects. */
  readonly store: Store;
  /** The client that the controllers use. */
  readonly client: StoreClient;
  readonly informers: Informers;
  readonly log: EventLog;
  /** The node agents; undefined if nothing here runs pods. */
  readonly nodeAgents: NodeAgents | undefined;
  /** The scheduler, or the first of several; undefined if pods are scheduled by something else, or not at all. */
  readonly scheduler: StoreScheduler | undefined;
  /** Several schedulers; undefined where there is one, or none. */
  readonly shards: SchedulerShards | undefined;
  readonly reportError: ReportError;
  readonly #logger: Logger;
  readonly #newManager: (informers: Informers) => ControllerManager;
  readonly #newInformers: () => Informers;
  /** The caches of the current controllers, which are their own if they are restartable. */
  controllerInformers: Informers;
  #manager: ControllerManager;

  constructor(options: ClusterOptions = {}) {
    const { seed = 1, loop = new VirtualEventLoop(), historyLimit, restartableControllers = false } = options;
    const seeds = new Prng(seed);
    const newPrng = (): Prng => new Prng(seeds.next());
    this.loop = loop;
    const gates = featureGates(
      options.featureGates ?? options.scheduler?.featureGates,
      options.scheduler?.configuration,
    );
    this.store = new Store({ clock: loop, names: new RandomNames(newPrng()) }, { historyLimit, features: gates });
    this.client = options.clientOf?.(this.store) ?? this.store;
    this.log = new EventLog({ client: this.store, clock: loop, onLine: options.onLogLine });
    const { logger = NO_LOGGER } = options;
    this.#logger = logger.named('cluster', loop);
    this.reportError = (error, activity) => {
      this.log.reported(error, activity);
      this.#logger.error('an activity failed', { activity, error: error instanceof Error ? error : String(error) });
      options.onError?.(error, activity);
    };
    const { client, reportError } = this;
    this.#newInformers = () => new Informers(client, { loop, prng: newPrng(), reportError });
    this.informers = this.#newInformers();
    const newRecorder = (component: string) =>
      this.log.recording(new StoreEventRecorder(component, { client, loop, prng: newPrng(), reportError }));
    const modules = { client, loop, reportError };
    const hasNodeAgents = options.nodeAgents !== undefined;
    this.#newManager = (informers) =>
      new ControllerManager({ ...modules, newRecorder, informers }, options, { hasNodeAgents, gates });
    this.controllerInformers = restartableControllers ? this.#newInformers() : this.informers;
    this.#manager = this.#newManager(this.controllerInformers);
    if (options.nodeAgents !== undefined) {
      const recorder = newRecorder('kubelet');
      this.nodeAgents = new NodeAgents(
        { ...modules, informers: this.informers, directClient: this.store, recorder },
        { seed, ...options.nodeAgents },
      );
    }
    if (options.scheduler !== undefined) {
      const newModules = () => {
        const events = new StoreEventRecorder('default-scheduler', { client, loop, prng: newPrng(), reportError });
        return { ...modules, api: storeApi(client), recorder: coreEvents(this.log.recording(events)) };
      };
      const { informers, store } = this;
      const own = { seed: seed % 2 ** 32, extenderTransport: new HttpPoster(), logger, ...options.scheduler };
      if (options.sharding === undefined) {
        this.scheduler = new StoreScheduler({ ...newModules(), informers, isHeld: options.isHeld }, own);
      } else {
        this.shards = new SchedulerShards({ loop, store, informers, newModules }, options.sharding, own);
        this.scheduler = this.shards.schedulers[0];
      }
    }
  }

  get jobController(): JobController {
    return this.#manager.jobController;
  }

  get podGcController(): PodGcController {
    return this.#manager.podGcController;
  }

  get garbageCollector(): GarbageCollector {
    return this.#manager.garbageCollector;
  }

  get ttlAfterFinishedController(): TtlAfterFinishedController {
    return this.#manager.ttlAfterFinishedController;
  }

  /** Starts log, informers and controllers, which begin to work when their caches have synced. */
  start(): void {
    this.log.start();
    this.informers.start();
    this.controllerInformers.start();
    this.#manager.start();
    if (this.shards === undefined) this.scheduler?.start();
    else this.shards.start();
    this.nodeAgents?.start();
  }

  /** Stops the controllers and starts new ones without any of their state. */
  restartControllers(): void {
    assert(this.controllerInformers !== this.informers, 'controllers are restartable when they have their own caches');
    this.#logger.info('controllers start anew');
    this.#manager.stop();
    this.controllerInformers.stop();
    this.controllerInformers = this.#newInformers();
    this.#manager = this.#newManager(this.controllerInformers);
    this.controllerInformers.start();
    this.#manager.start();
  }

  /** Stops everything after the current work; the store stays as it is. */
  stop(): void {
    this.#stop(() => this.nodeAgents?.stop());
  }

  /** Stops everything for good: node agents do not write when they last renewed their leases. @internal */
  end(): void {
    this.#stop(() => this.nodeAgents?.end());
  }

  #stop(stopAgents: () => void): void {
    this.#manager.stop();
    if (this.shards === undefined) this.scheduler?.stop();
    else this.shards.stop();
    stopAgents();
    this.controllerInformers.stop();
    this.informers.stop();
    this.log.stop();
  }

  /** Lets virtual time pass. @throws ClusterError `RealTime` on a loop that is not virtual */
  runFor(millis: number): void {
    const { loop } = this;
    if (!(loop instanceof VirtualEventLoop)) {
      throw new ClusterError('RealTime', 'this cluster is on real time, which passes by itself');
    }
    loop.runUntil(loop.nowMillis() + millis);
  }

  /**
   * Lets virtual time pass until `isDone`, which is asked at every full second from now, or until the limit. Returns
   * whether it is done.
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
}

const CHECK_MILLIS = 1000;
