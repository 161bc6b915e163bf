import { Heap } from '../../lib/heap.ts';
import { isBeforeByTime, type Less } from './pod-order.ts';
import type { QueuedPodInfo } from './queued-pod-info.ts';

/** Pods whose back-off ends in one window leave together, and so in the order of the active queue. */
const ORDERING_WINDOW_MILLIS = 1000;

export interface BackoffLimits {
  readonly podInitialBackoffMillis: number;
  readonly podMaxBackoffMillis: number;
}

/**
 * The pods whose last attempt failed a short time ago (upstream's backoff_queue.go). The wait doubles with every
 * failure. Pods that plugins rejected are separate from pods with an error, because only the former may be popped
 * early.
 */
export class BackoffQueue {
  readonly #limits: BackoffLimits;
  readonly #rejected: Heap<QueuedPodInfo>;
  readonly #failed: Heap<QueuedPodInfo>;

  constructor(limits: BackoffLimits, less: Less) {
    this.#limits = limits;
    this.#rejected = new Heap(byExpiry(less));
    // Pods with an error that end in one window are in the order of their failures.
    this.#failed = new Heap(byExpiry(isBeforeByTime));
  }

  get length(): number {
    return this.#rejected.length + this.#failed.length;
  }

  push(pod: QueuedPodInfo): void {
    const isError = pod.hasNoRejector;
    pod.place = isError ? 'errorBackoff' : 'backoff';
    // The heap compares what is computed here.
    this.expirationMillis(pod);
    (isError ? this.#failed : this.#rejected).push(pod);
  }

  remove(pod: QueuedPodInfo): void {
    (pod.place === 'errorBackoff' ? this.#failed : this.#rejected).remove(pod);
  }

  update(pod: QueuedPodInfo): void {
    (pod.place === 'errorBackoff' ? this.#failed : this.#rejected).update(pod);
  }

  /** Pops the first rejected pod that may leave before its back-off ends. */
  popEarly(mayLeave: (pod: QueuedPodInfo) => boolean): QueuedPodInfo | undefined {
    const staying: QueuedPodInfo[] = [];
    let pod = this.#rejected.pop();
    for (; pod !== undefined && !mayLeave(pod); pod = this.#rejected.pop()) staying.push(pod);
    for (const each of staying) this.#rejected.push(each);
    return pod;
  }

  /** Pops a pod whose back-off is over; undefined if there is none. */
  popCompleted(nowMillis: number): QueuedPodInfo | undefined {
    for (const heap of [this.#rejected, this.#failed]) {
      const next = heap.peek();
      if (next !== undefined && !this.isBackingOff(next, nowMillis)) return heap.pop();
    }
    return undefined;
  }

  /** Whether the pod's back-off has not ended, or ends in the current window. */
  isBackingOff(pod: QueuedPodInfo, nowMillis: number): boolean {
    return this.expirationMillis(pod) >= windowOf(nowMillis);
  }

  /** Returns the time at which the pod's back-off ends; -Infinity for a pod without attempts. */
  expirationMillis(pod: QueuedPodInfo): number {
    if (pod.attempts === 0) return Number.NEGATIVE_INFINITY;
    if (Number.isNaN(pod.backoffExpirationMillis)) {
      pod.backoffExpirationMillis = windowOf(pod.timestampMillis + this.#durationMillis(pod));
    }
    return pod.backoffExpirationMillis;
  }

  #durationMillis({ consecutiveErrorsCount, unschedulableCount }: QueuedPodInfo): number {
    const count = consecutiveErrorsCount > 0 ? consecutiveErrorsCount : unschedulableCount;
    if (count === 0) return 0;
    const { podInitialBackoffMillis, podMaxBackoffMillis } = this.#limits;
    return Math.min(podMaxBackoffMillis, podInitialBackoffMillis * 2 ** (count - 1));
  }
}

/** Orders pods by the end of their back-off, which is computed already, and pods of one end by `less`. */
function byExpiry(less: Less): Less {
  return (a, b) => {
    const one = computedExpiry(a);
    const other = computedExpiry(b);
    return one < other || (one === other && less(a, b));
  };
}

function computedExpiry({ attempts, backoffExpirationMillis }: QueuedPodInfo): number {
  return attempts === 0 ? Number.NEGATIVE_INFINITY : backoffExpirationMillis;
}

function windowOf(millis: number): number {
  return Math.floor(millis / ORDERING_WINDOW_MILLIS) * ORDERING_WINDOW_MILLIS;
}
