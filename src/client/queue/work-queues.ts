import { assert } from '../../lib/assert.ts';
import type { EventLoop, Timer } from '../../lib/event-loop.ts';
import { Fifo } from '../../lib/fifo.ts';
import { Heap, type HeapItem } from '../../lib/heap.ts';
import type { RateLimiter } from './rate-limiter.ts';

/**
 * A queue of keys to process, like client-go's work queues. Keys stand for objects, so adding a key twice has the
 * effect of adding it once.
 *
 *            add                 get                  done
 *   (none) ───────▶ ready ───────────────▶ processing ──────▶ (none)
 *                     ▲   in order of add      │ add            ▲
 *                     │                        ▼                │
 *                     └─────── done ── processing, and dirty    │
 *                                                               │
 *   shutDown: what is ready may still be got, nothing is added ─┘
 *
 * A key that is being processed is never handed out a second time: it becomes ready again when it is done.
 */
export interface WorkQueue<K extends string> {
  add(key: K): void;
  /**
   * Takes the key that has been ready longest, or returns undefined when none is. The caller must call `done`
   * afterwards.
   */
  get(): K | undefined;
  done(key: K): void;
  /** The number of ready keys; keys that are being processed do not count. */
  readonly length: number;
  /** Makes `add` do nothing from now on. */
  shutDown(): void;
  /** Like `shutDown`, but calls `onDrained` when no key is ready and all keys that were being processed are done. */
  shutDownWithDrain(onDrained: () => void): void;
  readonly isShuttingDown: boolean;
  /** `wake` is called whenever a key has become ready. There is one listener: the last one given. */
  onReady(wake: () => void): void;
}

/**
 * A queue to which keys can be added with a delay. Waiting and ready keys are separate: taking a key does not cancel
 * its later addition.
 */
export interface DelayingQueue<K extends string> extends WorkQueue<K> {
  /**
   * Adds the key after the delay, at once if the delay is <= 0. If the key waits already, the earlier time counts. Keys
   * that are due at the same time become ready in the order of their names.
   */
  addAfter(key: K, delayMillis: number): void;
}

/** A queue for keys whose processing may fail: each failure in a row prolongs the key's delay. */
export interface RateLimitingQueue<K extends string> extends DelayingQueue<K> {
  /** Calls `addAfter` with the delay of the rate limiter. */
  addRateLimited(key: K): void;
  /** Resets the key's failures, because it succeeded or is given up. The key stays in the queue if it is there. */
  forget(key: K): void;
  /** How often the key was added rate limited since it was last forgotten. */
  numRequeues(key: K): number;
}

/** A work queue; keys become ready in the order in which they were added. */
export class FifoWorkQueue<K extends string> implements WorkQueue<K> {
  readonly #ready = new Fifo<K>();
  /** Keys that need processing: ready keys, and keys that were added again while being processed. */
  readonly #dirty = new Set<K>();
  readonly #processing = new Set<K>();
  #isShuttingDown = false;
  #onReady: () => void = () => {};
  #onDrained: (() => void) | undefined;

  get length(): number {
    return this.#ready.length;
  }

  get isShuttingDown(): boolean {
    return this.#isShuttingDown;
  }

  onReady(wake: () => void): void {
    this.#onReady = wake;
  }

