import { DueHeap } from './due-heap.ts';
import { Fifo } from './fifo.ts';

/** A task that waits for its time. */
export interface Timer {
  /** Cancels the task; does nothing when it has run already. */
  cancel(): void;
}

export interface Task extends Timer {
  readonly dueMillis: number;
  readonly sequence: number;
  readonly task: () => void;
}

class WaitingTask implements Task {
  readonly dueMillis: number;
  readonly sequence: number;
  readonly task: () => void;
  heapIndex = -1;
  /** Whether the task has neither been taken nor cancelled. */
  isWaiting = true;
  readonly #heap: TaskHeap;

  constructor(dueMillis: number, sequence: number, task: () => void, heap: TaskHeap) {
    this.dueMillis = dueMillis;
    this.sequence = sequence;
    this.task = task;
    this.#heap = heap;
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

  add(dueMillis: number, task: () => void): Timer {
    const entry = new WaitingTask(dueMillis, this.#nextSequence++, task, this);
    if (dueMillis === this.#frontMillis) this.#front.push(entry);
    else this.#heap.push(entry);
    this.#length++;
    return entry;
  }

  peek(): Task | undefined {
    return this.#next();
  }

  take(): Task | undefined {
    const next = this.#next();
    if (next === undefined) return undefined;
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

function isBefore(a: Task, b: Task): boolean {
  return a.dueMillis < b.dueMillis || (a.dueMillis === b.dueMillis && a.sequence < b.sequence);
}
