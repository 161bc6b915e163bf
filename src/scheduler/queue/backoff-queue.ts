import { Heap } from '../../lib/heap.ts';
import { isBeforeByTime, type Less } from './pod-order.ts';
import type { QueuedPodInfo } from './queued-pod-info.ts';

/** Pods of one window leave together, and so in the order of the active queue. */
const ORDERING_WINDOW_MILLIS = 1000;

export interface BackoffLimits {
  readonly podInitialBackoffMillis: number;
  readonly podMaxBackoffMillis: number;
}

/**
 * Pods whose last attempt failed a short time ago (upstream's backoff_queue.go). The wait doubles with every failure.
 * Those that plugins rejected are apart from those that met an error: only the former may be popped early.
 */
export class BackoffQueue {
  readonly #limits: BackoffLimits;
  readonly #rejected: Heap<QueuedPodInfo>;
  readonly #failed: Heap<QueuedPodInfo>;

  constructor(limits: BackoffLimits, less: Less) {
    this.#limits = limits;
    const expiry = (pod: QueuedPodInfo): number => this.expirationMillis(pod);
    this.#rejected = new Heap((a, b) => expiry(a) < expiry(b) || (expiry(a) === expiry(b) && less(a, b)));
    // They say nothing about the pod's turn: within a window, who failed first.
    this.#failed = new Heap((a, b) => expiry(a) < expiry(b) || (expiry(a) === expiry(b) && isBeforeByTime(a, b)));
  }

  get length(): number {
    return this.#rejected.length + this.#failed.length;
  }

  push(pod: QueuedPodInfo): void {
    const isError = pod.hasNoRejector;
    pod.place = isError ? 'errorBackoff' : 'backoff';
    (isError ? this.#failed : this.#rejected).push(pod);
  }

  remove(pod: QueuedPodInfo): void {
    (pod.place === 'errorBackoff' ? this.#failed : this.#rejected).remove(pod);
  }

  update(pod: QueuedPodInfo): void {
    (pod.place === 'errorBackoff' ? this.#failed : this.#rejected).update(pod);
  }

  /** Before its time, and never one that met an error. */
  popEarly(): QueuedPodInfo | undefined {
    return this.#rejected.pop();
  }

  /** One whose wait is over at this time. */
  popCompleted(nowMillis: number): QueuedPodInfo | undefined {
    for (const heap of [this.#rejected, this.#failed]) {
      const next = heap.peek();
      if (next !== undefined && !this.isBackingOff(next, nowMillis)) return heap.pop();
    }
    return undefined;
  }

  /** A window that has only begun counts as not over. */
  isBackingOff(pod: QueuedPodInfo, nowMillis: number): boolean {
    return this.expirationMillis(pod) >= windowOf(nowMillis);
  }

  /** -Infinity for a pod that owes no wait. */
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

function windowOf(millis: number): number {
  return Math.floor(millis / ORDERING_WINDOW_MILLIS) * ORDERING_WINDOW_MILLIS;
}
