import type { ClusterEvent } from '../../framework/events.ts';

/** An event that some pod in flight has not been judged by yet. */
export interface InFlightEvent {
  readonly event: ClusterEvent;
  readonly oldObject: unknown;
  readonly newObject: unknown;
}

/**
 * Pods that were popped and of which nobody has said yet what became of them, and what happened meanwhile: a pod that
 * comes back is judged by every event since it was popped.
 *
 *   events     first ─▶ e3 e4 e5 e6 e7        those before the oldest pod's start are dropped
 *   pods                  ▲a    ▲b            each knows where it started; in the order in which they were popped
 */
export class InFlightPods {
  /** Number of the first event that a pod has not missed, by uid. */
  readonly #starts = new Map<string, number>();
  #events: InFlightEvent[] = [];
  /** Number of the first event that is kept. */
  #first = 0;

  get size(): number {
    return this.#starts.size;
  }

  has(uid: string): boolean {
    return this.#starts.has(uid);
  }

  uids(): Iterable<string> {
    return this.#starts.keys();
  }

  /** Kept events, oldest first. */
  events(): readonly InFlightEvent[] {
    return this.#events;
  }

  begin(uid: string): void {
    this.#starts.set(uid, this.#first + this.#events.length);
  }

  /** Remembers the event for whoever is in flight. */
  record(event: ClusterEvent, oldObject: unknown, newObject: unknown): void {
    this.#events.push({ event, oldObject, newObject });
  }

  /** What happened since the pod was popped. */
  eventsSince(uid: string): readonly InFlightEvent[] {
    const start = this.#starts.get(uid);
    return start === undefined ? [] : this.#events.slice(start - this.#first);
  }

  /** Nothing happens when it is not in flight. */
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
