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
