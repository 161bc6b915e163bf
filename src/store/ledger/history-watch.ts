import type { KubernetesObject } from '../../api/meta.ts';
import type { Clock } from '../../lib/clock.ts';
import { expired } from '../objects/api-error.ts';
import { withVersion } from '../objects/metadata.ts';
import type { Watch, WatchEvent } from '../objects/store-client.ts';
import type { History, HistoryEntry } from './history.ts';

/** Upstream: the watch cache's bookmark frequency. */
const BOOKMARK_MILLIS = 60_000;

/** The resource that a watch reads from. */
export interface WatchHome<T extends KubernetesObject> {
  readonly clock: Clock;
  readonly history: History<T>;
  /** The version of the last write to any resource. */
  readonly version: number;
  /** Registers the watch to be woken by the next write that concerns it. */
  wait(watch: HistoryWatch<T>): void;
  leave(watch: HistoryWatch<T>): void;
}

/** Decides which objects a watch is about. */
export interface ObjectSelection {
  /** The only name that is selected; absent if there can be several. */
  readonly name?: string | undefined;
  matches(object: KubernetesObject): boolean;
}

export interface HistoryWatchOptions<T> {
  readonly selection: ObjectSelection;
  /** The node whose pods alone are selected; absent if there can be others. */
  readonly nodeName?: string | undefined;
  /** Objects that the watcher receives first, as ADDED. */
  readonly initial: readonly T[];
  /** The version after which the watch continues. */
  readonly version: number;
  readonly allowBookmarks: boolean | undefined;
}

/**
 * A cursor over the history of a resource.
 *
 *   behind ──── next() finds nothing more ───▶ waiting
 *     │ ▲                                        │
 *     │ └────────── a write concerns it ─────────┘
 *     └── the history has moved past the cursor ──▶ ended (after one ERROR)
 */
export class HistoryWatch<T extends KubernetesObject> implements Watch<T> {
  readonly selection: ObjectSelection;
  /**
   * The object, by its name behind a slash, or the node, whose writes alone wake the watch; undefined if every write
   * may. No node has a slash in its name.
   */
  readonly trigger: string | undefined;
  readonly #home: WatchHome<T>;
  readonly #allowBookmarks: boolean;
  readonly #initial: readonly T[];
  #initialSeen = 0;
  #cursor: number;
  #state: 'behind' | 'waiting' | 'ended' = 'behind';
  #wake: (() => void) | undefined;
  /** The last version that the watcher was given: it could start a new watch from there. */
  #reportedVersion: number;
  /** When the watcher had been given everything, the last time. */
  #reportedMillis: number;
  /** Whether it was given something since. */
  #hasReported = false;
  #isStale = false;

  constructor(home: WatchHome<T>, { selection, nodeName, initial, version, allowBookmarks }: HistoryWatchOptions<T>) {
    this.#home = home;
    this.selection = selection;
    this.trigger = selection.name === undefined ? nodeName : `/${selection.name}`;
    this.#initial = initial;
    this.#allowBookmarks = allowBookmarks === true;
    this.#reportedVersion = version;
    this.#reportedMillis = home.clock.nowMillis();
    const { history } = home;
    this.#cursor = version < history.forgottenVersion ? -1 : history.firstAfter(version);
  }

  /** Whether the watcher has received everything. */
  get isWaiting(): boolean {
    return this.#state === 'waiting';
  }

  next(): WatchEvent<T> | undefined {
    if (this.#state === 'behind') return this.#nextInitial() ?? this.#nextEntry();
    return this.#state === 'waiting' ? this.#nextBookmark() : undefined;
  }

  onReady(wake: () => void): void {
    this.#wake = wake;
    if (this.#state === 'behind') wake();
  }

  stop(): void {
    if (this.#state !== 'ended') this.#home.leave(this);
    this.#state = 'ended';
    this.#wake = undefined;
  }

  /** Whether the write leads to an event for this watch. */
  wants({ object, previous }: HistoryEntry<T>): boolean {
    return this.selection.matches(object) || (previous !== undefined && this.selection.matches(previous));
  }

  /** Whether the watcher needs a bookmark because the history is about to drop the version that it knows. */
  isStale(oldest: number): boolean {
    this.#isStale = this.#allowBookmarks && this.#reportedVersion < oldest;
    return this.#isStale;
  }

  /** Continues the watch at the entry with this number. */
  resumeAt(number: number): void {
    this.#cursor = number;
    this.#state = 'behind';
  }

  wake(): void {
    this.#wake?.();
  }

  #nextInitial(): WatchEvent<T> | undefined {
    if (this.#initialSeen === this.#initial.length) return undefined;
    const object = this.#initial[this.#initialSeen] as T;
    this.#initialSeen++;
    return { type: 'ADDED', object };
  }

  #nextEntry(): WatchEvent<T> | undefined {
    const { history } = this.#home;
    while (this.#cursor < history.end) {
      if (this.#cursor < history.start) return this.#end();
      const entry = history.at(this.#cursor);
      this.#cursor++;
      const event = this.#eventOf(entry);
      if (event !== undefined) {
        this.#noteReported(entry.version);
        return event;
      }
    }
    this.#state = 'waiting';
    this.#home.wait(this);
    if (!this.#hasReported) return this.#nextBookmark();
    this.#noteTime();
    return undefined;
  }

  /** The event for a watcher that knows only the objects of the selection. */
  #eventOf(entry: HistoryEntry<T>): WatchEvent<T> | undefined {
    const { type, object, previous } = entry;
    const matches = this.selection.matches(object);
    if (type === 'ADDED') return matches ? { type, object } : undefined;
    const didMatch = this.selection.matches(previous as T);
    if (type === 'DELETED') return didMatch ? { type, object } : undefined;
    if (matches) return { type: didMatch ? 'MODIFIED' : 'ADDED', object };
    if (!didMatch) return undefined;
    return { type: 'DELETED', object: withVersion(previous as T, String(entry.version)) };
  }

  #nextBookmark(): WatchEvent<T> | undefined {
    const { version, clock } = this.#home;
    if (!this.#allowBookmarks || version === this.#reportedVersion) return undefined;
    if (!this.#isStale && clock.nowMillis() - this.#reportedMillis < BOOKMARK_MILLIS) return undefined;
    this.#noteReported(version);
    this.#noteTime();
    return { type: 'BOOKMARK', resourceVersion: String(version) };
  }

  #noteReported(version: number): void {
    this.#reportedVersion = version;
    this.#hasReported = true;
    this.#isStale = false;
  }

  /** Notes the time once for all that was reported in one go. */
  #noteTime(): void {
    this.#hasReported = false;
    if (this.#allowBookmarks) this.#reportedMillis = this.#home.clock.nowMillis();
  }

  #end(): WatchEvent<T> {
    this.stop();
    const { forgottenVersion } = this.#home.history;
    return {
      type: 'ERROR',
      error: expired(`too old resource version: ${this.#reportedVersion} (${forgottenVersion})`),
    };
  }
}
