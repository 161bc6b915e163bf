import type { EventLoop, Timer } from '../../lib/event-loop.ts';

const BACKOFF_FLUSH_MILLIS = 1000;
const UNSCHEDULABLE_FLUSH_MILLIS = 30_000;

export interface Flushes {
  readonly backoffCompleted: () => void;
  readonly unschedulableLeftover: () => void;
}

/**
 * The timers that move pods: back-off is flushed at whole seconds, where its windows end, and pods that have been
 * unschedulable for long every 30 s since the start. If both are due, back-off is flushed first. A timer runs only
 * while there are pods that it may move.
 */
export class FlushTimers {
  readonly #loop: EventLoop;
  readonly #flushes: Flushes;
  #startMillis = Number.NaN;
  #backoffMillis = Number.POSITIVE_INFINITY;
  #unschedulableMillis = Number.POSITIVE_INFINITY;
  #timer: Timer | null = null;
  #timerMillis = Number.POSITIVE_INFINITY;

  constructor(loop: EventLoop, flushes: Flushes) {
    this.#loop = loop;
    this.#flushes = flushes;
  }

  start(): void {
    this.#startMillis = this.#loop.nowMillis();
  }

  stop(): void {
    this.#startMillis = Number.NaN;
    this.#timer?.cancel();
    this.#timer = null;
    this.#timerMillis = Number.POSITIVE_INFINITY;
    this.#backoffMillis = Number.POSITIVE_INFINITY;
    this.#unschedulableMillis = Number.POSITIVE_INFINITY;
  }

  get #isStarted(): boolean {
    return !Number.isNaN(this.#startMillis);
  }

  /** Called when there are pods in back-off. */
  watchBackoff(): void {
    if (!this.#isStarted || this.#backoffMillis < Number.POSITIVE_INFINITY) return;
    this.#backoffMillis = nextOnGrid(this.#loop.nowMillis(), 0, BACKOFF_FLUSH_MILLIS);
    this.#arm();
  }

  /** Called when there are unschedulable pods. */
  watchUnschedulable(): void {
    if (!this.#isStarted || this.#unschedulableMillis < Number.POSITIVE_INFINITY) return;
    this.#unschedulableMillis = nextOnGrid(this.#loop.nowMillis(), this.#startMillis, UNSCHEDULABLE_FLUSH_MILLIS);
    this.#arm();
  }

  #arm(): void {
    const nextMillis = Math.min(this.#backoffMillis, this.#unschedulableMillis);
    if (nextMillis >= this.#timerMillis) return;
    this.#timer?.cancel();
    this.#timerMillis = nextMillis;
    this.#timer = this.#loop.after(nextMillis - this.#loop.nowMillis(), () => this.#tick());
  }

  #tick(): void {
    const now = this.#timerMillis;
    this.#timer = null;
    this.#timerMillis = Number.POSITIVE_INFINITY;
    if (this.#backoffMillis <= now) {
      this.#backoffMillis = Number.POSITIVE_INFINITY;
      this.#flushes.backoffCompleted();
    }
    if (this.#unschedulableMillis <= now) {
      this.#unschedulableMillis = Number.POSITIVE_INFINITY;
      this.#flushes.unschedulableLeftover();
    }
    this.#arm();
  }
}

/** The first time after now that is a whole number of intervals after the origin. */
function nextOnGrid(nowMillis: number, originMillis: number, intervalMillis: number): number {
  return originMillis + (Math.floor((nowMillis - originMillis) / intervalMillis) + 1) * intervalMillis;
}
