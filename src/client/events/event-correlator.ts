import type { Clock } from '../../lib/clock.ts';
import { LruMap } from '../../lib/lru-map.ts';
import { TokenBucket } from '../queue/token-bucket.ts';
import type { EventType } from './event-recorder.ts';

/** What happened, as the recorder was told. */
export interface Occurrence {
  /** One text for each object that events are about. */
  readonly subjectKey: string;
  readonly type: EventType;
  readonly reason: string;
  readonly message: string;
}

/** An event in the API that stands for all occurrences folded into it. */
export interface EventSeries {
  /** The event's name; undefined until it is created. */
  name: string | undefined;
  readonly firstMillis: number;
  count: number;
}

/** What the API is to be told of an occurrence: the first of a series makes an event, the others change it. */
export interface CorrelatedEvent {
  readonly series: EventSeries;
  /** Occurrences so far. */
  readonly count: number;
  readonly message: string;
}

interface SimilarEvents {
  /** Messages of the series that are kept apart. */
  messages: Set<string>;
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
 * 1. *Aggregate.* From the tenth different message of one object, type and reason on, without ten minutes of silence in
 *    between, all are one series: "(combined from similar events): ...".
 * 2. *Count.* An occurrence that is like an earlier one raises that one's count.
 * 3. *Filter.* Each object may have 25 occurrences at once, and then one every five minutes; the others are dropped.
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

  /** undefined: the object has had too many, this one is dropped. */
  correlate(occurrence: Occurrence): CorrelatedEvent | undefined {
    const { subjectKey, type, reason, message } = occurrence;
    const similarKey = `${subjectKey} ${type} ${reason}`;
    const isCombined = this.#isOneOfMany(similarKey, message);
    const series = this.#count(isCombined ? similarKey : `${similarKey} ${message}`);
    if (!this.#bucketOf(subjectKey).tryTake()) return undefined;
    const shown = isCombined ? `(combined from similar events): ${message}` : message;
    return { series, count: series.count, message: shown };
  }

  #isOneOfMany(similarKey: string, message: string): boolean {
    const nowMillis = this.#clock.nowMillis();
    let similar = this.#similar.get(similarKey);
    if (similar === undefined || nowMillis - similar.lastMillis > MAX_SIMILAR_INTERVAL_MILLIS) {
      similar = { messages: new Set(), lastMillis: nowMillis };
      this.#similar.set(similarKey, similar);
    }
    similar.lastMillis = nowMillis;
    similar.messages.add(message);
    if (similar.messages.size < MAX_SIMILAR) return false;
    // Only their number counts; upstream, too, lets any of them go.
    const [anyMessage] = similar.messages;
    similar.messages.delete(anyMessage as string);
    return true;
  }

  #count(key: string): EventSeries {
    let series = this.#series.get(key);
    if (series === undefined) {
      series = { name: undefined, firstMillis: this.#clock.nowMillis(), count: 0 };
      this.#series.set(key, series);
    }
    series.count++;
    return series;
  }

  #bucketOf(subjectKey: string): TokenBucket {
    let bucket = this.#buckets.get(subjectKey);
    if (bucket === undefined) {
      bucket = new TokenBucket(SPAM_MILLIS_PER_TOKEN, SPAM_BURST, this.#clock);
      this.#buckets.set(subjectKey, bucket);
    }
    return bucket;
  }
}
