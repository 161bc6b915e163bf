import type { EventLoop, Timer } from '../../lib/event-loop.ts';
import { Fifo } from '../../lib/fifo.ts';
import { ItemExponentialFailureRateLimiter } from '../queue/rate-limiter.ts';
import type { ReportError } from '../report-error.ts';
import type { EventHandler } from './event-handler.ts';

/** One call of a handler. */
export type Notification<T> =
  | { readonly type: 'add'; readonly object: T; readonly isInInitialList: boolean }
  | { readonly type: 'update'; readonly before: T; readonly after: T }
  | { readonly type: 'delete'; readonly object: T; readonly isFinalStateUnknown: boolean };

interface ProcessorListenerModules<T> {
  readonly loop: EventLoop;
  readonly reportError: ReportError;
  /** Names an object; it is called only when a handler has failed. */
  readonly keyOf: (object: T) => string;
}

/** Notifications of one object that wait because a call failed; the failed one is the first. */
interface Parked<T> {
  readonly calls: Fifo<Notification<T>>;
  timer: Timer | undefined;
}

const RETRY_BASE_MILLIS = 100;
const RETRY_MAX_MILLIS = 30_000;

/**
 * Delivers notifications to one handler, in order. Upstream: processorListener in client-go/tools/cache.
 *
 *   notify ──▶ initial list pending? ── yes ──▶ backlog ──(next task)──┐
 *                │ no                                                  │
 *                ▼                                                     ▼
 *              object parked? ── no ──▶ call ── throws ──▶ reported, parked ──(back-off)──▶ call again
 *                └── yes ──▶ behind the call that failed
 *
 * Order is kept per object: while a call waits for its next attempt, later calls about the same object wait behind it,
 * and calls about other objects pass. So an object that a handler cannot process does not delay other objects.
 */
export class ProcessorListener<T> {
  readonly #name: string;
  readonly #handler: EventHandler<T>;
  readonly #loop: EventLoop;
  readonly #reportError: ReportError;
  readonly #keyOf: (object: T) => string;
  readonly #parked = new Map<string, Parked<T>>();
  readonly #backoff = new ItemExponentialFailureRateLimiter(RETRY_BASE_MILLIS, RETRY_MAX_MILLIS);
  /** Notifications that wait until the initial list is delivered; undefined afterwards. */
  #backlog: Fifo<Notification<T>> | undefined;
  #isStopped = false;

  /**
   * `name`: the handler's name, for error reports. `initial`: the notifications that are delivered first, in a task of
   * their own.
   */
  constructor(
    name: string,
    handler: EventHandler<T>,
    initial: Iterable<Notification<T>>,
    modules: ProcessorListenerModules<T>,
  ) {
    this.#name = name;
    this.#handler = handler;
    this.#loop = modules.loop;
    this.#reportError = modules.reportError;
    this.#keyOf = modules.keyOf;
    const backlog = new Fifo<Notification<T>>();
    for (const notification of initial) backlog.push(notification);
    if (backlog.length === 0) return;
    this.#backlog = backlog;
    this.#loop.soon(() => this.#deliverBacklog());
  }

  /** Whether every object of the initial list was delivered at least once. */
  get hasDeliveredInitial(): boolean {
    return this.#backlog === undefined;
  }

  notify(notification: Notification<T>): void {
    if (this.#backlog !== undefined) this.#backlog.push(notification);
    else if (this.#parked.size > 0 || this.#isStopped) this.#deliver(notification);
    // Nearly always nothing stands before the call.
    else if (!this.#call(notification)) this.#park(notification);
  }

  stop(): void {
    this.#isStopped = true;
    for (const { timer } of this.#parked.values()) timer?.cancel();
    this.#parked.clear();
  }

  #deliverBacklog(): void {
    const backlog = this.#backlog;
    for (let next = backlog?.shift(); next !== undefined; next = backlog?.shift()) this.#deliver(next);
    this.#backlog = undefined;
  }

  #deliver(notification: Notification<T>): void {
    if (this.#isStopped) return;
    const parked = this.#parked.size === 0 ? undefined : this.#parked.get(this.#keyIn(notification));
    if (parked !== undefined) parked.calls.push(notification);
    else if (!this.#call(notification)) this.#park(notification);
  }

  #park(notification: Notification<T>): void {
    const parked: Parked<T> = { calls: new Fifo(), timer: undefined };
    parked.calls.push(notification);
    const key = this.#keyIn(notification);
    this.#parked.set(key, parked);
    this.#retryLater(key, parked);
  }

  #retryLater(key: string, parked: Parked<T>): void {
    parked.timer = this.#loop.after(this.#backoff.delayMillis(key), () => this.#retry(key, parked));
  }

  #retry(key: string, parked: Parked<T>): void {
    const { calls } = parked;
    for (let next = calls.peek(); next !== undefined; next = calls.peek()) {
      if (this.#isStopped) return;
      if (!this.#call(next)) {
        this.#retryLater(key, parked);
        return;
      }
      this.#backoff.forget(key);
      calls.shift();
    }
    this.#parked.delete(key);
  }

  #keyIn(notification: Notification<T>): string {
    return this.#keyOf(notification.type === 'update' ? notification.after : notification.object);
  }

  /** Calls the handler. Returns whether it succeeded. */
  #call(notification: Notification<T>): boolean {
    try {
      callHandler(this.#handler, notification);
      return true;
    } catch (error) {
      this.#reportError(error, `${this.#name}: ${notification.type} ${this.#keyIn(notification)}`);
      return false;
    }
  }
}

function callHandler<T>(handler: EventHandler<T>, notification: Notification<T>): void {
  switch (notification.type) {
    case 'add':
      handler.onAdd(notification.object, notification.isInInitialList);
      break;
    case 'update':
      handler.onUpdate(notification.before, notification.after);
      break;
    case 'delete':
      handler.onDelete(notification.object, notification.isFinalStateUnknown);
  }
}
