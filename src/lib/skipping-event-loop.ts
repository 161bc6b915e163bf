import type { Clock } from './clock.ts';
import { delayOf, type ErrorHandler, type EventLoop, runReporting } from './event-loop.ts';
import { TaskHeap, type Timer } from './task-heap.ts';

/**
 * The loop of benchmarks: tasks take the time that they take on `work`, a real clock, and idle time is skipped. When
 * nothing is due, the clock jumps to the next task: a sleep of a minute takes no real time, but still moves the clock
 * by a minute.
 *
 * ```
 *   real      ▐███▌▐████████▌▐██▌
 *   clock     ▐███▌          ▐████████▌       ▐██▌
 *              work   idle      work    idle   work
 * ```
 */
export class SkippingEventLoop implements EventLoop {
  readonly #tasks = new TaskHeap();
  readonly #work: Clock;
  readonly #onError: ErrorHandler;
  /** How far this clock is ahead of the work's clock. */
  #aheadMillis: number;
  /** The work's clock when it was last read. */
  #readMillis: number;

  /** `startMillis`: the first time of the clock, since the Unix epoch. */
  constructor(work: Clock, startMillis: number, onError: ErrorHandler) {
    this.#work = work;
    this.#onError = onError;
    this.#readMillis = work.nowMillis();
    this.#aheadMillis = startMillis - this.#readMillis;
  }

  nowMillis(): number {
    this.#readMillis = this.#work.nowMillis();
    return this.#readMillis + this.#aheadMillis;
  }

  after(delayMillis: number, task: () => void): Timer {
    return this.#tasks.add(this.nowMillis() + delayOf(delayMillis), task);
  }

  soon(task: () => void): void {
    this.#tasks.add(this.nowMillis(), task);
  }

  /** The time on the work's clock, which does not include skipped time. */
  workedMillis(): number {
    return this.#work.nowMillis();
  }

  /** The same when it was last read, which every task does that schedules another. */
  get lastWorkedMillis(): number {
    return this.#readMillis;
  }

  /** When the next task is due; Infinity when none waits. */
  get nextMillis(): number {
    return this.#tasks.nextMillis;
  }

  /** Runs the next task, jumping to its time if it is not due yet. Returns false when there is none. */
  step(): boolean {
    const next = this.#tasks.take();
    if (next === undefined) return false;
    // Most tasks were due when the clock was last read, so that it need not be read again.
    if (next.dueMillis > this.#readMillis + this.#aheadMillis) {
      const earlyMillis = next.dueMillis - this.nowMillis();
      if (earlyMillis > 0) this.#aheadMillis += earlyMillis;
    }
    runReporting(next.task, this.#onError);
    return true;
  }
}
