import type { KubernetesObject } from '../../api/meta.ts';
import type { Pod } from '../../api/pod.ts';
import type { Clock } from '../../lib/clock.ts';
import { forAll } from '../../lib/for-all.ts';
import { getOrMake } from '../../lib/get-or-make.ts';
import { badRequest, timeout } from '../objects/api-error.ts';
import type { Resource } from '../objects/resources.ts';
import type { WatchOptions } from '../objects/store-client.ts';
import { NODE_NAME } from './field-selector.ts';
import { History, type HistoryEntry } from './history.ts';
import { HistoryWatch, type ObjectSelection, type WatchHome } from './history-watch.ts';
import { Selection } from './selection.ts';

export interface WatchHubOptions {
  readonly clock: Clock;
  /** The version of the last write to any resource. */
  readonly version: () => number;
  readonly historyLimit: number;
}

type Watches<T extends KubernetesObject> = Set<HistoryWatch<T>>;

/**
 * The watches of one resource over its history. A watch that is up to date waits here until a write concerns it, and
 * cannot fall behind meanwhile. The others follow at their own pace.
 */
export class WatchHub<T extends KubernetesObject> implements WatchHome<T> {
  readonly history: History<T>;
  readonly #resource: Resource;
  readonly #options: WatchHubOptions;
  /**
   * The number of entries after which idle watches get a bookmark, so that a watch can always be resumed at its last
   * version.
   */
  readonly #bookmarkEntries: number;
  /**
   * Watches without a trigger. They stay registered while they read: most are up to date again before the next
   * write.
   */
  readonly #watches: Watches<T> = new Set();
  /** The watch of most resources, that of an informer; null where there are others, or none. */
  #only: HistoryWatch<T> | null = null;
  /** Watches of one name, or of the pods of one node, so that a write wakes few of them. */
  readonly #waitingForTrigger = new Map<string, Watches<T>>();
  #observers: readonly ((entry: HistoryEntry<T>) => void)[] = [];

  constructor(resource: Resource, options: WatchHubOptions) {
    this.#resource = resource;
    this.#options = options;
    this.#bookmarkEntries = Math.ceil(options.historyLimit / 4);
    this.history = new History(options.historyLimit);
  }

  get clock(): Clock {
    return this.#options.clock;
  }

  get version(): number {
    return this.#options.version();
  }

