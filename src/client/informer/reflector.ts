import type { KubernetesObject } from '../../api/meta.ts';
import { Backoff, type BackoffSettings } from '../../lib/backoff.ts';
import type { EventLoop, Timer } from '../../lib/event-loop.ts';
import { type MaybePromise, whenAnswered } from '../../lib/maybe-promise.ts';
import type { Prng } from '../../lib/prng.ts';
import { ApiError, isGone } from '../../store/objects/api-error.ts';
import type { List, ListOptions, Watch, WatchEvent, WatchOptions } from '../../store/objects/store-client.ts';
import { objectKey } from '../object-key.ts';
import type { ReportError } from '../report-error.ts';

/** The source of objects: one resource of the API, or a part of it. */
export interface ListerWatcher<T> {
  /** The plural name of what is listed, for error reports. */
  readonly name: string;
  /** A store answers at once, a server later. @throws ApiError, or rejects with it */
  list(options: Pick<ListOptions, 'limit' | 'continue'>): MaybePromise<List<T>>;
  watch(options: Pick<WatchOptions, 'resourceVersion' | 'allowBookmarks' | 'sendInitialEvents'>): Watch<T>;
  /** Whether a watch may begin with all objects instead of a list; a source may refuse it all the same. */
  readonly streamsLists?: boolean;
}

/** A change that a watch reports. */
export type ChangeType = 'Added' | 'Updated' | 'Deleted';

const CHANGES = { ADDED: 'Added', MODIFIED: 'Updated', DELETED: 'Deleted' } as const;

/** The receiver of objects. */
export interface ReflectorTarget<T> {
  change(type: ChangeType, object: T): void;
  /** Receives a complete list; objects that are not in it are gone. */
  replace(objects: readonly T[]): void;
}

/** Watches with events that are still to be read. */
export interface UnreadWatches {
  /** `read` is called once: by whoever wants to know what has happened until now. */
  add(read: () => void): void;
}

/** The parts of a cluster that a reflector uses. */
export interface ReflectorModules {
  readonly loop: EventLoop;
  /** Draws the jitter of back-offs. */
  readonly prng: Prng;
  readonly reportError: ReportError;
  /** Hears of events before the task that reads them; absent: they are read in that task. */
  readonly unread?: UnreadWatches | undefined;
}

/** Where a reflector begins. */
export interface ReflectorOptions {
  /** The target equals the objects at this version already: a watch from there is enough. Absent: it is listed. */
  readonly resourceVersion?: string | undefined;
}

/** The number of objects in a page of a list. Upstream: pager.defaultPageSize. */
const PAGE_SIZE = 500;

/** The back-off after errors. Upstream: the reflector's back-off manager. */
const BACKOFF: BackoffSettings = {
  initialMillis: 800,
  maxMillis: 30_000,
  factor: 2,
  jitter: 1,
  resetMillis: 2 * 60_000,
};

/** A source that answers so to a watch that begins with all objects does not know such watches. */
const KNOWS_NO_STREAMS = new Set(['Invalid', 'BadRequest']);

/** A watch that ends with one of these errors can be resumed at the last version seen. */
const VERSION_STILL_STANDS = new Set(['TooManyRequests', 'InternalError', 'ServiceUnavailable']);

/**
 * Keeps a target equal to the objects in the API.
 *
 *               last page                       ERROR: Gone, or another refusal
 *   listing ───────────────▶ watching ──────────────────────────┐
 *    │  ▲ ▲                   │    ▲                            │
 *    │  │ │             ERROR: busy, or broken                  │
 *    │  │ │                   ▼    │ back-off is over           │
 *    │  │ │                 waiting to watch                    │
 *    │  │ └── back-off is over ─── waiting to list ◀────────────┘
 *    │  └── next page                    ▲
 *    └───────────── error ───────────────┘
 *
 * A source that streams lists is not listed but watched from the beginning (upstream: WatchList): what comes before the
 * bookmark that ends the initial events is the list. If that is refused, the source is listed.
 *
 * Each page, and each batch of watch events, is a task of its own on the loop. A list that expires between two pages is
 * repeated as a single page.
 */
export class Reflector<T extends KubernetesObject> {
  readonly #source: ListerWatcher<T>;
  readonly #target: ReflectorTarget<T>;
  readonly #loop: EventLoop;
  readonly #reportError: ReportError;
  readonly #unread: UnreadWatches | undefined;
  #isUnread = false;
  readonly #backoff: Backoff;
  #isRunning = false;
  #watch: Watch<T> | undefined;
  /** Counts stops, so that tasks that were scheduled before a stop are recognised and ignored. */
  #life = 0;
  #timer: Timer | undefined;
  #resourceVersion: string;
  #streamsLists: boolean;
  /** The objects of a list that is streamed, by their keys; null when none is. */
  #streamed: Map<string, T> | null = null;
  /** Whether the next start watches, because the target need not be listed. */
  #isResumed: boolean;

  constructor(
    source: ListerWatcher<T>,
    target: ReflectorTarget<T>,
    modules: ReflectorModules,
    { resourceVersion = '' }: ReflectorOptions = {},
  ) {
    this.#resourceVersion = resourceVersion;
    this.#isResumed = resourceVersion !== '';
    this.#source = source;
    this.#streamsLists = source.streamsLists === true;
    this.#target = target;
    this.#loop = modules.loop;
    this.#reportError = modules.reportError;
    this.#unread = modules.unread;
    this.#backoff = new Backoff(BACKOFF, modules.loop, modules.prng);
  }

  /** The version of the last list, event or bookmark; '' before the first list. */
  get lastSyncResourceVersion(): string {
    return this.#resourceVersion;
  }

