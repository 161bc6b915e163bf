import type { Pod } from '../api/pod.ts';
import { Informers } from '../client/informer/informers.ts';
import type { SharedInformer } from '../client/informer/shared-informer.ts';
import { ResourceClaimController } from '../controllers/resource-claim/resource-claim-controller.ts';
import type { Clock } from '../lib/clock.ts';
import { HttpPoster } from '../lib/http-poster.ts';
import { Prng } from '../lib/prng.ts';
import { SkippingEventLoop } from '../lib/skipping-event-loop.ts';
import { queueStateOf } from '../scheduler/metrics/queue-state.ts';
import { SchedulerMetrics } from '../scheduler/metrics/scheduler-metrics.ts';
import { storeApi } from '../scheduler/store-api.ts';
import { StoreScheduler, type StoreSchedulerOptions } from '../scheduler/store-scheduler.ts';
import { type NameSource, RandomNames } from '../store/objects/names.ts';
import { Store } from '../store/store.ts';

/** The number of kube-scheduler's workers, by default (parallelism). */
const WORKERS = 16;

/** When the clock of a run begins. */
const START_MILLIS = Date.UTC(2026, 0, 1);

export interface PerfStackOptions {
  /**
   * Without `tieBreak` one of the first equally good nodes is drawn, of as many as kube-scheduler has workers: which of
   * them finds its node first is chance there, too, and to take the same node always may fill it to the last pod.
   */
  readonly scheduler: StoreSchedulerOptions;
  /** The clock that measures work: the machine's, except in tests. */
  readonly clock: Clock;
  /** The seed of names and uids. */
  readonly seed: number;
  /** Whether pods may have resource claims, for which upstream's benchmark runs the controller of claims. */
  readonly hasClaims?: boolean;
}

/**
 * The stack that a workload runs on: store, informers and scheduler on one loop, and nothing else. As in upstream's
 * benchmark there are no kubelets, and no controllers but the garbage collectors, which have nothing to do here. Unlike
 * upstream, events are not written to the API: the scheduler's events about pods are dropped.
 */
export class PerfStack {
  readonly loop: SkippingEventLoop;
  readonly store: Store;
  readonly names: NameSource;
  readonly metrics: SchedulerMetrics;
  readonly scheduler: StoreScheduler;
  readonly #informers: Informers;
  readonly #claims: ResourceClaimController | null;
  /** Errors of tasks that were neither expected nor handled. */
  readonly errors: unknown[] = [];

  constructor({ scheduler, clock, seed, hasClaims = false }: PerfStackOptions) {
    const reportError = (error: unknown): void => {
      this.errors.push(error);
    };
    const seeds = new Prng(seed);
    const loop = new SkippingEventLoop(clock, START_MILLIS, reportError);
    this.loop = loop;
    this.names = new RandomNames(new Prng(seeds.next()));
    this.store = new Store({ clock: loop, names: this.names });
    this.metrics = new SchedulerMetrics(loop);
    this.#informers = new Informers(this.store, { loop, prng: new Prng(seeds.next()), reportError });
    const modules = {
      api: storeApi(this.store),
      informers: this.#informers,
      loop,
      recorder: { event: () => {} },
      reportError,
      observer: this.metrics,
    };
    const { tieBreak = 'random', configuration } = scheduler;
    const drawnTies = scheduler.tieBreak === undefined ? configuration?.parallelism || WORKERS : undefined;
    const extenderTransport = new HttpPoster();
    this.scheduler = new StoreScheduler({ ...modules, drawnTies }, { seed, extenderTransport, ...scheduler, tieBreak });
    const recorder = { event: () => {} };
    const controllers = { client: this.store, informers: this.#informers, loop, reportError, recorder };
    this.#claims = hasClaims ? new ResourceClaimController(controllers) : null;
    this.metrics.watchQueue(() => queueStateOf(this.scheduler.queue));
  }

  get pods(): SharedInformer<Pod> {
    return this.#informers.of('pods');
  }

  get isReady(): boolean {
    return this.#informers.hasSynced();
  }

  start(): void {
    this.#informers.start();
    this.scheduler.start();
    this.#claims?.start();
  }

  stop(): void {
    this.scheduler.stop();
    this.#claims?.stop();
    this.#informers.stop();
  }

  /** Leaves the kernels' memory to the next stack. Called when nothing of this one runs any more. */
  release(): void {
    this.scheduler.profiles.release();
  }
}
