import type { Clock } from '../lib/clock.ts';

/**
 * When each pod is to be synced again. A pod has one time; a new one replaces it, earlier or later.
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

  /** The pod is not to be synced again on its own. */
  remove(uid: string): void {
    this.#dueMillisByUid.delete(uid);
  }

  /** The earliest time of any pod; Infinity when none waits. */
  get nextDueMillis(): number {
    let nextMillis = Number.POSITIVE_INFINITY;
    for (const dueMillis of this.#dueMillisByUid.values()) if (dueMillis < nextMillis) nextMillis = dueMillis;
    return nextMillis;
  }

  /**
   * Takes every pod whose time lies before now, in the order of these times (upstream: in none); one that is due just
   * now has to wait for the next look.
   */
  takeDue(): string[] {
    const nowMillis = this.#clock.nowMillis();
    const due = [...this.#dueMillisByUid].filter(([, dueMillis]) => dueMillis < nowMillis);
    for (const [uid] of due) this.#dueMillisByUid.delete(uid);
    return due.sort(byTimeAndUid).map(([uid]) => uid);
  }
}

/** What was queued before does not count: pods that are never due may come and go in between. */
function byTimeAndUid([uidA, millisA]: readonly [string, number], [uidB, millisB]: readonly [string, number]): number {
  if (millisA !== millisB) return millisA - millisB;
  return uidA < uidB ? -1 : 1;
}
