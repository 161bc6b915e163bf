/**
 * Keys to work on, as client-go's work queues treat them. Keys stand for objects: adding one twice is adding it once.
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
  /** The key that has been ready longest, or undefined when none is. Whoever takes it calls `done`. */
  get(): K | undefined;
  done(key: K): void;
  /** Keys that are ready; those being processed do not count. */
  readonly length: number;
  /** From now on `add` does nothing. */
  shutDown(): void;
  /** As `shutDown`; `onDrained` is called when nothing is ready and everything being processed is done. */
  shutDownWithDrain(onDrained: () => void): void;
  readonly isShuttingDown: boolean;
  /** `wake` is called whenever a key has become ready. One listener: the last one given. */
  onReady(wake: () => void): void;
}

/** A queue to which keys can be added later. Waiting and ready are separate: getting a key cancels no later wait. */
export interface DelayingQueue<K extends string> extends WorkQueue<K> {
  /**
   * Adds the key when the delay is over, at once if it is <= 0. If the key waits already, the earlier time stays. Keys
   * that are due at the same time become ready in the order of their names.
   */
  addAfter(key: K, delayMillis: number): void;
}

/** A queue for keys whose processing failed: each failure in a row lets the key wait longer. */
export interface RateLimitingQueue<K extends string> extends DelayingQueue<K> {
  /** `addAfter` with the delay that the rate limiter asks for. */
  addRateLimited(key: K): void;
  /** The key succeeded, or is given up: its failures no longer count. It stays in the queue if it is there. */
  forget(key: K): void;
  /** How often the key was added rate limited since it was last forgotten. */
  numRequeues(key: K): number;
}
