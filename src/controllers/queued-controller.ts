import type { KubernetesObject } from '../api/meta.ts';
import type { EventRecorder } from '../client/events/event-recorder.ts';
import type { EventHandler } from '../client/informer/event-handler.ts';
import type { Informers } from '../client/informer/informers.ts';
import type { SharedInformer } from '../client/informer/shared-informer.ts';
import { whenSynced } from '../client/informer/when-synced.ts';
import { defaultControllerRateLimiter } from '../client/queue/rate-limiter.ts';
import { RateLimitedWorkQueue } from '../client/queue/work-queues.ts';
import type { ReportError } from '../client/report-error.ts';
import { WorkerPool } from '../client/worker-pool.ts';
import type { EventLoop, Timer } from '../lib/event-loop.ts';
import type { StoreClient } from '../store/objects/store-client.ts';

/** What a controller works with. */
export interface BasicModules {
  readonly client: StoreClient;
  readonly informers: Informers;
  readonly loop: EventLoop;
  readonly reportError: ReportError;
}

/** What a controller that records events works with. */
export interface RecordingModules extends BasicModules {
  readonly recorder: EventRecorder;
}

/** What a controller with workers works with. */
export interface ControllerModules extends BasicModules {
  /** How many objects may be synced at a time. */
  readonly workers?: number;
  /** How long a sync occupies its worker; absent: no time. */
  readonly busyMillis?: (() => number) | undefined;
}

/** A cache that holds its first list, or not yet. */
export interface Synced {
  hasSynced(): boolean;
}

/** Worker pools that start as soon as the caches have synced: with half a cache, missing objects would seem deleted. */
export class SyncedPools {
  readonly #loop: EventLoop;
  readonly #caches: readonly Synced[];
  readonly #pools: readonly Pick<WorkerPool<string>, 'start' | 'stop'>[];
  #starting: Timer | undefined;

  constructor(
    loop: EventLoop,
    caches: readonly Synced[],
    pools: readonly Pick<WorkerPool<string>, 'start' | 'stop'>[],
  ) {
    this.#loop = loop;
    this.#caches = caches;
    this.#pools = pools;
  }

  start(): void {
    const hasSynced = (): boolean => this.#caches.every((cache) => cache.hasSynced());
    this.#starting ??= whenSynced(this.#loop, hasSynced, () => {
      for (const pool of this.#pools) pool.start();
    });
  }

  stop(): void {
    this.#starting?.cancel();
    this.#starting = undefined;
    for (const pool of this.#pools) pool.stop();
  }
}

/** A controller that syncs the objects whose keys its event handlers queue. */
export abstract class QueuedController {
  protected readonly queue: RateLimitedWorkQueue<string>;
  readonly #caches: Synced[] = [];
  readonly #pools: SyncedPools;

  /** `kind`: what is synced, for error reports. */
  constructor({ loop, reportError, workers = 5, busyMillis }: ControllerModules, kind: string) {
    this.queue = new RateLimitedWorkQueue(loop, defaultControllerRateLimiter(loop));
    const sync = (key: string): void => this.sync(key);
    const pool = new WorkerPool({ loop, queue: this.queue, sync, reportError }, { name: kind, workers, busyMillis });
    this.#pools = new SyncedPools(loop, this.#caches, [pool]);
  }

  start(): void {
    this.#pools.start();
  }

  stop(): void {
    this.#pools.stop();
  }

  /** @throws an error after which the sync is to be retried */
  protected abstract sync(key: string): void;

  /** Adds a handler; no sync begins before it was notified of the first list. */
  protected handle<T extends KubernetesObject>(informer: SharedInformer<T>, handler: EventHandler<T>, name: string) {
    this.#caches.push(informer.addHandler(handler, { name }));
  }

  /** No sync begins before this cache holds its first list. */
  protected awaitCache(informer: Synced): void {
    this.#caches.push(informer);
  }
}