  /** `existing`: returns the current objects of a selection, in order. @throws ApiError BadRequest, Timeout */
  watch(options: WatchOptions, existing: (selection: Selection) => readonly T[]): HistoryWatch<T> {
    const selection = new Selection(this.#resource, options);
    const version = parseVersion(options.resourceVersion);
    refuseFuture(version, this.version);
    const initial = version === 0 ? existing(selection) : [];
    const start = version === 0 ? this.version : version;
    const nodeName = selection.wanted(NODE_NAME);
    const { allowBookmarks } = options;
    return new HistoryWatch(this, { selection, nodeName, initial, version: start, allowBookmarks });
  }

  /** A watch of whatever `selection` matches, which continues after the version; only new entries are delivered. */
  follow(selection: ObjectSelection, version: number): HistoryWatch<T> {
    const options = { selection, initial: [], version, allowBookmarks: false };
    return new HistoryWatch(this, options);
  }

  /** Calls the observer inside of each write, before watches are woken. Returns how to end that. */
  observe(observer: (entry: HistoryEntry<T>) => void): () => void {
    this.#observers = [...this.#observers, observer];
    return () => {
      this.#observers = this.#observers.filter((other) => other !== observer);
    };
  }

  publish(entry: HistoryEntry<T>): void {
    const number = this.history.end;
    this.history.push(entry);
    try {
      for (const observe of this.#observers) observe(entry);
    } finally {
      this.#wakeFor(entry, number);
    }
  }

  #wakeFor(entry: HistoryEntry<T>, number: number): void {
    const only = this.#only;
    if (only === null || number % this.#bookmarkEntries === 0) this.#wakeAll(entry, number);
    else this.#wakeOne(only, entry, number);
  }

  #wakeOne(watch: HistoryWatch<T>, entry: HistoryEntry<T>, number: number): void {
    if (!watch.isWaiting || !watch.wants(entry)) return;
    watch.resumeAt(number);
    watch.wake();
  }

  #wakeAll(entry: HistoryEntry<T>, number: number): void {
    const ready: HistoryWatch<T>[] = [];
    for (const watch of this.#watches) if (watch.isWaiting && watch.wants(entry)) ready.push(watch);
    if (this.#waitingForTrigger.size > 0) this.#collectTriggered(entry, ready);
    if (number % this.#bookmarkEntries === 0) this.#collectStale(ready);
    if (ready.length === 0) return;
    for (const watch of ready) {
      if (watch.trigger !== undefined) this.leave(watch);
      watch.resumeAt(number);
    }
    // A watch that is not woken would wait for ever.
    forAll(ready, wake);
  }

  wait(watch: HistoryWatch<T>): void {
    if (watch === this.#only) return;
    const value = watch.trigger;
    if (value === undefined) this.#watches.add(watch);
    else getOrMake(this.#waitingForTrigger, value, () => new Set()).add(watch);
    this.#findOnly();
  }

  leave(watch: HistoryWatch<T>): void {
    const value = watch.trigger;
    if (value === undefined) this.#watches.delete(watch);
    else {
      const watches = this.#waitingForTrigger.get(value);
      watches?.delete(watch);
      if (watches?.size === 0) this.#waitingForTrigger.delete(value);
    }
    this.#findOnly();
  }

  #findOnly(): void {
    const isAlone = this.#watches.size === 1 && this.#waitingForTrigger.size === 0;
    this.#only = isAlone ? (this.#watches.values().next().value ?? null) : null;
  }

  #collectTriggered(entry: HistoryEntry<T>, ready: HistoryWatch<T>[]): void {
    this.#collectWaiting(`/${entry.object.metadata?.name}`, entry, ready);
    const now = nodeNameOf(entry.object);
    const before = entry.previous === undefined ? now : nodeNameOf(entry.previous);
    this.#collectWaiting(now, entry, ready);
    if (before !== now) this.#collectWaiting(before, entry, ready);
  }

  #collectWaiting(value: string, entry: HistoryEntry<T>, ready: HistoryWatch<T>[]): void {
    const watches = this.#waitingForTrigger.get(value);
    if (watches === undefined) return;
    for (const watch of watches) if (watch.wants(entry)) ready.push(watch);
  }

  /** Collects the watches that have been idle for so long that their version is about to be dropped. */
  #collectStale(ready: HistoryWatch<T>[]): void {
    const { history } = this;
    const oldest = history.at(Math.max(history.start, history.end - this.#bookmarkEntries)).version;
    const stale = [this.#watches, ...this.#waitingForTrigger.values()].flatMap((watches) =>
      [...watches].filter((watch) => watch.isWaiting && watch.isStale(oldest) && !ready.includes(watch)),
    );
    ready.push(...stale);
  }
}

function wake<T extends KubernetesObject>(watch: HistoryWatch<T>): void {
  watch.wake();
}

/** Parses a resourceVersion; '' and '0' mean any version. @throws ApiError BadRequest */
export function parseVersion(text: string): number {
  if (text === '') return 0;
  if (!/^\d{1,15}$/.test(text)) throw badRequest(`invalid resource version ${JSON.stringify(text)}`);
  return Number(text);
}

/** @throws ApiError Timeout */
export function refuseFuture(version: number, current: number): void {
  if (version > current) throw timeout(`Too large resource version: ${version}, current: ${current}`);
}

function nodeNameOf(object: KubernetesObject): string {
  return (object as Pod).spec?.nodeName ?? '';
}
