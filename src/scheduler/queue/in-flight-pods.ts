import type { ClusterEvent } from '../../framework/events.ts';

/** A cluster event since which some pod has been in flight. */
export interface InFlightEvent {
  readonly event: ClusterEvent;
  readonly oldObject: unknown;
  readonly newObject: unknown;
}

/**
 * The pods in flight, which are popped and not yet done, and the events meanwhile. A pod that returns to the queue is
 * judged by every event since it was popped.
 *
 *   events     first ─▶ e3 e4 e5 e6 e7        events before the oldest pod's start are dropped
 *   pods                  ▲a    ▲b            the start of each pod, in the order in which they were popped
 */
export class InFlightPods {
  /** The number of the first event after the pod was popped, by uid. */
  readonly #starts = new Map<string, number>();
  #events: InFlightEvent[] = [];
  /** The number of the first event that is kept. */
  #first = 0;

  has(uid: string): boolean {
    return this.#starts.has(uid);
  }

  /** The kept events, oldest first. */
  events(): readonly InFlightEvent[] {
    return this.#events;
  }

  begin(uid: string): void {
    this.#starts.set(uid, this.#first + this.#events.length);
  }

  /** Keeps the event for the pods in flight, if there are any. */
  record(event: InFlightEvent): void {
    if (this.#starts.size > 0) this.#events.push(event);
  }

  /** The events since the pod was popped; none if it is not in flight. */
  eventsSince(uid: string): readonly InFlightEvent[] {
    const start = this.#starts.get(uid);
    return start === undefined ? [] : this.#events.slice(start - this.#first);
  }

  /** Ends the flight of a pod, if it is in flight. */
  done(uid: string): void {
    if (!this.#starts.delete(uid) || this.#events.length === 0) return;
    const [oldest] = this.#starts.values();
    if (oldest === undefined) {
      this.#first += this.#events.length;
      this.#events = [];
    } else if (oldest > this.#first) {
      this.#events.splice(0, oldest - this.#first);
      this.#first = oldest;
    }
  }
}
