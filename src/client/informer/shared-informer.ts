import type { KubernetesObject } from '../../api/meta.ts';
import type { EventLoop, Timer } from '../../lib/event-loop.ts';
import { objectKey } from '../object-key.ts';
import { DeltaFifo, type DeltaType } from './delta-fifo.ts';
import type { EventHandler } from './event-handler.ts';
import { HandlerFeed, type Notification } from './handler-feed.ts';
import type { IndexFunction } from './index-buckets.ts';
import { Indexer } from './indexer.ts';
import type { Lister } from './lister.ts';
import { type ListerWatcher, Reflector, type ReflectorModules } from './reflector.ts';

export interface HandlerOptions {
  /** For error reports; absent: the informer's. */
  readonly name?: string;
  /** The handler is shown every object again so often, as an update from itself to itself; absent or 0: never. */
  readonly resyncPeriodMillis?: number;
}

export interface HandlerRegistration {
  /** The cache holds the first list, and the handler was told of all of it. */
  hasSynced(): boolean;
}

interface Registered<T> extends HandlerRegistration {
  readonly feed: HandlerFeed<T>;
  readonly resyncPeriodMillis: number;
  nextResyncMillis: number;
}

/**
 * A cache of one resource that follows the API, and handlers that are told of every change of it.
 *
 *   API ──list, watch──▶ Reflector ──▶ DeltaFifo ──▶ Indexer (the lister reads it)
 *                                         └────────▶ HandlerFeed, one a handler ──▶ EventHandler
 *
 * Each change goes all the way before the next is taken: handlers hear of different objects in the order in which the
 * API changed them, and find in the lister exactly what they have been told.
 */
export class SharedInformer<T extends KubernetesObject> {
  readonly #name: string;
  readonly #modules: ReflectorModules;
  readonly #loop: EventLoop;
  readonly #indexer = new Indexer<T>();
  readonly #fifo = new DeltaFifo<T>(this.#indexer);
  readonly #reflector: Reflector<T>;
  /** Another list after each change, so that one being told is not disturbed. */
  #handlers: readonly Registered<T>[] = [];
  #resyncTimer: Timer | undefined;
  #isRunning = false;

  constructor(source: ListerWatcher<T>, modules: ReflectorModules) {
    this.#name = source.name;
    this.#modules = modules;
    this.#loop = modules.loop;
    const target = {
      add: (object: T) => this.#take('Added', object),
      update: (object: T) => this.#take('Updated', object),
      delete: (object: T) => this.#take('Deleted', object),
      replace: (objects: readonly T[]) => {
        this.#fifo.replace(objects);
        this.#process();
      },
    };
    this.#reflector = new Reflector(source, target, modules);
  }

  get lister(): Lister<T> {
    return this.#indexer;
  }

  get lastSyncResourceVersion(): string {
    return this.#reflector.lastSyncResourceVersion;
  }

  /** The lister finds objects by it from now on. A name stands for one function, which may be given again. */
  addIndex(name: string, valuesOf: IndexFunction<T>): void {
    this.#indexer.addIndex(name, valuesOf);
  }

