import { assert } from './assert.ts';
import { type Clock, WallClock } from './clock.ts';
import { type IdleTick, type Task, TaskHeap, type Timer } from './task-heap.ts';

export type { Timer };

/**
 * Runs tasks one after the other, each to its end. Tasks due at the same time run in the order in which they were
 * scheduled. A task that throws is reported and does not stop the loop. The clock counts milliseconds since the Unix
 * epoch.
 */
export interface EventLoop extends Clock {
  after(delayMillis: number, task: () => void): Timer;
  /** Runs the task after everything that is due now already. */
  soon(task: () => void): void;
  /** Runs the task at a time, in the order of the times even where the clock is past it. @internal */
  at?(dueMillis: number, task: () => void): Timer;
  /** Runs the task a period later, or later still while it is idle. @internal */
  afterPeriod?(task: () => void, idleTick: IdleTick): Timer;
}

/** Runs the task a period later; a loop that can do so leaves ticks out that would find that nothing has happened. */
export function afterPeriod(loop: EventLoop, task: () => void, idleTick: IdleTick): Timer {
  return loop.afterPeriod?.(task, idleTick) ?? loop.after(idleTick.periodMillis, task);
}

/** Runs the task at a time; on a loop that can do so before all that is due later, even if the clock is late. */
export function atTime(loop: EventLoop, dueMillis: number, task: () => void): Timer {
  return loop.at?.(dueMillis, task) ?? loop.after(dueMillis - loop.nowMillis(), task);
}

/** Receives what a task has thrown. */
export type ErrorHandler = (error: unknown) => void;

/** The loop of simulations and tests: time stands still while a task runs, and jumps to the next task that is due. */
export class VirtualEventLoop implements EventLoop {
  readonly #tasks = new TaskHeap();
  readonly #onError: ErrorHandler;
  readonly #unreported: unknown[] = [];
  #nowMillis: number;

  /** Without `onError`, a run throws the first error of its tasks at its end, so that no error is overlooked. */
  constructor(startMillis: number = Date.UTC(2026, 0, 1), onError?: ErrorHandler) {
    this.#nowMillis = startMillis;
    this.#onError = onError ?? ((error) => this.#unreported.push(error));
  }

  nowMillis(): number {
    return this.#nowMillis;
  }

  after(delayMillis: number, task: () => void): Timer {
    return this.#tasks.add(this.#nowMillis + delayOf(delayMillis), task);
  }

  soon(task: () => void): void {
    this.#tasks.add(this.#nowMillis, task);
  }

  /** @internal */
  at(dueMillis: number, task: () => void): Timer {
    return this.#tasks.add(dueMillis, task);
  }

  /** @internal */
  afterPeriod(task: () => void, idleTick: IdleTick): Timer {
    return this.#tasks.add(this.#nowMillis + idleTick.periodMillis, task, idleTick);
  }

  /** Moves the clock on while nothing runs, as on a machine that sleeps: tasks that become due meanwhile run late. */
  sleep(millis: number): void {
    assert(millis >= 0, 'time does not go back');
    this.#nowMillis += millis;
  }

  /** How many tasks are waiting. */
  get pending(): number {
    return this.#tasks.length;
  }

  /** When the next task is due; infinite when none waits. */
  get nextMillis(): number {
    return this.#tasks.nextMillis;
  }

  /** Runs the next task, moving the clock to it. Returns false when there is none. */
  step(): boolean {
    const ran = this.#runNext();
    this.#throwUnreported();
    return ran;
  }

  /** Runs until no task is left. Tasks that repeat for ever need `runUntil`. */
  runUntilIdle(): void {
    while (this.#runNext());
    this.#throwUnreported();
  }

  /** Runs everything that is due up to `millis` (since the epoch), and leaves the clock there. */
  runUntil(millis: number): void {
    assert(Number.isFinite(millis), 'a run ends at some time');
    while (this.#runNext(millis));
    if (millis > this.#nowMillis) this.#nowMillis = millis;
    this.#throwUnreported();
  }

  /** Runs the next task, if it is due up to this time. */
  #runNext(limitMillis = Number.POSITIVE_INFINITY): boolean {
    const next = this.#tasks.takeUpTo(limitMillis, this.#nowMillis);
    if (next === undefined) return false;
    if (next.dueMillis > this.#nowMillis) this.#nowMillis = next.dueMillis;
    runReporting(next.task, this.#onError);
    return true;
  }

  #throwUnreported(): void {
    if (this.#unreported.length === 0) return;
    const [first] = this.#unreported;
    this.#unreported.length = 0;
    throw first;
  }
}

/** The loop on the machine's own clock and timers. A task takes as long as it takes, and others that are due wait. */
export class RealEventLoop implements EventLoop {
  readonly #clock = new WallClock();
  readonly #tasks = new TaskHeap();
  readonly #onError: ErrorHandler;
  #disarm = (): void => {};
  #armedMillis = Number.POSITIVE_INFINITY;
  #isClosed = false;

  constructor(onError: ErrorHandler) {
    this.#onError = onError;
  }

  nowMillis(): number {
    return this.#clock.nowMillis();
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

  /** Runs no further task, so that those that wait do not keep the process alive. */
  close(): void {
    this.#isClosed = true;
    this.#arm();
  }

  /** Sets the single timer of this loop to the next task. */
  #arm(): void {
    const nextMillis = this.#isClosed ? Number.POSITIVE_INFINITY : this.#tasks.nextMillis;
    if (nextMillis === this.#armedMillis) return;
    this.#disarm();
    this.#armedMillis = nextMillis;
    if (nextMillis === Number.POSITIVE_INFINITY) this.#disarm = () => {};
    else this.#disarm = onceAfter(nextMillis - this.nowMillis(), () => this.#tick());
  }

  /**
   * Runs the tasks that are due when the tick begins. Tasks that they schedule wait for the next tick, so that input
   * and output are served.
   */
  #tick(): void {
    const tickMillis = this.nowMillis();
    const nextSequence = this.#tasks.nextSequence;
    const isDue = (task: Task): boolean => task.dueMillis <= tickMillis && task.sequence < nextSequence;
    for (let next = this.#tasks.peek(); next !== undefined && isDue(next); next = this.#tasks.peek()) {
      if (this.#isClosed) return;
      this.#tasks.take();
      runReporting(next.task, this.#onError);
    }
    this.#armedMillis = Number.NaN;
    this.#arm();
  }
}

/**
 * The longest delay of the machine's timers; longer ones overflow. A tick that comes too early finds nothing due, and
 * waits again.
 */
const TIMEOUT_MILLIS_MAX = 2 ** 31 - 1;

function onceAfter(delayMillis: number, tick: () => void): () => void {
  if (delayMillis <= 0) {
    const immediate = setImmediate(tick);
    return () => clearImmediate(immediate);
  }
  const timeout = setTimeout(tick, Math.min(Math.ceil(delayMillis), TIMEOUT_MILLIS_MAX));
  return () => clearTimeout(timeout);
}

/** Runs the task, or reports its error. Returns whether it worked. */
export function runReporting(task: () => void, onError: ErrorHandler): boolean {
  try {
    task();
    return true;
  } catch (error) {
    onError(error);
    return false;
  }
}

/** The delay of a task; an overdue task is due now. */
export function delayOf(delayMillis: number): number {
  assert(Number.isFinite(delayMillis), 'a delay is a finite number');
  return delayMillis > 0 ? delayMillis : 0;
}
