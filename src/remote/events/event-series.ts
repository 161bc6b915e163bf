import type { EventLoop } from '../../lib/event-loop.ts';

/** An event of events.k8s.io, as far as it is written here. */
export interface EventBody {
  readonly apiVersion: 'events.k8s.io/v1';
  readonly kind: 'Event';
  readonly metadata: { readonly name: string; readonly namespace: string };
  /** The time of the first occurrence, with microseconds. */
  readonly eventTime: string;
  readonly type: string;
  readonly reason: string;
  readonly action: string;
  readonly note: string;
  readonly reportingController: string;
  readonly reportingInstance: string;
  readonly regarding: ObjectReference;
  readonly related?: ObjectReference | undefined;
}

export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly uid: string | undefined;
  readonly resourceVersion?: string | undefined;
}

/** How often an event has occurred that occurred before. */
export interface SeriesBody {
  readonly count: number;
  readonly lastObservedTime: string;
}

interface Series {
  readonly event: EventBody;
  readonly firstMillis: number;
  /** 1 for an event that has not occurred again. */
  count: number;
  lastMillis: number;
}

/** Upstream: finishTime and refreshTime of client-go/tools/events. */
const FINISH_MILLIS = 6 * 60_000;
const REFRESH_MILLIS = 30 * 60_000;

/** Receives what is to be written: a new event (without series), or how often a written one has occurred. */
export type WriteEvent = (event: EventBody, series: SeriesBody | null) => void;

/**
 * Folds occurrences of the same event into a series, so that what happens again and again costs few writes. The note
 * does not count, since it changes from one occurrence to the next.
 *
 *   first occurrence ──▶ created ──▶ second: count 2 is written ──▶ further ones are only counted
 *                           │                                          │ every half hour: the count is written
 *                           └── silent for six minutes: forgotten ◀────┘ with its last count
 */
export class EventSeriesCache {
  readonly #loop: EventLoop;
  readonly #write: WriteEvent;
  readonly #series = new Map<string, Series>();
  #isSweeping = false;
  #sinceRefreshMillis = 0;

  constructor(loop: EventLoop, write: WriteEvent) {
    this.#loop = loop;
    this.#write = write;
  }

  /** The events that may still become a series, or are one. */
  get size(): number {
    return this.#series.size;
  }

  occurred(event: EventBody): void {
    const key = keyOf(event);
    const known = this.#series.get(key);
    const nowMillis = this.#loop.nowMillis();
    if (known === undefined) {
      this.#series.set(key, { event, firstMillis: nowMillis, count: 1, lastMillis: nowMillis });
      this.#write(event, null);
      this.#sweepLater();
      return;
    }
    known.count++;
    known.lastMillis = nowMillis;
    if (known.count === 2) this.#writeCount(known);
  }

  #sweepLater(): void {
    if (this.#isSweeping) return;
    this.#isSweeping = true;
    this.#loop.after(FINISH_MILLIS, () => {
      this.#isSweeping = false;
      this.#sweep();
      if (this.#series.size > 0) this.#sweepLater();
    });
  }

  #sweep(): void {
    this.#sinceRefreshMillis += FINISH_MILLIS;
    const isRefresh = this.#sinceRefreshMillis >= REFRESH_MILLIS;
    if (isRefresh) this.#sinceRefreshMillis = 0;
    const silentSinceMillis = this.#loop.nowMillis() - FINISH_MILLIS;
    for (const [key, series] of this.#series) {
      const isOver = series.lastMillis <= silentSinceMillis;
      if (series.count > 1 && (isOver || isRefresh)) this.#writeCount(series);
      if (isOver) this.#series.delete(key);
    }
  }

  #writeCount({ event, count, lastMillis }: Series): void {
    this.#write(event, { count, lastObservedTime: microTime(lastMillis) });
  }
}

function keyOf({ type, action, reason, reportingController, regarding, related }: EventBody): string {
  return [type, action, reason, reportingController, referenceKey(regarding), referenceKey(related)].join('\n');
}

function referenceKey(reference: ObjectReference | undefined): string {
  if (reference === undefined) return '';
  const { kind, namespace, name, uid } = reference;
  return `${kind} ${namespace}/${name} ${uid}`;
}

/** A time as events carry it, with microseconds. */
export function microTime(millis: number): string {
  return new Date(millis).toISOString().replace('Z', '000Z');
}
