import { Heap } from '../../lib/heap.ts';
import { isBeforeByPriority, type Less } from './pod-order.ts';
import { PriorityRun } from './priority-run.ts';
import type { QueuedPodInfo } from './queued-pod-info.ts';

/** The pods that can be tried now, in the order of the queue sort (upstream's active_queue.go). */
export interface ActiveQueue {
  readonly length: number;
  push(pod: QueuedPodInfo): void;
  pop(): QueuedPodInfo | undefined;
  /** Removes a pod, which must be in this queue. */
  remove(pod: QueuedPodInfo): void;
  /** Restores the order after the pod has changed. */
  update(pod: QueuedPodInfo): void;
}

/** An active queue for any queue sort. */
export class SortedPods implements ActiveQueue {
  readonly #heap: Heap<QueuedPodInfo>;

  constructor(less: Less) {
    // Pods that are equal in the queue sort are in order of arrival.
    this.#heap = new Heap((a, b) => less(a, b) || (!less(b, a) && a.sequence < b.sequence));
  }

  get length(): number {
    return this.#heap.length;
  }

  push(pod: QueuedPodInfo): void {
    this.#heap.push(pod);
  }

  pop(): QueuedPodInfo | undefined {
    return this.#heap.pop();
  }

  remove(pod: QueuedPodInfo): void {
    this.#heap.remove(pod);
  }

  update(pod: QueuedPodInfo): void {
    this.#heap.update(pod);
  }
}

const RUNS_MAX = 16;

/**
 * An active queue for PrioritySort. Pods of one priority mostly come in the order in which they leave, so they form a
 * run, to which the next pod is appended. Other pods, such as those of failed attempts, are in a heap beside the runs.
 *
 *   run of priority 1000   p4 p9 p12 ──▶
 *   run of priority    0   p1 p2 p3 p5 ... ──▶    the next pod: the head of the first run, or the root of the heap
 *   heap                   p7 p6
 */
export class PrioritySortedPods implements ActiveQueue {
  /** The runs, highest priority first. */
  readonly #runs: PriorityRun[] = [];
  readonly #stragglers = new Heap<QueuedPodInfo>(isBeforeByPriority);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(pod: QueuedPodInfo): void {
    this.#length++;
    const run = this.#runOf(pod.podInfo.priority);
    if (run === undefined || !run.append(pod)) this.#stragglers.push(pod);
  }

  pop(): QueuedPodInfo | undefined {
    const head = this.#head();
    const straggler = this.#stragglers.peek();
    const next =
      head !== undefined && (straggler === undefined || isBeforeByPriority(head, straggler)) ? head : straggler;
    if (next !== undefined) this.remove(next);
    return next;
  }

  remove(pod: QueuedPodInfo): void {
    this.#length--;
    if (pod.run === null) this.#stragglers.remove(pod);
    else pod.run.remove(pod);
  }

  update(pod: QueuedPodInfo): void {
    this.remove(pod);
    this.push(pod);
  }

  #head(): QueuedPodInfo | undefined {
    for (const run of this.#runs) if (run.length > 0) return run.head();
    return undefined;
  }

  /** Returns the run of the priority; undefined if there are too many runs. */
  #runOf(priority: number): PriorityRun | undefined {
    let index = 0;
    for (; index < this.#runs.length; index++) {
      const run = this.#runs[index] as PriorityRun;
      if (run.priority === priority) return run;
      if (run.priority < priority) break;
    }
    if (this.#runs.length === RUNS_MAX) {
      const unused = this.#runs.findIndex((run) => run.length === 0);
      if (unused < 0) return undefined;
      this.#runs.splice(unused, 1);
      if (unused < index) index--;
    }
    const run = new PriorityRun(priority);
    this.#runs.splice(index, 0, run);
    return run;
  }
}
