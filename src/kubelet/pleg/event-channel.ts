import type { PodLifecycleEvent } from './compute-events.ts';

/**
 * Between the PLEG and the kubelet's sync loop. It is bounded, and what does not fit is lost: the pods are synced every
 * minute anyway, so a late reaction is better than a PLEG that waits.
 */
export class EventChannel {
  readonly #capacity: number;
  readonly #wake: () => void;
  #events: PodLifecycleEvent[] = [];
  #discarded = 0;

  /** @param wake called when the first event comes into the empty channel */
  constructor(capacity = 1000, wake: () => void = () => {}) {
    this.#capacity = capacity;
    this.#wake = wake;
  }

  get length(): number {
    return this.#events.length;
  }

  /** How many events did not fit since the beginning. */
  get discarded(): number {
    return this.#discarded;
  }

  send(event: PodLifecycleEvent): void {
    if (this.#events.length >= this.#capacity) {
      this.#discarded++;
      return;
    }
    this.#events.push(event);
    if (this.#events.length === 1) this.#wake();
  }

  /** What is in the channel, oldest first. */
  peek(): readonly PodLifecycleEvent[] {
    return this.#events;
  }

  /** The oldest events, at most `count`. */
  take(count = Number.POSITIVE_INFINITY): PodLifecycleEvent[] {
    if (count < this.#events.length) return this.#events.splice(0, count);
    const taken = this.#events;
    this.#events = [];
    return taken;
  }
}
