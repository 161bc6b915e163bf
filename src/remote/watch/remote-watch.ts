import type { Readable } from 'node:stream';
import type { KubernetesObject } from '../../api/meta.ts';
import type { EventLoop } from '../../lib/event-loop.ts';
import { Fifo } from '../../lib/fifo.ts';
import { LineSplitter } from '../../lib/line-splitter.ts';
import { ApiError } from '../../store/objects/api-error.ts';
import type { Watch, WatchEvent } from '../../store/objects/store-client.ts';
import { NetworkFailure } from '../connection/network-failure.ts';
import { errorOfStatus } from '../connection/refusal.ts';
import { trimmed } from './trimmed.ts';

/** The parts that a watch uses. */
export interface RemoteWatchModules {
  readonly loop: EventLoop;
  /** Opens the stream of changes after a version, or of all objects and what follows. @throws ApiError */
  readonly open: (resourceVersion: string, signal: AbortSignal, sendInitialEvents: boolean) => Promise<Readable>;
}

/** Where a watch begins. */
export interface RemoteWatchStart {
  readonly resourceVersion: string;
  /** All objects come first, and a bookmark ends them. */
  readonly sendInitialEvents: boolean;
}

/** While so many events wait, no more are read from the connection. */
const WAITING_MAX = 5000;
/** A watch that ends sooner, without any event, has failed. Upstream: the reflector's watch handler. */
const SHORTEST_MILLIS = 1000;

/** The annotation of the bookmark that follows the initial events. */
const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';

/** An event as it stands in a line. */
interface WatchLine<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: T;
}

/**
 * The changes of a resource of an API server, read at the reader's pace. When the server ends the watch in good order,
 * as it does every few minutes, the next one goes on from the last version:
 *
 *   opening ──▶ open ──▶ ended by the server ──▶ opening
 *      │          │                │ at once, and without an event
 *      └──────────┴────────────────┴──▶ failed: one ERROR, and nothing more
 *
 * A watch that ends before all initial events have come cannot go on: objects have no order of versions.
 */
export class RemoteWatch<T extends KubernetesObject> implements Watch<T> {
  readonly #modules: RemoteWatchModules;
  readonly #events = new Fifo<WatchEvent<T>>();
  readonly #abort = new AbortController();
  #resourceVersion: string;
  #stream: Readable | null = null;
  #wake: (() => void) | null = null;
  #hasFailed = false;
  /** Whether the bookmark that ends the initial events has not come. */
  #awaitsInitial: boolean;

  constructor(modules: RemoteWatchModules, { resourceVersion, sendInitialEvents }: RemoteWatchStart) {
    this.#modules = modules;
    this.#resourceVersion = resourceVersion;
    this.#awaitsInitial = sendInitialEvents;
    void this.#follow();
  }

  next(): WatchEvent<T> | undefined {
    const event = this.#events.shift();
    if (this.#stream?.isPaused() && this.#events.length < WAITING_MAX / 2) this.#stream.resume();
    return event;
  }

  onReady(wake: () => void): void {
    this.#wake = wake;
    if (this.#events.length > 0) wake();
  }

  stop(): void {
    this.#hasFailed = true;
    this.#abort.abort();
  }

  async #follow(): Promise<void> {
    const { loop } = this.#modules;
    while (!this.#hasFailed) {
      const startMillis = loop.nowMillis();
      const before = this.#resourceVersion;
      try {
        const stream = await this.#modules.open(before, this.#abort.signal, this.#awaitsInitial);
        await this.#read(stream);
      } catch (error) {
        this.#fail(error instanceof ApiError ? error : new NetworkFailure(error));
        return;
      }
      if (this.#awaitsInitial) {
        this.#fail(new ApiError('ServiceUnavailable', 'the watch ended before all initial events had come'));
      }
      if (loop.nowMillis() - startMillis < SHORTEST_MILLIS && this.#resourceVersion === before) {
        const why = 'very short watch: it ended in less than a second, without any event';
        this.#fail(new ApiError('ServiceUnavailable', why));
      }
    }
  }

  /** Resolves when the server has ended the stream; rejects when it broke. */
  #read(stream: Readable): Promise<void> {
    const lines = new LineSplitter();
    this.#stream = stream;
    return new Promise((resolve, reject) => {
      stream.on('data', (chunk: Buffer) => {
        try {
          for (const line of lines.push(chunk)) this.#take(JSON.parse(line) as WatchLine<T>);
        } catch (error) {
          reject(error);
          stream.destroy();
          return;
        }
        if (this.#events.length >= WAITING_MAX) stream.pause();
      });
      stream.on('end', resolve);
      stream.on('error', reject);
    });
  }

  #take({ type, object }: WatchLine<T>): void {
    if (this.#hasFailed) return;
    if (type === 'ERROR') {
      this.#fail(errorOfStatus(object));
      return;
    }
    const endsInitialEvents = type === 'BOOKMARK' && object.metadata?.annotations?.[INITIAL_EVENTS_END] === 'true';
    if (endsInitialEvents) this.#awaitsInitial = false;
    if (!this.#awaitsInitial) this.#resourceVersion = object.metadata?.resourceVersion ?? this.#resourceVersion;
    if (type === 'BOOKMARK') this.#push({ type, resourceVersion: this.#resourceVersion, endsInitialEvents });
    else this.#push({ type, object: trimmed(object) });
  }

  #fail(error: ApiError): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#push({ type: 'ERROR', error });
    this.#abort.abort();
  }

  #push(event: WatchEvent<T>): void {
    this.#events.push(event);
    if (this.#events.length === 1) this.#wake?.();
  }
}