  start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    const isResumed = this.#isResumed;
    this.#isResumed = false;
    this.#soon(() => (isResumed ? this.#startWatch() : this.#list()));
  }

  stop(): void {
    if (!this.#isRunning) return;
    this.#isRunning = false;
    this.#life++;
    this.#timer?.cancel();
    this.#watch?.stop();
    this.#watch = undefined;
    this.#streamed = null;
  }

  #list(): void {
    if (this.#streamsLists) this.#openWatch(new Map());
    else this.#listPage({ limit: PAGE_SIZE }, []);
  }

  /** `earlier`: the pages before this one. */
  #listPage(options: { limit?: number; continue?: string }, earlier: readonly List<T>[]): void {
    const life = this.#life;
    whenAnswered(() => this.#source.list(options), {
      done: (page) => {
        if (this.#life === life) this.#takePage(page, earlier);
      },
      failed: (error) => {
        if (this.#life !== life) return;
        if (options.continue !== undefined && isGone(error)) this.#soon(() => this.#listPage({}, []));
        else this.#retry(error, `list ${this.#source.name}`, () => this.#list());
      },
    });
  }

  #takePage(page: List<T>, earlier: readonly List<T>[]): void {
    const pages = [...earlier, page];
    const next = page.continue;
    if (next !== undefined && next !== '') {
      this.#soon(() => this.#listPage({ limit: PAGE_SIZE, continue: next }, pages));
      return;
    }
    // The version of the first page is used, since a watch from there misses nothing.
    this.#resourceVersion = pages[0]!.resourceVersion;
    const life = this.#life;
    this.#target.replace(pages.flatMap(({ items }) => items));
    if (this.#life === life) this.#startWatch();
  }

  #startWatch(): void {
    this.#openWatch(null);
  }

  /** `streamed`: begins with all objects, which are gathered there; null: goes on from the last version. */
  #openWatch(streamed: Map<string, T> | null): void {
    this.#streamed = streamed;
    const from = streamed === null ? this.#resourceVersion : '';
    const initial = streamed === null ? {} : { sendInitialEvents: true as const };
    try {
      this.#watch = this.#source.watch({ resourceVersion: from, allowBookmarks: true, ...initial });
    } catch (error) {
      this.#recover(error);
      return;
    }
    const watch = this.#watch;
    const life = this.#life;
    let isScheduled = false;
    watch.onReady(() => {
      if (this.#unread !== undefined && !this.#isUnread) {
        this.#isUnread = true;
        this.#unread.add(this.#read);
      }
      // This is called in the middle of another writer's write, so the events are read in a later task.
      if (isScheduled || this.#life !== life) return;
      isScheduled = true;
      this.#soon(() => {
        isScheduled = false;
        this.#drain(watch);
      });
    });
  }

  readonly #read = (): void => {
    this.#isUnread = false;
    if (this.#watch !== undefined) this.#drain(this.#watch);
  };

  #drain(watch: Watch<T>): void {
    while (this.#watch === watch) {
      const event = watch.next();
      if (event === undefined) return;
      this.#take(event);
    }
  }

  #take(event: WatchEvent<T>): void {
    if (event.type === 'ERROR') {
      this.#watch?.stop();
      this.#watch = undefined;
      this.#recover(event.error);
      return;
    }
    if (this.#streamed !== null) {
      this.#takeStreamed(event, this.#streamed);
      return;
    }
    if (event.type === 'BOOKMARK') {
      this.#resourceVersion = event.resourceVersion;
      return;
    }
    const { type, object } = event;
    this.#resourceVersion = object.metadata?.resourceVersion ?? this.#resourceVersion;
    this.#target.change(CHANGES[type], object);
  }

  #takeStreamed(event: Exclude<WatchEvent<T>, { type: 'ERROR' }>, streamed: Map<string, T>): void {
    if (event.type !== 'BOOKMARK') {
      const key = objectKey(event.object);
      if (event.type === 'DELETED') streamed.delete(key);
      else streamed.set(key, event.object);
    } else if (event.endsInitialEvents) {
      this.#streamed = null;
      this.#resourceVersion = event.resourceVersion;
      this.#target.replace([...streamed.values()]);
    }
  }

  #recover(error: unknown): void {
    if (this.#streamed !== null) {
      this.#recoverStreamed(error);
      return;
    }
    const canGoOn = error instanceof ApiError && VERSION_STILL_STANDS.has(error.reason);
    this.#retry(error, `watch ${this.#source.name}`, canGoOn ? () => this.#startWatch() : () => this.#list());
  }

  /** A streamed list that is refused, other than by a server that is busy or broken, is replaced by a list at once. */
  #recoverStreamed(error: unknown): void {
    this.#streamed = null;
    const reason = error instanceof ApiError ? error.reason : '';
    if (VERSION_STILL_STANDS.has(reason) || isGone(error)) {
      this.#retry(error, `watch ${this.#source.name}`, () => this.#list());
      return;
    }
    if (KNOWS_NO_STREAMS.has(reason)) this.#streamsLists = false;
    this.#soon(() => this.#listPage({ limit: PAGE_SIZE }, []));
  }

  #retry(error: unknown, activity: string, again: () => void): void {
    // A version that is too old is not an error, so it is not reported.
    if (!isGone(error)) this.#reportError(error, activity);
    const life = this.#life;
    this.#timer = this.#loop.after(this.#backoff.nextDelayMillis(), () => {
      if (this.#life === life) again();
    });
  }

  #soon(task: () => void): void {
    const life = this.#life;
    this.#loop.soon(() => {
      if (this.#life === life) task();
    });
  }
}
