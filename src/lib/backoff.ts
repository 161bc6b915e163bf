import type { Clock } from './clock.ts';
import type { Prng } from './prng.ts';

export interface BackoffSettings {
  readonly initialMillis: number;
  /** The most, before jitter. */
  readonly maxMillis: number;
  readonly factor: number;
  /** A random share of each delay that is added to it, up to this: 1 makes delays up to twice as long. */
  readonly jitter: number;
  /** So long without a new delay, and the delays start over. */
  readonly resetMillis: number;
}

/** Delays that grow while something keeps failing, spread at random: those who fail together do not meet again. */
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

  /** How long to wait this time. */
  nextDelayMillis(): number {
    const { initialMillis, maxMillis, factor, jitter, resetMillis } = this.#settings;
    const nowMillis = this.#clock.nowMillis();
    if (nowMillis - this.#askedAtMillis > resetMillis) this.#nextMillis = initialMillis;
    this.#askedAtMillis = nowMillis;
    const delayMillis = this.#nextMillis;
    this.#nextMillis = Math.min(delayMillis * factor, maxMillis);
    // Whole milliseconds, so that no run depends on how a fraction is rounded.
    return delayMillis + this.#prng.below(Math.floor(delayMillis * jitter) + 1);
  }
}
