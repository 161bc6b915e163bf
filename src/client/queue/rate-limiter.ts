import type { Clock } from '../../lib/clock.ts';

/**
 * A bucket that gets a token every `millisPerToken`, holds up to `burst`, and starts full. Its state is the time at
 * which it would be full again, so that whole milliseconds stay exact.
 */
export class TokenBucket {
  readonly #millisPerToken: number;
  readonly #burst: number;
  readonly #clock: Clock;
  #fullAtMillis = Number.NEGATIVE_INFINITY;

  constructor(millisPerToken: number, burst: number, clock: Clock) {
    this.#millisPerToken = millisPerToken;
    this.#burst = burst;
    this.#clock = clock;
  }

  /** Takes a token if there is one. Returns whether it did. */
  tryTake(): boolean {
    const before = this.#fullAtMillis;
    const hadToken = this.reserve() === 0;
    if (!hadToken) this.#fullAtMillis = before;
    return hadToken;
  }

  /** Takes a token, which may still have to arrive. Returns the milliseconds until it does. */
  reserve(): number {
    const nowMillis = this.#clock.nowMillis();
    this.#fullAtMillis = Math.max(this.#fullAtMillis, nowMillis) + this.#millisPerToken;
    return Math.max(0, this.#fullAtMillis - nowMillis - this.#burst * this.#millisPerToken);
  }
}

/** Decides how long a key must wait before it is retried. */
export interface RateLimiter<K extends string> {
  /** Milliseconds until the key may be retried; each call counts as one failure of the key. */
  delayMillis(key: K): number;
  /** Resets the key's failures. */
  forget(key: K): void;
  /** The number of failures since the key was last forgotten. */
  numRequeues(key: K): number;
}

/** The first failure of a key costs `baseMillis`, each further one in a row twice as much, up to `maxMillis`. */
export class ItemExponentialFailureRateLimiter<K extends string> implements RateLimiter<K> {
  readonly #baseMillis: number;
  readonly #maxMillis: number;
  readonly #failures = new Map<K, number>();

  constructor(baseMillis: number, maxMillis: number) {
    this.#baseMillis = baseMillis;
    this.#maxMillis = maxMillis;
  }

  delayMillis(key: K): number {
    const failures = this.numRequeues(key);
    this.#failures.set(key, failures + 1);
    return Math.min(this.#baseMillis * 2 ** failures, this.#maxMillis);
  }

  forget(key: K): void {
    this.#failures.delete(key);
  }

  numRequeues(key: K): number {
    return this.#failures.get(key) ?? 0;
  }
}

/** All keys share one token bucket: `burst` may pass at once, then one every `millisPerToken`. */
export class BucketRateLimiter<K extends string> implements RateLimiter<K> {
  readonly #bucket: TokenBucket;

  constructor(millisPerToken: number, burst: number, clock: Clock) {
    this.#bucket = new TokenBucket(millisPerToken, burst, clock);
  }

  delayMillis(_key: K): number {
    return this.#bucket.reserve();
  }

  forget(_key: K): void {}

  numRequeues(_key: K): number {
    return 0;
  }
}

/** The longest delay of several limiters; each of them counts the failure. */
export class MaxOfRateLimiter<K extends string> implements RateLimiter<K> {
  readonly #limiters: readonly RateLimiter<K>[];

  constructor(limiters: readonly RateLimiter<K>[]) {
    this.#limiters = limiters;
  }

  delayMillis(key: K): number {
    return Math.max(0, ...this.#limiters.map((limiter) => limiter.delayMillis(key)));
  }

  forget(key: K): void {
    for (const limiter of this.#limiters) limiter.forget(key);
  }

  numRequeues(key: K): number {
    return Math.max(0, ...this.#limiters.map((limiter) => limiter.numRequeues(key)));
  }
}

/**
 * The rate limiter of upstream's controllers, unless they choose another (DefaultTypedControllerRateLimiter): 5 ms
 * doubling to 1000 s for a key, and 10 retries a second for all keys, after a burst of 100.
 */
export function defaultControllerRateLimiter<K extends string>(clock: Clock): RateLimiter<K> {
  return new MaxOfRateLimiter<K>([
    new ItemExponentialFailureRateLimiter(5, 1000 * 1000),
    new BucketRateLimiter(100, 100, clock),
  ]);
}
