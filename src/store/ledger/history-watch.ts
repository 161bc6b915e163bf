import type { KubernetesObject } from '../../api/meta.ts';
import type { Clock } from '../../lib/clock.ts';
import { expired } from '../objects/api-error.ts';
import type { Watch, WatchEvent } from '../objects/store-client.ts';
import { withVersion } from '../objects/with-version.ts';
import type { History, HistoryEntry } from './history.ts';
import type { Selection } from './selection.ts';

/** Upstream: the watch cache's bookmark frequency. */
const BOOKMARK_MILLIS = 60_000;

/** Where a watch belongs. */
export interface WatchHome<T extends KubernetesObject> {
  readonly clock: Clock;
  readonly history: History<T>;
  /** Of the last write to any resource. */
  readonly version: number;
  /** From now on the watch is to hear of writes that concern it. */
  wait(watch: HistoryWatch<T>): void;
  leave(watch: HistoryWatch<T>): void;
}

export interface HistoryWatchOptions<T> {
  readonly selection: Selection;
  /** Objects that the watcher is told of first. */
  readonly initial: readonly T[];
  /** What comes after this version follows. */
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
  readonly selection: Selection;
  readonly #home: WatchHome<T>;
  readonly #allowBookmarks: boolean;
  readonly #initial: readonly T[];
  #initialSeen = 0;
  #cursor: number;
  #state: 'behind' | 'waiting' | 'ended' = 'behind';
  #wake: (() => void) | undefined;
  /** The version that the watcher knows of: it could go on from there. */
  #toldVersion: number;
  #toldMillis: number;
  #isStale = false;

  constructor(home: WatchHome<T>, { selection, initial, version, allowBookmarks }: HistoryWatchOptions<T>) {
    this.#home = home;
    this.selection = selection;
    this.#initial = initial;
    this.#allowBookmarks = allowBookmarks === true;
    this.#toldVersion = version;
    this.#toldMillis = home.clock.nowMillis();
    const { history } = home;
    this.#cursor = version < history.forgottenVersion ? -1 : history.firstAfter(version);
  }

  /** It has seen everything. */
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

  /** Whether the write leads to an event. */
  wants({ object, previous }: HistoryEntry<T>): boolean {
    return this.selection.matches(object) || (previous !== undefined && this.selection.matches(previous));
  }

  /** Whether the watcher should be told a newer version than this one, lest the history forget its own. */
  isStale(oldest: number): boolean {
    this.#isStale = this.#allowBookmarks && this.#toldVersion < oldest;
    return this.#isStale;
  }

  /** The entry with this number is the next to look at. */
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
        this.#tell(entry.version);
        return event;
      }
    }
    this.#state = 'waiting';
    this.#home.wait(this);
    return this.#nextBookmark();
  }

  /** What the write means for somebody who only knows the objects of the selection. */
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
    if (!this.#allowBookmarks || version === this.#toldVersion) return undefined;
    if (!this.#isStale && clock.nowMillis() - this.#toldMillis < BOOKMARK_MILLIS) return undefined;
    this.#tell(version);
    return { type: 'BOOKMARK', resourceVersion: String(version) };
  }

  #tell(version: number): void {
    this.#toldVersion = version;
    if (!this.#allowBookmarks) return;
    this.#toldMillis = this.#home.clock.nowMillis();
    this.#isStale = false;
  }

  #end(): WatchEvent<T> {
    this.stop();
    const { forgottenVersion } = this.#home.history;
    return { type: 'ERROR', error: expired(`too old resource version: ${this.#toldVersion} (${forgottenVersion})`) };
  }
}
