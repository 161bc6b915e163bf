import type { KubernetesObject } from '../../api/meta.ts';
import type { EventLoop, Timer } from '../../lib/event-loop.ts';
import { objectKey } from '../object-key.ts';
import { DeltaFifo, type DeltaType } from './delta-fifo.ts';
import type { EventHandler } from './event-handler.ts';
import type { CacheEntry, IndexFunction } from './index-buckets.ts';
import { Indexer } from './indexer.ts';
import type { Lister } from './lister.ts';
import { type Notification, ProcessorListener } from './processor-listener.ts';
import { type ChangeType, type ListerWatcher, Reflector, type ReflectorModules } from './reflector.ts';

/** How a handler is notified. */
export interface HandlerOptions {
  /** The handler's name for error reports; absent: the informer's. */
  readonly name?: string;
  /** How often every object is delivered again, as an update from itself to itself; absent or 0: never. */
  readonly resyncPeriodMillis?: number;
}

/** A handler that was added to an informer. */
export interface HandlerRegistration {
  /** Whether the cache holds the first list, and the handler was notified of all of it. */
  hasSynced(): boolean;
}

interface Registered<T> extends HandlerRegistration {
  readonly listener: ProcessorListener<T>;
  readonly resyncPeriodMillis: number;
  nextResyncMillis: number;
}

/**
 * A cache of one resource that follows the API, and notifies handlers of every change.
 *
 *   API ──list, watch──▶ Reflector ──▶ DeltaFifo ──▶ Indexer (the lister reads it)
 *                                         └────────▶ ProcessorListener, one a handler ──▶ EventHandler
 *
 * Each change is fully processed before the next: handlers are notified of different objects in the order in which the
 * API changed them, and the lister shows exactly the objects of their notifications.
 */
export class SharedInformer<T extends KubernetesObject> {
  readonly #name: string;
  readonly #modules: ReflectorModules;
  readonly #loop: EventLoop;
  readonly #indexer = new Indexer<T>();
  readonly #fifo = new DeltaFifo<T>(this.#indexer);
  readonly #reflector: Reflector<T>;
  /** The list is replaced at each change, so that a notification that is under way is not disturbed. */
  #handlers: readonly Registered<T>[] = [];
  #resyncTimer: Timer | undefined;
  #isRunning = false;

  constructor(source: ListerWatcher<T>, modules: ReflectorModules) {
    this.#name = source.name;
    this.#modules = modules;
    this.#loop = modules.loop;
    const target = {
      change: (type: ChangeType, object: T) => this.#take(type, object),
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

  /** Adds an index to the lister. A name stands for one function, which may be added again. */
  addIndex(name: string, valuesOf: IndexFunction<T>): void {
    this.#indexer.addIndex(name, valuesOf);
  }

  /**
   * Adds a handler. Objects that are in the cache already are delivered as adds of an initial list, in the next task.
   */
  addHandler(handler: EventHandler<T>, options: HandlerOptions = {}): HandlerRegistration {
    const initial: Notification<T>[] = this.#indexer
      .list()
      .map((object) => ({ type: 'add', object, isInInitialList: true }));
    const { loop, reportError } = this.#modules;
    const modules = { loop, reportError, keyOf: objectKey };
    const listener = new ProcessorListener(options.name ?? `handler of ${this.#name}`, handler, initial, modules);
    const resyncPeriodMillis = options.resyncPeriodMillis ?? 0;
    const registered: Registered<T> = {
      listener,
      resyncPeriodMillis: resyncPeriodMillis > 0 ? resyncPeriodMillis : Number.POSITIVE_INFINITY,
      nextResyncMillis: Number.POSITIVE_INFINITY,
      hasSynced: () => this.hasSynced() && listener.hasDeliveredInitial,
    };
    this.#handlers = [...this.#handlers, registered];
    this.#scheduleResync(registered);
    return registered;
  }

  /** Removes the handler; it gets no more notifications. */
  removeHandler(registration: HandlerRegistration): void {
    this.#handlers.find((registered) => registered === registration)?.listener.stop();
    this.#handlers = this.#handlers.filter((registered) => registered !== registration);
    this.#setResyncTimer();
  }

  /** Whether the cache holds the first list. */
  hasSynced(): boolean {
    return this.#fifo.hasSynced;
  }

  start(): void {
    this.#isRunning = true;
    this.#reflector.start();
    for (const registered of this.#handlers) this.#scheduleResync(registered);
  }

  /** Stops following the API. The cache is kept, and can be started again: it then delivers what changed meanwhile. */
  stop(): void {
    this.#isRunning = false;
    this.#reflector.stop();
    this.#setResyncTimer();
  }

  /** Applies a change. When nothing is queued before it, the change bypasses the queue. */
  #take(type: ChangeType, object: T): void {
    const fifo = this.#fifo;
    if (fifo.hasSynced && fifo.length === 0) {
      this.#apply(type, object, false, false);
      return;
    }
    fifo.change(type, object);
    this.#process();
  }

  #process(): void {
    for (let popped = this.#fifo.pop(); popped !== undefined; popped = this.#fifo.pop()) {
      const { deltas, isInInitialList } = popped;
      for (const { type, object, isFinalStateUnknown } of deltas) {
        this.#apply(type, object, isFinalStateUnknown, isInInitialList);
      }
    }
  }

  #apply(type: DeltaType, object: T, isFinalStateUnknown: boolean, isInInitialList: boolean): void {
    const { namespace = '', name = '' } = object.metadata ?? {};
    const entry = this.#indexer.find(namespace, name);
    const before = entry?.object;
    if (type === 'Deleted') {
      if (before !== undefined) this.#remove(object, isFinalStateUnknown);
    } else if (before === undefined) {
      this.#put({ type: 'add', object, isInInitialList }, object, undefined);
    } else if (before.metadata?.uid !== object.metadata?.uid) {
      // The object was deleted, and another one got its name, while no watch was open.
      this.#remove(before, true);
      this.#put({ type: 'add', object, isInInitialList }, object, undefined);
    } else {
      const isNews = type !== 'Sync' && !isSameVersion(before, object);
      this.#put({ type: 'update', before, after: object }, object, entry, !isNews);
    }
  }

  /** `entry`: that of the object in the cache. `isResync`: only handlers whose resync is due are notified. */
  #put(notification: Notification<T>, object: T, entry: CacheEntry<T> | undefined, isResync = false): void {
    this.#indexer.put(object, entry);
    const nowMillis = isResync ? this.#loop.nowMillis() : 0;
    for (const { listener, nextResyncMillis } of this.#handlers) {
      if (!isResync || nextResyncMillis <= nowMillis) listener.notify(notification);
    }
  }

  #remove(object: T, isFinalStateUnknown: boolean): void {
    this.#indexer.remove(object);
    const notification: Notification<T> = { type: 'delete', object, isFinalStateUnknown };
    for (const { listener } of this.#handlers) listener.notify(notification);
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

  /** Sets the one timer, for the handler whose resync is next. */
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
