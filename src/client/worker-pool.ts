import type { EventLoop } from '../lib/event-loop.ts';
import type { RateLimitingQueue } from './queue/work-queues.ts';
import type { ReportError } from './report-error.ts';

/** The parts of a cluster that a worker pool uses. */
export interface WorkerPoolModules<K extends string> {
  readonly loop: EventLoop;
  readonly queue: RateLimitingQueue<K>;
  /**
   * Brings the object of the key into its wanted state. An error that it throws is reported, and the key is tried
   * again.
   */
  readonly sync: (key: K) => void;
  readonly reportError: ReportError;
}

/** How a worker pool works. */
export interface WorkerPoolOptions<K extends string> {
  /** The kind of objects that are synced, for error reports: `job`. */
  readonly name: string;
  /** How many keys may be processed at a time. */
  readonly workers: number;
  /** How long a sync occupies its worker; all its writes happen at the beginning. Absent: no time. */
  readonly busyMillis?: ((key: K) => number) | undefined;
}

/**
 * Workers that process a queue. Each sync is a task of its own on the loop, so that watch events and other workers are
 * served in between. While a worker is busy, its key counts as being processed: a key that is added again waits.
 */
export class WorkerPool<K extends string> {
  //   idle ──(key ready)──▶ sync ── returns ─▶ forget ──────────┐
  //    ▲                     └──── throws ──▶ addRateLimited ───┤
  //    └── done ◀──────────────── busyMillis over ◀─────────────┘

  readonly #modules: WorkerPoolModules<K>;
  readonly #options: WorkerPoolOptions<K>;
  #isRunning = false;
  /** Workers that process a key, or are scheduled to take one. */
  #active = 0;
  /** Active workers that are scheduled, but have no key yet. */
  #coming = 0;

  constructor(modules: WorkerPoolModules<K>, options: WorkerPoolOptions<K>) {
    this.#modules = modules;
    this.#options = options;
    this.#modules.queue.onReady(() => this.#wake());
  }

  start(): void {
    this.#isRunning = true;
    this.#wake();
  }

  /** Stops taking keys; keys that are being processed are finished. */
  stop(): void {
    this.#isRunning = false;
  }

  #wake(): void {
    if (!this.#isRunning) return;
    while (this.#active < this.#options.workers && this.#coming < this.#modules.queue.length) {
      this.#active++;
      this.#coming++;
      this.#modules.loop.soon(() => this.#work());
    }
  }

  #work(): void {
    this.#coming--;
    const key = this.#isRunning ? this.#modules.queue.get() : undefined;
    if (key === undefined) {
      this.#active--;
      return;
    }
    try {
      this.#syncOnce(key);
    } finally {
      const busyMillis = this.#options.busyMillis?.(key) ?? 0;
      if (busyMillis > 0) this.#modules.loop.after(busyMillis, () => this.#finish(key));
      else this.#finish(key);
    }
  }

  #syncOnce(key: K): void {
    try {
      this.#modules.sync(key);
    } catch (error) {
      this.#modules.queue.addRateLimited(key);
      this.#modules.reportError(error, `sync ${this.#options.name} ${key}`);
      return;
    }
    this.#modules.queue.forget(key);
  }

  #finish(key: K): void {
    this.#active--;
    this.#modules.queue.done(key);
    this.#wake();
  }
}
