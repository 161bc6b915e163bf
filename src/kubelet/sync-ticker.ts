import type { EventLoop } from '../lib/event-loop.ts';
import { type Grid, type TickWheel, tickAfter } from './tick-wheel.ts';
import { PodWorkQueue } from './work-queue.ts';

export interface SyncTickerModules {
  readonly loop: EventLoop;
  readonly wheel: TickWheel;
  /** Called with the pods that are to be synced. */
  readonly onDue: (uids: Iterable<string>) => void;
}

export interface SyncTickerOptions {
  readonly rank: number;
  readonly grid: Grid;
  /** Ticks every second, even when no pod is due. */
  readonly isEager: boolean;
}

/**
 * Checks once a second which pods are to be synced: those that are due in the work queue, and those whose deadline is
 * over. Ticks that would find none are skipped.
 */
export class SyncTicker {
  readonly #modules: SyncTickerModules;
  readonly #options: SyncTickerOptions;
  readonly #workQueue: PodWorkQueue;
  readonly #deadlines = new Map<string, number>();
  #tickMillis = Number.POSITIVE_INFINITY;
  #isRunning = false;

  constructor(modules: SyncTickerModules, options: SyncTickerOptions) {
    this.#modules = modules;
    this.#options = options;
    this.#workQueue = new PodWorkQueue(modules.loop);
  }

  start(): void {
    this.#isRunning = true;
    if (this.#options.isEager) this.#schedule(this.#modules.loop.nowMillis());
  }

  stop(): void {
    this.#isRunning = false;
  }

  enqueue(uid: string, delayMillis: number): void {
    this.#workQueue.enqueue(uid, delayMillis);
    this.#schedule(this.#modules.loop.nowMillis() + delayMillis);
  }

  /** The pod is due at the first tick after its deadline, whatever the work queue says. */
  setDeadline(uid: string, deadlineMillis: number): void {
    if (this.#deadlines.get(uid) === deadlineMillis) return;
    this.#deadlines.set(uid, deadlineMillis);
    this.#schedule(deadlineMillis);
  }

  /** Removes the pod from the work queue; its deadline stays. */
  dequeue(uid: string): void {
    this.#workQueue.remove(uid);
  }

  forget(uid: string): void {
    this.#workQueue.remove(uid);
    this.#deadlines.delete(uid);
  }

  /** The time at which the sync loop serves a pod that is due at `dueMillis`. */
  servedAtMillis(dueMillis: number): number {
    return Math.ceil(tickAfter(this.#options.grid, dueMillis));
  }

  #schedule(dueMillis: number): void {
    if (!this.#isRunning) return;
    const { loop, wheel } = this.#modules;
    const { grid, rank } = this.#options;
    const tickMillis = tickAfter(grid, Math.max(dueMillis, loop.nowMillis()));
    if (tickMillis >= this.#tickMillis) return;
    this.#tickMillis = tickMillis;
    wheel.at(tickMillis, rank, () => {
      if (this.#tickMillis === tickMillis) this.#tick();
    });
  }

  #tick(): void {
    this.#tickMillis = Number.POSITIVE_INFINITY;
    if (!this.#isRunning) return;
    const nowMillis = this.#modules.loop.nowMillis();
    const due = new Set(this.#workQueue.takeDue());
    for (const [uid, deadlineMillis] of this.#deadlines) {
      if (deadlineMillis > nowMillis) continue;
      this.#deadlines.delete(uid);
      due.add(uid);
    }
    if (due.size > 0) this.#modules.onDue(due);
    const nextMillis = Math.min(this.#workQueue.nextDueMillis, ...this.#deadlines.values());
    if (this.#options.isEager) this.#schedule(nowMillis);
    else if (nextMillis < Number.POSITIVE_INFINITY) this.#schedule(nextMillis);
  }
}
