import { Heap } from '../../lib/heap.ts';
import { isBeforeByPriority, isBeforeByTime, type Less } from './pod-order.ts';
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

const RUNS_MAX = 32;
/** Groups of pods mostly need two: the pod that completes its group comes before the others, which waited for it. */
const RUNS_OF_PRIORITY = 3;

/**
 * An active queue for PrioritySort. Pods of one priority mostly come in the order in which they leave, or in a few such
 * orders, so they form runs, to one of which the next pod is appended. Other pods are in a heap beside the runs.
 *
 *   runs of priority 1000   p4 p9 p12 ──▶
 *   runs of priority    0   p1 p2 p6 ──▶   p3 p5 ... ──▶   the next pod: the first head, or the root of the heap
 *   heap                    p8 p7
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
    if (!this.#append(pod)) this.#stragglers.push(pod);
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
    let first: QueuedPodInfo | undefined;
    let priority = 0;
    for (const run of this.#runs) {
      if (first !== undefined && run.priority !== priority) break;
      const head = run.head();
      if (head === undefined || (first !== undefined && isBeforeByTime(first, head))) continue;
      first = head;
      priority = run.priority;
    }
    return first;
  }

  /** Appends the pod to a run of its priority. Returns false if it is the last in none, and there are too many. */
  #append(pod: QueuedPodInfo): boolean {
    const { priority } = pod.podInfo;
    let index = 0;
    let count = 0;
    for (; index < this.#runs.length; index++) {
      const run = this.#runs[index] as PriorityRun;
      if (run.priority < priority) break;
      if (run.priority > priority) continue;
      if (run.append(pod)) return true;
      count++;
    }
    if (count === RUNS_OF_PRIORITY) return false;
    if (this.#runs.length === RUNS_MAX) {
      const unused = this.#runs.findIndex((run) => run.length === 0);
      if (unused < 0) return false;
      this.#runs.splice(unused, 1);
      if (unused < index) index--;
    }
    const run = new PriorityRun(priority);
    this.#runs.splice(index, 0, run);
    return run.append(pod);
  }
}
