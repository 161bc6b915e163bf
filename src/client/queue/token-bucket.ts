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
