import type { Event } from '../../api/event.ts';
import type { KubernetesObject } from '../../api/meta.ts';
import { timeAtMillis } from '../../api/time.ts';
import { problemsOf } from '../../api/validation/check.ts';
import { dnsSubdomain } from '../../api/validation/names.ts';
import type { EventLoop } from '../../lib/event-loop.ts';
import { Fifo } from '../../lib/fifo.ts';
import type { Prng } from '../../lib/prng.ts';
import { ApiError, hasCause, ifFound, isApiError } from '../../store/objects/api-error.ts';
import { RandomNames } from '../../store/objects/names.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';
import type { ReportError } from '../report-error.ts';
import { type CorrelatedEvent, EventCorrelator } from './event-correlator.ts';
import type { EventRecorder, EventType } from './event-recorder.ts';

/** The parts of a cluster that record events. */
export interface EventRecorderModules {
  readonly client: Pick<StoreClient, 'create' | 'patch'>;
  readonly loop: EventLoop;
  /** Draws event names, and the first delay after a failure. */
  readonly prng: Prng;
  readonly reportError: ReportError;
}

/** An event that is still to be written to the API. */
interface PendingWrite {
  readonly subject: KubernetesObject;
  readonly type: EventType;
  readonly reason: string;
  readonly correlated: CorrelatedEvent;
  readonly atMillis: number;
}

/** Further events are dropped when this many are pending. Upstream: the event broadcaster's queue. */
const MAX_PENDING = 1000;
const MAX_TRIES = 12;
const RETRY_MILLIS = 10_000;
/** Errors after which the API may still accept the event. */
const MAY_PASS_LATER = new Set(['Timeout', 'TooManyRequests', 'ServiceUnavailable']);

/**
 * Writes events to the API, in a later task than the one that recorded them. A write that got no answer is retried
 * after ten seconds, and the others wait behind it; a refused write is reported and dropped.
 *
 * Upstream: client-go/tools/record/event.go.
 */
export class StoreEventRecorder implements EventRecorder {
  readonly #component: string;
  readonly #modules: EventRecorderModules;
  readonly #correlator: EventCorrelator;
  readonly #pending = new Fifo<PendingWrite>();
  readonly #uuids: RandomNames;
  #isScheduled = false;
  #tries = 0;

  /** `component`: the reporting component, such as `job-controller`. */
  constructor(component: string, modules: EventRecorderModules) {
    this.#component = component;
    this.#modules = modules;
    this.#correlator = new EventCorrelator(modules.loop);
    this.#uuids = new RandomNames(modules.prng);
  }

  event(subject: KubernetesObject, type: EventType, reason: string, message: string): void {
    if (this.#pending.length >= MAX_PENDING) return;
    const { apiVersion, kind, metadata } = subject;
    const subjectKey = `${apiVersion} ${kind} ${metadata?.namespace} ${metadata?.name} ${metadata?.uid}`;
    const correlated = this.#correlator.correlate({ subjectKey, type, reason, message });
    if (correlated === undefined) return;
    this.#pending.push({ subject, type, reason, correlated, atMillis: this.#modules.loop.nowMillis() });
    if (!this.#isScheduled) this.#schedule(0);
  }

  #schedule(delayMillis: number): void {
    this.#isScheduled = true;
    this.#modules.loop.after(delayMillis, () => this.#writePending());
  }

  #writePending(): void {
    this.#isScheduled = false;
    for (let next = this.#pending.peek(); next !== undefined; next = this.#pending.peek()) {
      try {
        this.#write(next);
      } catch (error) {
        if (this.#mayPassLater(error)) {
          this.#schedule(this.#retryDelayMillis());
          return;
        }
        // Events of a namespace that is being deleted are always refused, so that is not worth a report.
        if (!hasCause(error, 'NamespaceTerminating')) this.#modules.reportError(error, `record ${next.reason} event`);
      }
      this.#pending.shift();
      this.#tries = 0;
    }
  }

  /** Counts the attempt, and returns whether the write is to be retried. */
  #mayPassLater(error: unknown): boolean {
    this.#tries++;
    const hasVerdict = error instanceof ApiError && !MAY_PASS_LATER.has(error.reason);
    return !hasVerdict && this.#tries < MAX_TRIES;
  }

  /** The first delay is a random part of the usual one, so that recorders that fail together do not retry together. */
  #retryDelayMillis(): number {
    return this.#tries === 1 ? this.#modules.prng.below(RETRY_MILLIS) : RETRY_MILLIS;
  }

  #write(write: PendingWrite): void {
    const { count, message, series } = write.correlated;
    if (series.name === undefined) {
      this.#create(write);
      return;
    }
    const body = { count, message, lastTimestamp: timeAtMillis(write.atMillis) };
    const { client } = this.#modules;
    const { name } = series;
    const patched = ifFound(() => client.patch('events', namespaceOf(write.subject), name, { type: 'merge', body }));
    // Events are deleted by their time to live. Then the event is created anew, and keeps its count.
    if (patched === undefined) this.#create(write);
  }

  #create(write: PendingWrite): void {
    for (let tries = 1; ; tries++) {
      const name = this.#newName(write);
      try {
        this.#modules.client.create('events', this.#eventOf(write, name));
      } catch (error) {
        if (isApiError(error, 'AlreadyExists') && tries < MAX_TRIES) continue;
        throw error;
      }
      write.correlated.series.name = name;
      return;
    }
  }

  /**
   * The name of a new event, as upstream: the subject's name and the time in nanoseconds, of which the clock knows only
   * the milliseconds. If that is not a valid object name (it may be too long), the name is a UUID.
   */
  #newName({ subject, atMillis }: PendingWrite): string {
    const nanos = nanosInHex(Math.floor(atMillis), this.#modules.prng.below(NANOS_PER_MILLI));
    const name = `${subject.metadata?.name ?? ''}.${nanos}`;
    return problemsOf(dnsSubdomain, name).length === 0 ? name : this.#uuids.uid();
  }

  #eventOf({ subject, type, reason, correlated, atMillis }: PendingWrite, name: string): Event {
    const { apiVersion, kind, metadata } = subject;
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name, namespace: namespaceOf(subject) },
      involvedObject: {
        apiVersion,
        kind,
        namespace: metadata?.namespace,
        name: metadata?.name,
        uid: metadata?.uid,
        resourceVersion: metadata?.resourceVersion,
      },
      type,
      reason,
      message: correlated.message,
      source: { component: this.#component },
      firstTimestamp: timeAtMillis(correlated.series.firstMillis),
      lastTimestamp: timeAtMillis(atMillis),
      count: correlated.count,
      reportingComponent: this.#component,
    };
  }
}

const NANOS_PER_MILLI = 1_000_000;
/** Five hexadecimal digits. */
const LOW = 2 ** 20;

/**
 * The time in nanoseconds as a hexadecimal number, whose last digits are computed apart since it exceeds 2^53.
 *
 * @internal
 */
export function nanosInHex(millis: number, nanos: number): string {
  const highMillis = Math.floor(millis / LOW);
  const low = (millis - highMillis * LOW) * NANOS_PER_MILLI + nanos;
  const high = highMillis * NANOS_PER_MILLI + Math.floor(low / LOW);
  const digits = (low % LOW).toString(16);
  return high === 0 ? digits : high.toString(16) + digits.padStart(5, '0');
}

function namespaceOf(subject: KubernetesObject): string {
  return subject.metadata?.namespace || 'default';
}
