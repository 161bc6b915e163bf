import type { Clock } from './clock.ts';
import type { Prng } from './prng.ts';

export interface BackoffSettings {
  readonly initialMillis: number;
  /** The longest delay, before jitter. */
  readonly maxMillis: number;
  readonly factor: number;
  /** Each delay is prolonged by a random share of itself, up to this: with 1, delays are up to twice as long. */
  readonly jitter: number;
  /** After this long without a new delay, the delays start over. */
  readonly resetMillis: number;
}

/**
 * Delays that grow while something keeps failing, with random jitter, so that clients that fail together do not retry
 * together.
 */
export class Backoff {
  readonly #settings: BackoffSettings;
  readonly #clock: Clock;
  readonly #prng: Prng;
  #nextMillis: number;
  #askedAtMillis = Number.NEGATIVE_INFINITY;

  constructor(settings: BackoffSettings, clock: Clock, prng: Prng) {
    this.#settings = settings;
    this.#clock = clock;
    this.#prng = prng;
    this.#nextMillis = settings.initialMillis;
  }

  nextDelayMillis(): number {
    const { initialMillis, maxMillis, factor, jitter, resetMillis } = this.#settings;
    const nowMillis = this.#clock.nowMillis();
    if (nowMillis - this.#askedAtMillis > resetMillis) this.#nextMillis = initialMillis;
    this.#askedAtMillis = nowMillis;
    const delayMillis = this.#nextMillis;
    this.#nextMillis = Math.min(delayMillis * factor, maxMillis);
    // Delays are whole milliseconds, so that no run depends on how a fraction is rounded.
    return delayMillis + this.#prng.below(Math.floor(delayMillis * jitter) + 1);
  }
}
