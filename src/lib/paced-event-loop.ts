import { assert } from './assert.ts';
import { delayOf, type ErrorHandler, type EventLoop, runReporting } from './event-loop.ts';
import { TaskHeap, type Timer } from './task-heap.ts';

/** How many seconds pass in a second; `max`: as many as the work allows; `paused`: none, except by steps. */
export type Pace = number | 'max' | 'paused';

export interface PacedLoopOptions {
  readonly onError: ErrorHandler;
  readonly pace?: Pace;
  /** The first time of the clock, since the Unix epoch; absent: the time of the timers. */
  readonly startMillis?: number;
}

/** After so much work the loop lets input and output be served. */
const SLICE_MILLIS = 10;

/**
 * A clock whose pace can be changed while it runs. Time stands still while a task runs, and does not pass a task that
 * is due: when there is more work than a pace leaves time for, the clock falls behind its pace, and no task is late.
 *
 * ```
 *   pace     2x ───────────╲ paused ─────────── step 1h ╱ max: to the next task, and the next
 *   clock    ●──●──●──●──●─┤                   ├●●●●●●●●├●───────●──●──────────●
 * ```
 */
export class PacedEventLoop implements EventLoop {
  readonly #timers: EventLoop;
  readonly #onError: ErrorHandler;
  readonly #tasks = new TaskHeap();
  #pace: Pace;
  #nowMillis: number;
  /** The times of both clocks when the pace began. */
  #anchorMillis: number;
  #anchorTimersMillis: number;
  /** The end of the steps that have been asked for. */
  #stepMillis: number;
  readonly #stepsDone: { readonly millis: number; readonly done: () => void }[] = [];
  #isRunning = false;
  #isClosed = false;
  #armed: Timer | undefined;
  #armedMillis = Number.POSITIVE_INFINITY;

  /** `timers`: the real time, by which this one is paced. */
  constructor(timers: EventLoop, { onError, pace = 1, startMillis = timers.nowMillis() }: PacedLoopOptions) {
    this.#timers = timers;
    this.#onError = onError;
    this.#pace = checked(pace);
    this.#nowMillis = startMillis;
    this.#stepMillis = startMillis;
    this.#anchorMillis = startMillis;
    this.#anchorTimersMillis = timers.nowMillis();
  }

  get pace(): Pace {
    return this.#pace;
  }

  set pace(pace: Pace) {
    checked(pace);
    this.#anchor(this.nowMillis());
    this.#pace = pace;
    this.#armedMillis = Number.NaN;
    this.#arm();
  }

  nowMillis(): number {
    if (!this.#isRunning && typeof this.#pace === 'number') this.#reach(this.#pacedMillis());
    return this.#nowMillis;
  }

  after(delayMillis: number, task: () => void): Timer {
    const entry = this.#tasks.add(this.nowMillis() + delayOf(delayMillis), task);
    this.#arm();
    return {
      cancel: () => {
        entry.cancel();
        this.#arm();
      },
    };
  }

  soon(task: () => void): void {
    this.#tasks.add(this.nowMillis(), task);
    this.#arm();
  }

  /** Moves the clock on, on top of its pace and of earlier steps; resolves when everything until then has run. */
  step(millis: number): Promise<void> {
    assert(Number.isFinite(millis) && millis >= 0, 'time does not go back');
    this.#stepMillis = Math.max(this.nowMillis(), this.#stepMillis) + millis;
    const end = this.#stepMillis;
    return new Promise((done) => {
      this.#stepsDone.push({ millis: end, done });
      this.#arm();
    });
  }

  /** Runs nothing any more. */
  close(): void {
    this.#isClosed = true;
    this.#armed?.cancel();
    for (const { done } of this.#stepsDone.splice(0)) done();
  }

  /** Moves the clock on to a time, but not past a task that is due. */
  #reach(millis: number): void {
    this.#nowMillis = Math.max(this.#nowMillis, Math.min(millis, this.#tasks.nextMillis));
  }

  /** How far the clock may go now. */
  #limitMillis(): number {
    return Math.max(this.#stepMillis, this.#pacedMillis());
  }

  #pacedMillis(): number {
    if (this.#pace === 'paused') return this.#anchorMillis;
    if (this.#pace === 'max') {
      const { nextMillis } = this.#tasks;
      return Number.isFinite(nextMillis) ? nextMillis : this.#anchorMillis;
    }
    return this.#anchorMillis + (this.#timers.nowMillis() - this.#anchorTimersMillis) * this.#pace;
  }

  #anchor(millis: number): void {
    this.#anchorMillis = millis;
    this.#anchorTimersMillis = this.#timers.nowMillis();
  }

  /** Sets the single timer of this loop to the next task, or to the end of a step. */
  #arm(): void {
    if (this.#isRunning || this.#isClosed) return;
    const nextMillis = this.#stepsDone.length > 0 ? this.#nowMillis : this.#tasks.nextMillis;
    const delayMillis = this.#delayOf(nextMillis);
    const armedMillis = delayMillis === Number.POSITIVE_INFINITY ? delayMillis : nextMillis;
    if (armedMillis === this.#armedMillis) return;
    this.#armed?.cancel();
    this.#armedMillis = armedMillis;
    this.#armed =
      delayMillis === Number.POSITIVE_INFINITY ? undefined : this.#timers.after(delayMillis, () => this.#tick());
  }

  /** How long the timers must wait until the clock may reach this time; Infinity: until somebody says otherwise. */
  #delayOf(millis: number): number {
    if (millis <= this.#limitMillis()) return 0;
    if (typeof this.#pace !== 'number' || millis === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY;
    return (millis - this.#pacedMillis()) / this.#pace;
  }

  #tick(): void {
    const endMillis = this.#timers.nowMillis() + SLICE_MILLIS;
    this.#isRunning = true;
    while (!this.#isClosed && this.#tasks.nextMillis <= this.#limitMillis()) {
      const next = this.#tasks.take();
      if (next === undefined) break;
      if (next.dueMillis > this.#nowMillis) this.#nowMillis = next.dueMillis;
      runReporting(next.task, this.#onError);
      if (this.#timers.nowMillis() >= endMillis) break;
    }
    this.#isRunning = false;
    this.#endSteps();
    this.#armed = undefined;
    this.#armedMillis = Number.NaN;
    this.#arm();
  }

  /** Ends the steps before which no task is left. */
  #endSteps(): void {
    for (let first = this.#stepsDone[0]; first !== undefined; first = this.#stepsDone[0]) {
      if (this.#tasks.nextMillis <= first.millis) return;
      this.#stepsDone.shift();
      this.#reach(first.millis);
      // The pace goes on from where the step has led.
      if (first.millis > this.#pacedMillis()) this.#anchor(first.millis);
      first.done();
    }
  }
}

function checked(pace: Pace): Pace {
  assert(typeof pace === 'string' || (Number.isFinite(pace) && pace > 0), 'time runs forward');
  return pace;
}