  add(key: K): void {
    if (this.#isShuttingDown || this.#dirty.has(key)) return;
    this.#dirty.add(key);
    if (!this.#processing.has(key)) this.#makeReady(key);
  }

  get(): K | undefined {
    const key = this.#ready.shift();
    if (key === undefined) return undefined;
    this.#dirty.delete(key);
    this.#processing.add(key);
    return key;
  }

  done(key: K): void {
    assert(this.#processing.delete(key), `${key} is done but was not being processed`);
    if (this.#dirty.has(key)) this.#makeReady(key);
    this.#reportDrained();
  }

  shutDown(): void {
    this.#isShuttingDown = true;
  }

  shutDownWithDrain(onDrained: () => void): void {
    this.shutDown();
    this.#onDrained = onDrained;
    this.#reportDrained();
  }

  #makeReady(key: K): void {
    this.#ready.push(key);
    this.#onReady();
  }

  #reportDrained(): void {
    const onDrained = this.#onDrained;
    if (onDrained === undefined || this.#ready.length > 0 || this.#processing.size > 0) return;
    this.#onDrained = undefined;
    onDrained();
  }
}

interface WaitingKey<K> extends HeapItem {
  readonly key: K;
  dueMillis: number;
}

/**
 * A work queue to which keys can be added with a delay. It has one timer on the loop, for the key that is due first.
 */
export class DelayedWorkQueue<K extends string> extends FifoWorkQueue<K> implements DelayingQueue<K> {
  readonly #loop: EventLoop;
  readonly #waiting = new Map<K, WaitingKey<K>>();
  /** The waiting keys by the time at which they are due; keys with equal times are ordered by name. */
  readonly #heap = new Heap<WaitingKey<K>>(
    (a, b) => a.dueMillis < b.dueMillis || (a.dueMillis === b.dueMillis && a.key < b.key),
  );
  #timer: Timer | undefined;
  #timerMillis = Number.POSITIVE_INFINITY;

  constructor(loop: EventLoop) {
    super();
    this.#loop = loop;
  }

  addAfter(key: K, delayMillis: number): void {
    if (this.isShuttingDown) return;
    if (delayMillis <= 0) {
      this.add(key);
      return;
    }
    const dueMillis = this.#loop.nowMillis() + delayMillis;
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) {
      const entry = { key, dueMillis, heapIndex: -1 };
      this.#waiting.set(key, entry);
      this.#heap.push(entry);
    } else if (dueMillis < waiting.dueMillis) {
      waiting.dueMillis = dueMillis;
      this.#heap.update(waiting);
    }
    this.#setTimer();
  }

  /** When the key will be added; undefined when it does not wait. */
  dueMillisOf(key: K): number | undefined {
    return this.#waiting.get(key)?.dueMillis;
  }

  /** Keys that wait for their time, in no particular order; ready keys are not among them. */
  waitingKeys(): Iterable<K> {
    return this.#waiting.keys();
  }

  /** Drops the waiting keys as well, since nothing may be added any more. */
  override shutDown(): void {
    super.shutDown();
    this.#waiting.clear();
    while (this.#heap.pop() !== undefined);
    this.#setTimer();
  }

  #setTimer(): void {
    const dueMillis = this.#heap.peek()?.dueMillis ?? Number.POSITIVE_INFINITY;
    if (dueMillis === this.#timerMillis) return;
    this.#timer?.cancel();
    this.#timerMillis = dueMillis;
    if (dueMillis === Number.POSITIVE_INFINITY) this.#timer = undefined;
    else this.#timer = this.#loop.after(dueMillis - this.#loop.nowMillis(), () => this.#addDue());
  }

  #addDue(): void {
    this.#timerMillis = Number.POSITIVE_INFINITY;
    const nowMillis = this.#loop.nowMillis();
    for (
      let first = this.#heap.peek();
      first !== undefined && first.dueMillis <= nowMillis;
      first = this.#heap.peek()
    ) {
      this.#heap.pop();
      this.#waiting.delete(first.key);
      this.add(first.key);
    }
    this.#setTimer();
  }
}

/** A work queue for keys that are retried with growing delays. */
export class RateLimitedWorkQueue<K extends string> extends DelayedWorkQueue<K> implements RateLimitingQueue<K> {
  readonly #limiter: RateLimiter<K>;

  constructor(loop: EventLoop, limiter: RateLimiter<K>) {
    super(loop);
    this.#limiter = limiter;
  }

  addRateLimited(key: K): void {
    this.addAfter(key, this.#limiter.delayMillis(key));
  }

  forget(key: K): void {
    this.#limiter.forget(key);
  }

  numRequeues(key: K): number {
    return this.#limiter.numRequeues(key);
  }
}
