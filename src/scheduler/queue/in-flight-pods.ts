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
  /** The uid of the oldest pod; null if there is none, or it is the first in `#others`. Mostly it is the only one. */
  #oldest: string | null = null;
  #oldestStart = 0;
  /** The number of the first event after each other pod was popped, by uid. */
  readonly #others = new Map<string, number>();
  #events: InFlightEvent[] = [];
  /** The number of the first event that is kept. */
  #first = 0;

  /** Whether no pod is in flight, so that no event is kept. */
  get isEmpty(): boolean {
    return this.#oldest === null && this.#others.size === 0;
  }

  has(uid: string): boolean {
    return this.#oldest === uid || (this.#others.size > 0 && this.#others.has(uid));
  }

  /** The kept events, oldest first. */
  events(): readonly InFlightEvent[] {
    return this.#events;
  }

  /** Begins the flight of a pod that is not in flight. */
  begin(uid: string): void {
    const start = this.#first + this.#events.length;
    if (!this.isEmpty) {
      this.#others.set(uid, start);
      return;
    }
    this.#oldest = uid;
    this.#oldestStart = start;
  }

  /** Keeps the event for the pods in flight, if there are any. */
  record(event: InFlightEvent): void {
    if (!this.isEmpty) this.#events.push(event);
  }

  /** The events since the pod was popped; none if it is not in flight. */
  eventsSince(uid: string): readonly InFlightEvent[] {
    const start = this.#oldest === uid ? this.#oldestStart : this.#others.get(uid);
    return start === undefined ? [] : this.#events.slice(start - this.#first);
  }

  /** Ends the flight of a pod, if it is in flight. */
  done(uid: string): void {
    if (this.#oldest === uid) this.#oldest = null;
    else if (this.#others.size === 0 || !this.#others.delete(uid)) return;
    if (this.#events.length > 0) this.#dropEvents();
  }

  /** Drops the events before the start of the oldest pod. */
  #dropEvents(): void {
    const oldest = this.#oldest === null ? this.#others.values().next().value : this.#oldestStart;
    if (oldest === undefined) {
      this.#first += this.#events.length;
      this.#events = [];
    } else if (oldest > this.#first) {
      this.#events.splice(0, oldest - this.#first);
      this.#first = oldest;
    }
  }
}
