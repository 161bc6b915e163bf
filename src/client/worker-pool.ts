import type { EventLoop } from '../lib/event-loop.ts';
import type { RateLimitingQueue } from './queue/queues.ts';
import type { ReportError } from './report-error.ts';

export interface WorkerPoolModules<K extends string> {
  readonly loop: EventLoop;
  readonly queue: RateLimitingQueue<K>;
  /** Brings the object of that key into the wanted state. Throws what is to be reported and tried again. */
  readonly sync: (key: K) => void;
  readonly reportError: ReportError;
}

export interface WorkerPoolOptions<K extends string> {
  /** What is synced, for error reports: `job`. */
  readonly name: string;
  /** How many keys may be in work at a time. */
  readonly workers: number;
  /** How long a worker is taken up by a sync, whose writes all happen when it begins; absent: no time. */
  readonly busyMillis?: ((key: K) => number) | undefined;
}

/**
 * Workers on a queue. Each sync is a task of its own on the loop, so that watch events and other workers get their turn
 * in between.
 *
 *   idle ──(key ready)──▶ sync ── returns ─▶ forget ──────────┐
 *    ▲                     └──── throws ──▶ addRateLimited ───┤
 *    └── done ◀──────────────── busyMillis over ◀─────────────┘
 *
 * While a worker is busy its key counts as being processed: added again, it waits until it is done.
 */
export class WorkerPool<K extends string> {
  readonly #loop: EventLoop;
  readonly #queue: RateLimitingQueue<K>;
  readonly #sync: (key: K) => void;
  readonly #reportError: ReportError;
  readonly #options: WorkerPoolOptions<K>;
  #isRunning = false;
  /** Workers that have a key, or a task in which they will take one. */
  #active = 0;
  /** Those of them that have no key yet. */
  #coming = 0;

  constructor(modules: WorkerPoolModules<K>, options: WorkerPoolOptions<K>) {
    this.#loop = modules.loop;
    this.#queue = modules.queue;
    this.#sync = modules.sync;
    this.#reportError = modules.reportError;
    this.#options = options;
    this.#queue.onReady(() => this.#wake());
  }

  start(): void {
    this.#isRunning = true;
    this.#wake();
  }

  /** No further key is taken; what is in work is finished. */
  stop(): void {
    this.#isRunning = false;
  }

  #wake(): void {
    if (!this.#isRunning) return;
    while (this.#active < this.#options.workers && this.#coming < this.#queue.length) {
      this.#active++;
      this.#coming++;
      this.#loop.soon(() => this.#work());
    }
  }

  #work(): void {
    this.#coming--;
    const key = this.#isRunning ? this.#queue.get() : undefined;
    if (key === undefined) {
      this.#active--;
      return;
    }
    try {
      this.#syncOnce(key);
    } finally {
      const busyMillis = this.#options.busyMillis?.(key) ?? 0;
      if (busyMillis > 0) this.#loop.after(busyMillis, () => this.#finish(key));
      else this.#finish(key);
    }
  }

  #syncOnce(key: K): void {
    try {
      this.#sync(key);
    } catch (error) {
      this.#queue.addRateLimited(key);
      this.#reportError(error, `sync ${this.#options.name} ${key}`);
      return;
    }
    this.#queue.forget(key);
  }

  #finish(key: K): void {
    this.#active--;
    this.#queue.done(key);
    this.#wake();
  }
}
