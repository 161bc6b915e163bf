import { createHash } from 'node:crypto';
import type { KubernetesObject } from '../api/meta.ts';
import { timeAtMillis } from '../api/time.ts';
import type { EventRecorder, EventType } from '../client/events/event-recorder.ts';
import { objectKey } from '../client/object-key.ts';
import type { Clock } from '../lib/clock.ts';
import { followWrites } from '../store/follow-writes.ts';
import { RESOURCES, type Resource } from '../store/objects/resources.ts';
import type { StoreClient } from '../store/objects/store-client.ts';
import { summaryOf } from './object-summary.ts';

/** What an event log is made of. */
export interface EventLogModules {
  readonly client: StoreClient;
  readonly clock: Clock;
  /** Receives every line, without the line feed. */
  readonly onLine?: ((line: string) => void) | undefined;
}

/** The length of the text that is hashed at once, since a call for every line would cost more than the hash. */
const PIECE_LENGTH = 1 << 16;

/**
 * A log of everything that happens in a cluster, one line each: every write to the store in the order of the writes,
 * every event that a controller records, every error that is reported, every fault that is injected. Two runs are equal
 * when their logs are, and two logs are equal when their hashes are.
 *
 * ```
 * 2026-01-01T00:00:01.000Z 27 MODIFIED pods default/pi-0-7cwlr Running on node-1
 * 2026-01-01T00:00:01.000Z recorded Normal SuccessfulCreate of Job default/pi: "Created pod: pi-0-7cwlr"
 * 2026-01-01T00:00:01.000Z reported sync job default/pi: "..."
 * 2026-01-01T00:00:01.000Z noted nodeCrash of node-1 begins
 * ```
 */
export class EventLog {
  readonly #client: StoreClient;
  readonly #clock: Clock;
  readonly #onLine: ((line: string) => void) | undefined;
  readonly #hash = createHash('sha256');
  readonly #followed: { stop(): void }[] = [];
  lineCount = 0;
  /** The lines that are not yet hashed. */
  #text = '';
  #timeMillis = Number.NaN;
  #timeText = '';

  constructor({ client, clock, onLine }: EventLogModules) {
    this.#client = client;
    this.#clock = clock;
    this.#onLine = onLine;
  }

  /** The SHA-256, in hex, of all lines so far, each ended by a line feed. */
  hash(): string {
    this.#flush();
    return this.#hash.copy().digest('hex');
  }

  /** Starts logging writes. */
  start(): void {
    if (this.#followed.length > 0) return;
    const { resourceVersion } = this.#client.list('namespaces');
    for (const resource of Object.keys(RESOURCES) as Resource[]) {
      const see = (type: string, object: KubernetesObject): void => this.#written(type, resource, object);
      this.#followed.push(followWrites(this.#client, resource, resourceVersion, see));
    }
  }

  stop(): void {
    for (const followed of this.#followed.splice(0)) followed.stop();
  }

  /** The recorder, with a log line for every event before it may be folded into another one, or dropped. */
  recording(recorder: EventRecorder): EventRecorder {
    return {
      event: (subject, type, reason, message) => {
        this.#recorded(subject, type, reason, message);
        recorder.event(subject, type, reason, message);
      },
    };
  }

  reported(error: unknown, activity: string): void {
    this.#line(`reported ${activity}: ${JSON.stringify(error instanceof Error ? error.message : String(error))}`);
  }

  /** Logs something that was done to the cluster from outside, such as a fault. */
  noted(text: string): void {
    this.#line(`noted ${text}`);
  }

  #written(type: string, resource: Resource, object: KubernetesObject): void {
    const summary = summaryOf(resource, object);
    const { resourceVersion, namespace = '', name = '' } = object.metadata ?? {};
    const key = namespace === '' ? name : `${namespace}/${name}`;
    const text = `${resourceVersion} ${type} ${resource} ${key}`;
    this.#line(summary === '' ? text : `${text} ${summary}`);
  }

  #recorded(subject: KubernetesObject, type: EventType, reason: string, message: string): void {
    this.#line(`recorded ${type} ${reason} of ${subject.kind} ${objectKey(subject)}: ${quoted(message)}`);
  }

  #line(text: string): void {
    const line = `${this.#time()} ${text}`;
    this.lineCount++;
    // V8 puts texts that are added together only when they are read: here for many lines at once.
    this.#text += `${line}\n`;
    if (this.#text.length > PIECE_LENGTH) this.#flush();
    this.#onLine?.(line);
  }

  #flush(): void {
    this.#hash.update(this.#text);
    this.#text = '';
  }

  #time(): string {
    const nowMillis = this.#clock.nowMillis();
    if (nowMillis !== this.#timeMillis) {
      this.#timeMillis = nowMillis;
      this.#timeText = timeWithMillis(Math.trunc(nowMillis));
    }
    return this.#timeText;
  }
}

/** The time as `Date` writes it, with the seconds from the texts that are kept. */
function timeWithMillis(millis: number): string {
  const rest = millis - Math.floor(millis / 1000) * 1000;
  return `${timeAtMillis(millis).slice(0, -1)}.${String(rest).padStart(3, '0')}Z`;
}

/** Texts that stand in JSON as they are. */
const PLAIN = /^[ !#-[\]-~]*$/;

function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}
