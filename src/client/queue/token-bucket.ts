import type { Clock } from '../../lib/clock.ts';

/**
 * Gets a token every `millisPerToken` and holds up to `burst`; full at the start. Kept as the one moment at which it
 * would be full again, so that whole milliseconds stay exact.
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

  /** Takes a token if there is one. */
  tryTake(): boolean {
    const before = this.#fullAtMillis;
    const hadToken = this.reserve() === 0;
    if (!hadToken) this.#fullAtMillis = before;
    return hadToken;
  }

  /** Takes a token, if need be one that is still to come; the milliseconds until it is there. */
  reserve(): number {
    const nowMillis = this.#clock.nowMillis();
    this.#fullAtMillis = Math.max(this.#fullAtMillis, nowMillis) + this.#millisPerToken;
    return Math.max(0, this.#fullAtMillis - nowMillis - this.#burst * this.#millisPerToken);
  }
}
