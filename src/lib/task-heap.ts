import { Heap } from './heap.ts';

export interface Timer {
  /** The task will not run; nothing happens when it has run already. */
  cancel(): void;
}

export interface Task extends Timer {
  readonly dueMillis: number;
  readonly sequence: number;
  readonly task: () => void;
  heapIndex: number;
}

/** Tasks by the time when they are due; those of one time in the order in which they came. */
export class TaskHeap {
  readonly #heap = new Heap<Task>(
    (a, b) => a.dueMillis < b.dueMillis || (a.dueMillis === b.dueMillis && a.sequence < b.sequence),
  );
  #nextSequence = 0;

  get length(): number {
    return this.#heap.length;
  }

  /** Tasks that are added from now on have this number or a higher one. */
  get nextSequence(): number {
    return this.#nextSequence;
  }

  /** Infinity when nothing waits. */
  get nextMillis(): number {
    return this.#heap.peek()?.dueMillis ?? Number.POSITIVE_INFINITY;
  }

  add(dueMillis: number, task: () => void): Timer {
    const heap = this.#heap;
    const entry: Task = {
      dueMillis,
      sequence: this.#nextSequence++,
      task,
      heapIndex: -1,
      cancel: () => heap.remove(entry),
    };
    heap.push(entry);
    return entry;
  }

  peek(): Task | undefined {
    return this.#heap.peek();
  }

  take(): Task | undefined {
    return this.#heap.pop();
  }
}