  /** What the cache holds already is told as adds of an initial list, in the next task. */
  addHandler(handler: EventHandler<T>, options: HandlerOptions = {}): HandlerRegistration {
    const initial: Notification<T>[] = this.#indexer
      .list()
      .map((object) => ({ type: 'add', key: objectKey(object), object, isInInitialList: true }));
    const feed = new HandlerFeed(options.name ?? `handler of ${this.#name}`, handler, initial, this.#modules);
    const resyncPeriodMillis = options.resyncPeriodMillis ?? 0;
    const registered: Registered<T> = {
      feed,
      resyncPeriodMillis: resyncPeriodMillis > 0 ? resyncPeriodMillis : Number.POSITIVE_INFINITY,
      nextResyncMillis: Number.POSITIVE_INFINITY,
      hasSynced: () => this.hasSynced() && feed.hasToldInitial,
    };
    this.#handlers = [...this.#handlers, registered];
    this.#scheduleResync(registered);
    return registered;
  }

  /** The handler is told nothing more. */
  removeHandler(registration: HandlerRegistration): void {
    this.#handlers.find((registered) => registered === registration)?.feed.stop();
    this.#handlers = this.#handlers.filter((registered) => registered !== registration);
    this.#setResyncTimer();
  }

  /** The cache holds the first list. */
  hasSynced(): boolean {
    return this.#fifo.hasSynced;
  }

  start(): void {
    this.#isRunning = true;
    this.#reflector.start();
    for (const registered of this.#handlers) this.#scheduleResync(registered);
  }

  /** The cache stays as it is, and can be started again: what changed meanwhile is then told. */
  stop(): void {
    this.#isRunning = false;
    this.#reflector.stop();
    this.#setResyncTimer();
  }

  /** With nothing before it, a change needs no place in the queue. */
  #take(type: 'Added' | 'Updated' | 'Deleted', object: T): void {
    const fifo = this.#fifo;
    if (fifo.hasSynced && fifo.length === 0) {
      this.#apply(objectKey(object), type, object, false, false);
      return;
    }
    if (type === 'Added') fifo.add(object);
    else if (type === 'Updated') fifo.update(object);
    else fifo.delete(object);
    this.#process();
  }

  #process(): void {
    for (let popped = this.#fifo.pop(); popped !== undefined; popped = this.#fifo.pop()) {
      const { key, deltas, isInInitialList } = popped;
      for (const { type, object, isFinalStateUnknown } of deltas) {
        this.#apply(key, type, object, isFinalStateUnknown, isInInitialList);
      }
    }
  }

  #apply(key: string, type: DeltaType, object: T, isFinalStateUnknown: boolean, isInInitialList: boolean): void {
    const before = this.#indexer.getByKey(key);
    if (type === 'Deleted') {
      if (before !== undefined) this.#remove(key, object, isFinalStateUnknown);
    } else if (before === undefined) {
      this.#set({ type: 'add', key, object, isInInitialList }, object);
    } else if (before.metadata?.uid !== object.metadata?.uid) {
      // Another object has taken the name while nobody was looking.
      this.#remove(key, before, true);
      this.#set({ type: 'add', key, object, isInInitialList }, object);
    } else {
      const isNews = type !== 'Sync' && !isSameVersion(before, object);
      this.#set({ type: 'update', key, before, after: object }, object, !isNews);
    }
  }

  /** `isResync`: only handlers that want to be shown everything again now are told. */
  #set(notification: Notification<T>, object: T, isResync = false): void {
    this.#indexer.set(object, notification.key);
    const nowMillis = this.#loop.nowMillis();
    for (const { feed, nextResyncMillis } of this.#handlers) {
      if (!isResync || nextResyncMillis <= nowMillis) feed.notify(notification);
    }
  }

  #remove(key: string, object: T, isFinalStateUnknown: boolean): void {
    this.#indexer.delete(key);
    const notification: Notification<T> = { type: 'delete', key, object, isFinalStateUnknown };
    for (const { feed } of this.#handlers) feed.notify(notification);
  }

  #resync(): void {
    this.#resyncTimer = undefined;
    this.#fifo.resync();
    this.#process();
    const nowMillis = this.#loop.nowMillis();
    for (const registered of this.#handlers) {
      if (registered.nextResyncMillis <= nowMillis) this.#scheduleResync(registered);
    }
  }

  #scheduleResync(registered: Registered<T>): void {
    registered.nextResyncMillis = this.#loop.nowMillis() + registered.resyncPeriodMillis;
    this.#setResyncTimer();
  }

  /** One timer, for the handler whose turn is next. */
  #setResyncTimer(): void {
    this.#resyncTimer?.cancel();
    this.#resyncTimer = undefined;
    if (!this.#isRunning) return;
    let nextMillis = Number.POSITIVE_INFINITY;
    for (const { nextResyncMillis } of this.#handlers) nextMillis = Math.min(nextMillis, nextResyncMillis);
    if (nextMillis === Number.POSITIVE_INFINITY) return;
    this.#resyncTimer = this.#loop.after(nextMillis - this.#loop.nowMillis(), () => this.#resync());
  }
}

function isSameVersion(a: KubernetesObject, b: KubernetesObject): boolean {
  return a.metadata?.resourceVersion !== undefined && a.metadata.resourceVersion === b.metadata?.resourceVersion;
}
