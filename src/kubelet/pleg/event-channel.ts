import type { PodLifecycleEvent } from './compute-events.ts';

const FEW = 4;

/**
 * The channel between the PLEG and the kubelet's sync loop. It is bounded, and events that do not fit are dropped,
 * since all pods are synced every minute anyway.
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

  /** How many events were dropped so far. */
  get discarded(): number {
    return this.#discarded;
  }

  send(event: PodLifecycleEvent): void {
    const { length } = this.#events;
    if (length >= this.#capacity) {
      this.#discarded++;
      return;
    }
    // Mostly few events come, and a list that grows by `push` keeps room for 16 more.
    if (length < FEW) this.#events = length === 0 ? [event] : this.#events.concat(event);
    else this.#events.push(event);
    if (length === 0) this.#wake();
  }

  /** The events in the channel, oldest first. */
  peek(): readonly PodLifecycleEvent[] {
    return this.#events;
  }

  /** Removes and returns the oldest events, at most `count`. */
  take(count = Number.POSITIVE_INFINITY): PodLifecycleEvent[] {
    if (count < this.#events.length) return this.#events.splice(0, count);
    const taken = this.#events;
    this.#events = [];
    return taken;
  }
}
