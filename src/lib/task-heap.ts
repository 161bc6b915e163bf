import { DueHeap } from './due-heap.ts';
import { Fifo } from './fifo.ts';
import { compareLastAsked, hasWholeTimes, ticksBefore } from './idle-ticks.ts';

/** A task that waits for its time. */
export interface Timer {
  /** Cancels the task; does nothing when it has run already. */
  cancel(): void;
}

/**
 * A task that would, if nothing has happened, only ask to be run again a period later. It may be put off by whole
 * periods, to the first one at which something else has run.
 */
export interface IdleTick {
  readonly periodMillis: number;
  /** Whether nothing has happened. */
  readonly isIdle: () => boolean;
}

export interface Task extends Timer {
  readonly dueMillis: number;
  readonly sequence: number;
  readonly task: () => void;
}

class WaitingTask implements Task {
  dueMillis: number;
  sequence: number;
  readonly task: () => void;
  readonly idleTick: IdleTick | undefined;
  heapIndex = -1;
  /** Whether the task has neither been taken nor cancelled. */
  isWaiting = true;
  readonly #heap: TaskHeap;

  constructor(dueMillis: number, sequence: number, task: () => void, heap: TaskHeap, idleTick?: IdleTick) {
    this.dueMillis = dueMillis;
    this.sequence = sequence;
    this.task = task;
    this.idleTick = idleTick;
    this.#heap = heap;
  }

  /** That of an idle tick. */
  get periodMillis(): number {
    return this.idleTick?.periodMillis ?? Number.NaN;
  }

  cancel(): void {
    this.#heap.cancel(this);
  }
}

/**
 * Tasks ordered by the time when they are due; tasks of the same time keep the order in which they were added. Many
 * tasks schedule others for their own time, and these are queued without the heap.
 */
export class TaskHeap {
  readonly #heap = new DueHeap<WaitingTask>();
  /** Tasks that are due at `#frontMillis`, in the order in which they were added; some may be cancelled. */
  readonly #front = new Fifo<WaitingTask>();
  /** The time of the last task that was taken from the heap while the front was empty. */
  #frontMillis = Number.NaN;
  #length = 0;
  #nextSequence = 0;

  get length(): number {
    return this.#length;
  }

  /** Tasks that are added from now on have this number or a higher one. */
  get nextSequence(): number {
    return this.#nextSequence;
  }

  /** When the next task is due; Infinity when none waits. */
  get nextMillis(): number {
    return this.peek()?.dueMillis ?? Number.POSITIVE_INFINITY;
  }

  add(dueMillis: number, task: () => void, idleTick?: IdleTick): Timer {
    const entry = new WaitingTask(dueMillis, this.#nextSequence++, task, this, idleTick);
    if (dueMillis === this.#frontMillis) this.#front.push(entry);
    else this.#heap.push(entry);
    this.#length++;
    return entry;
  }

  /**
   * Puts off the idle ticks that come next, to the first of their times at which another task has run, or that is after
   * the limit. They come in the order in which they would have if each tick had asked for the next.
   */
  putOffIdle(nowMillis: number, limitMillis: number): void {
    if (this.#next()?.idleTick === undefined) return;
    const idle: WaitingTask[] = [];
    for (let next = this.#idleAt(nowMillis); next !== undefined; next = this.#idleAt(nowMillis)) {
      this.#heap.pop();
      idle.push(next);
    }
    if (idle.length === 0) return;
    const untilMillis = Math.min(this.#next()?.dueMillis ?? Number.NEGATIVE_INFINITY, limitMillis);
    if (untilMillis > nowMillis) this.#putOff(idle, untilMillis);
    for (const tick of idle) this.#heap.push(tick);
  }

  /** Moves the ticks to their first times that are not before this one. */
  #putOff(idle: readonly WaitingTask[], untilMillis: number): void {
    if (idle.every(hasWholeTimes)) {
      // Idle times of days have many thousand ticks.
      const counted = idle.map((tick) => ({ tick, count: ticksBefore(tick, untilMillis) }));
      const moved = counted.filter(({ count }) => count > 0);
      moved.sort((a, b) => compareLastAsked(a.tick, a.count, b.tick, b.count));
      for (const { tick, count } of moved) {
        tick.dueMillis += count * tick.periodMillis;
        tick.sequence = this.#nextSequence++;
      }
      return;
    }
    for (let tick = firstOf(idle); tick.dueMillis < untilMillis; tick = firstOf(idle)) {
      tick.dueMillis += tick.periodMillis;
      tick.sequence = this.#nextSequence++;
    }
  }

  /** The next task if it is an idle tick that is not late. */
  #idleAt(nowMillis: number): WaitingTask | undefined {
    const next = this.#next();
    if (next?.idleTick === undefined || next === this.#front.peek() || next.dueMillis < nowMillis) return undefined;
    return next.idleTick.isIdle() ? next : undefined;
  }

  peek(): Task | undefined {
    return this.#next();
  }

  /**
   * Takes the next task if it is due up to the limit. Idle ticks are put off before, see `putOffIdle`. Does all that in
   * one look, since a loop does little else.
   */
  takeUpTo(limitMillis: number, nowMillis: number): Task | undefined {
    let next = this.#next();
    if (next?.idleTick !== undefined) {
      this.putOffIdle(nowMillis, limitMillis);
      next = this.#next();
    }
    return next === undefined || next.dueMillis > limitMillis ? undefined : this.#take(next);
  }

  take(): Task | undefined {
    const next = this.#next();
    return next && this.#take(next);
  }

  #take(next: WaitingTask): Task {
    if (next === this.#front.peek()) {
      this.#front.shift();
    } else {
      this.#heap.pop();
      if (this.#front.length === 0) this.#frontMillis = next.dueMillis;
    }
    next.isWaiting = false;
    this.#length--;
    return next;
  }

  /** @internal */
  cancel(entry: WaitingTask): void {
    if (!entry.isWaiting) return;
    entry.isWaiting = false;
    this.#length--;
    this.#heap.remove(entry);
  }

  #next(): WaitingTask | undefined {
    let first = this.#front.peek();
    while (first !== undefined && !first.isWaiting) {
      this.#front.shift();
      first = this.#front.peek();
    }
    const root = this.#heap.peek();
    if (first === undefined || root === undefined) return first ?? root;
    return isBefore(root, first) ? root : first;
  }
}

/** The task that is due first; the list is not empty. */
function firstOf(tasks: readonly WaitingTask[]): WaitingTask {
  let first = tasks[0] as WaitingTask;
  for (const task of tasks) if (isBefore(task, first)) first = task;
  return first;
}

function isBefore(a: Task, b: Task): boolean {
  return a.dueMillis < b.dueMillis || (a.dueMillis === b.dueMillis && a.sequence < b.sequence);
}
