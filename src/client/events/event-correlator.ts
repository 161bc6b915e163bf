import type { Clock } from '../../lib/clock.ts';
import { getOrMake } from '../../lib/get-or-make.ts';
import { LruMap } from '../../lib/lru-map.ts';
import { TokenBucket } from '../queue/rate-limiter.ts';
import type { EventType } from './event-recorder.ts';

/** An event as it was passed to the recorder. */
export interface Occurrence {
  /** A key that is unique for each object that events are about. */
  readonly subjectKey: string;
  readonly type: EventType;
  readonly reason: string;
  readonly message: string;
}

/** An event in the API that stands for all occurrences that were folded into it. */
export interface EventSeries {
  /** The event's name; undefined until it is created. */
  name: string | undefined;
  readonly firstMillis: number;
  count: number;
}

/** The write that an occurrence leads to: the first occurrence of a series creates an event, the others update it. */
export interface CorrelatedEvent {
  readonly series: EventSeries;
  /** The number of occurrences so far. */
  readonly count: number;
  readonly message: string;
}

interface SimilarEvents {
  /** The distinct messages of the series. */
  readonly messages: string[];
  lastMillis: number;
}

/** Upstream's defaults (client-go/tools/record/events_cache.go). */
const CACHE_SIZE = 4096;
const MAX_SIMILAR = 10;
const MAX_SIMILAR_INTERVAL_MILLIS = 600_000;
const SPAM_BURST = 25;
const SPAM_MILLIS_PER_TOKEN = 300_000;

/**
 * Folds occurrences into fewer events, in three steps:
 *
 * 1. *Aggregate.* From the tenth distinct message of one object, type and reason on, without a gap of ten minutes in
 *    between, all are one series: "(combined from similar events): ...".
 * 2. *Count.* An occurrence that equals an earlier one raises its count.
 * 3. *Filter.* Each object may have a burst of 25 occurrences, and then one every five minutes; the others are dropped.
 *
 * Upstream: EventCorrelator.
 */
export class EventCorrelator {
  readonly #clock: Clock;
  readonly #similar = new LruMap<string, SimilarEvents>(CACHE_SIZE);
  readonly #series = new LruMap<string, EventSeries>(CACHE_SIZE);
  readonly #buckets = new LruMap<string, TokenBucket>(CACHE_SIZE);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Returns the write for an occurrence, or undefined if the occurrence is dropped because its object has had too many.
   */
  correlate(occurrence: Occurrence): CorrelatedEvent | undefined {
    const { subjectKey, type, reason, message } = occurrence;
    const similarKey = `${subjectKey} ${type} ${reason}`;
    const isCombined = this.#isOneOfMany(similarKey, message);
    const series = this.#count(isCombined ? similarKey : `${similarKey} ${message}`);
    const newBucket = () => new TokenBucket(SPAM_MILLIS_PER_TOKEN, SPAM_BURST, this.#clock);
    if (!getOrMake(this.#buckets, subjectKey, newBucket).tryTake()) return undefined;
    const shown = isCombined ? `(combined from similar events): ${message}` : message;
    return { series, count: series.count, message: shown };
  }

  #isOneOfMany(similarKey: string, message: string): boolean {
    const nowMillis = this.#clock.nowMillis();
    const similar = this.#similar.get(similarKey);
    if (similar === undefined || nowMillis - similar.lastMillis > MAX_SIMILAR_INTERVAL_MILLIS) {
      this.#similar.set(similarKey, { messages: [message], lastMillis: nowMillis });
      return false;
    }
    similar.lastMillis = nowMillis;
    if (!similar.messages.includes(message)) similar.messages.push(message);
    if (similar.messages.length < MAX_SIMILAR) return false;
    // Only the number of messages counts, so any of them is dropped, as upstream does.
    similar.messages.shift();
    return true;
  }

  #count(key: string): EventSeries {
    const firstMillis = this.#clock.nowMillis();
    const series = getOrMake(this.#series, key, () => ({ name: undefined, firstMillis, count: 0 }));
    series.count++;
    return series;
  }
}
