import type { Clock } from '../lib/clock.ts';

/**
 * The time at which each pod is to be synced again. A pod has one time; a new one replaces it, whether earlier or
 * later.
 *
 * Upstream: pkg/kubelet/util/queue/work_queue.go.
 */
export class PodWorkQueue {
  readonly #clock: Clock;
  readonly #dueMillisByUid = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  enqueue(uid: string, delayMillis: number): void {
    this.#dueMillisByUid.set(uid, this.#clock.nowMillis() + delayMillis);
  }

  /** Removes the pod: it is not synced again by itself. */
  remove(uid: string): void {
    this.#dueMillisByUid.delete(uid);
  }

  /** The earliest time of any pod; Infinity when the queue is empty. */
  get nextDueMillis(): number {
    let nextMillis = Number.POSITIVE_INFINITY;
    for (const dueMillis of this.#dueMillisByUid.values()) if (dueMillis < nextMillis) nextMillis = dueMillis;
    return nextMillis;
  }

  /**
   * Removes and returns the pods whose time lies before now, ordered by time (upstream: in no order). A pod that is due
   * exactly now waits for the next call.
   */
  takeDue(): string[] {
    const nowMillis = this.#clock.nowMillis();
    const due = [...this.#dueMillisByUid].filter(([, dueMillis]) => dueMillis < nowMillis);
    for (const [uid] of due) this.#dueMillisByUid.delete(uid);
    return due.sort(byTimeAndUid).map(([uid]) => uid);
  }
}

/**
 * Orders by time and then by uid. The order of insertion must not count: pods that are never due may come and go in
 * between.
 */
function byTimeAndUid([uidA, millisA]: readonly [string, number], [uidB, millisB]: readonly [string, number]): number {
  if (millisA !== millisB) return millisA - millisB;
  return uidA < uidB ? -1 : 1;
}
