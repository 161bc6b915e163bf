import type { Pod } from '../api/pod.ts';
import type { EventHandler } from '../client/informer/event-handler.ts';
import { Informers } from '../client/informer/informers.ts';
import type { ReportError } from '../client/report-error.ts';
import type { LeaderElection } from '../config/component-config.ts';
import type { EventLoop } from '../lib/event-loop.ts';
import { HttpPoster } from '../lib/http-poster.ts';
import { type Logger, NO_LOGGER } from '../lib/logger.ts';
import { Prng } from '../lib/prng.ts';
import type { KubeConnection } from '../remote/connection/kube-connection.ts';
import { RemoteEventRecorder } from '../remote/events/remote-event-recorder.ts';
import { LeaderElector } from '../remote/leader-election/leader-elector.ts';
import { RemoteClient } from '../remote/remote-client.ts';
import { remoteLease } from '../remote/remote-lease.ts';
import { RemoteSchedulerApi } from '../remote/remote-scheduler-api.ts';
import { queueStateOf } from '../scheduler/metrics/queue-state.ts';
import { SchedulerMetrics } from '../scheduler/metrics/scheduler-metrics.ts';
import { StoreScheduler, type StoreSchedulerOptions } from '../scheduler/store-scheduler.ts';
import { HoldingClient } from './held-watch.ts';
import { type SilentObserver, silentApi } from './silent-api.ts';

/** The parts that a scheduler of a real cluster uses. */
export interface LiveSchedulerModules {
  readonly connection: KubeConnection;
  /** Real time. */
  readonly loop: EventLoop;
  readonly reportError: ReportError;
  /** The name of this process, such as its host with a random end: no other scheduler has it. */
  readonly identity: string;
  /** Is called when another one may have become the leader: this process must end. */
  readonly lost: () => void;
}

export interface LiveSchedulerOptions extends StoreSchedulerOptions {
  /** Absent or null: without leader election. */
  readonly leaderElection?: LeaderElection | null;
}

/** Receives the decisions of a scheduler that writes nothing. */
export interface SilentWatcher extends SilentObserver {
  /** Receives the changes of pods; absent: nobody does. */
  readonly pods?: EventHandler<Pod>;
  /** Says that a change of the pod is to wait until something was decided about it here; absent: none waits. */
  readonly isAwaited?: (pod: Pod) => boolean;
}

/** To the scheduler, pods that have ended do not exist. Upstream: the field selector of its pod informer. */
const LIVE_PODS = 'status.phase!=Succeeded,status.phase!=Failed';

/**
 * A scheduler of a real cluster: everything that it reads and writes goes through an API server.
 *
 *   start ──▶ caches fill ──▶ candidate ──▶ leader: pods are scheduled ──▶ stop: writes end, the lease is released
 *                                              └──▶ lost
 */
export class LiveScheduler {
  readonly metrics: SchedulerMetrics;
  readonly #modules: LiveSchedulerModules;
  readonly #informers: Informers;
  readonly #scheduler: StoreScheduler;
  readonly #elector: LeaderElector | null;
  readonly #extenderTransport = new HttpPoster();
  readonly #logger: Logger;

  /** `silent`: nothing is written, and this one is notified instead. */
  constructor(modules: LiveSchedulerModules, options: LiveSchedulerOptions = {}, silent: SilentWatcher | null = null) {
    const { connection, loop, reportError, identity } = modules;
    const { leaderElection = null, ...schedulerOptions } = options;
    const seeds = new Prng(options.seed ?? 1);
    const newPrng = () => new Prng(seeds.next());
    this.#modules = modules;
    this.#logger = (options.logger ?? NO_LOGGER).named('live', loop);
    const selections = { pods: { fieldSelector: LIVE_PODS } };
    const remote = new RemoteClient({ connection, loop, prng: newPrng(), selections });
    const holding = silent?.isAwaited === undefined ? null : new HoldingClient(remote, loop, silent.isAwaited);
    const client = holding ?? remote;
    this.#informers = new Informers(client, { loop, prng: newPrng(), reportError });
    this.metrics = new SchedulerMetrics(loop);
    const events = new RemoteEventRecorder({ connection, loop, prng: newPrng(), reportError, instance: identity });
    // What is decided about a pod is compared before the scheduler learns where the pod is.
    if (silent?.pods !== undefined) this.#informers.of('pods').addHandler(silent.pods, { name: 'shadow' });
    this.#scheduler = new StoreScheduler(
      {
        ...{ loop, reportError, informers: this.#informers, observer: this.metrics },
        recorder: silent === null ? events : { event: () => {} },
        api:
          silent === null
            ? new RemoteSchedulerApi(connection)
            : silentApi(holding === null ? silent : releasing(silent, holding)),
      },
      { extenderTransport: this.#extenderTransport, ...schedulerOptions },
    );
    this.metrics.watchQueue(() => queueStateOf(this.#scheduler.queue));
    this.#elector = leaderElection?.leaderElect ? this.#electorOf(leaderElection, newPrng()) : null;
  }

  /** Whether the caches hold the cluster. */
  get isReady(): boolean {
    return this.#informers.hasSynced();
  }

  /** Whether this one schedules, and is no candidate that waits. */
  get isActive(): boolean {
    return this.#elector?.isLeader ?? true;
  }

  start(): void {
    this.#informers.start();
    if (this.#elector === null) this.#scheduler.start();
    else this.#elector.start();
  }

  /** Begins nothing more, lets open writes end, and releases the lease. Never rejects. */
  async stop(): Promise<void> {
    this.#scheduler.stop();
    await this.#modules.connection.settled();
    this.#informers.stop();
    await this.#elector?.stop();
    await this.abandon();
  }

  /** Ends at once, and lets open writes fail: another leader may decide about the same pods by now. Never rejects. */
  async abandon(): Promise<void> {
    this.#scheduler.stop();
    this.#informers.stop();
    this.#extenderTransport.close();
    await this.#modules.connection.close();
  }

  #electorOf(election: LeaderElection, prng: Prng): LeaderElector {
    const { connection, loop, reportError, identity, lost } = this.#modules;
    const { resourceNamespace: namespace, resourceName: name } = election;
    const settings = {
      ...{ namespace, name, identity },
      leaseDurationMillis: millis(election.leaseDurationNanoseconds),
      renewDeadlineMillis: millis(election.renewDeadlineNanoseconds),
      retryPeriodMillis: millis(election.retryPeriodNanoseconds),
    };
    const lease = remoteLease(connection, namespace, name);
    return new LeaderElector(
      settings,
      { lease, loop, prng, reportError },
      {
        elected: () => {
          this.#logger.info('became the leader', { lease: `${namespace}/${name}`, identity });
          this.#scheduler.start();
        },
        lost: () => {
          this.#logger.error('lost the lease', { lease: `${namespace}/${name}`, identity });
          this.#scheduler.stop();
          lost();
        },
      },
    );
  }
}

/** The observer, after which changes that waited for a decision go on. */
function releasing(observer: SilentObserver, holding: HoldingClient): SilentObserver {
  return {
    bound(pod, nodeName) {
      observer.bound(pod, nodeName);
      holding.release();
    },
    statusPatched(namespace, name, patch) {
      observer.statusPatched(namespace, name, patch);
      holding.release();
    },
    deleted: (namespace, name) => observer.deleted(namespace, name),
  };
}

function millis(nanoseconds: bigint): number {
  return Number(nanoseconds / 1_000_000n);
}
