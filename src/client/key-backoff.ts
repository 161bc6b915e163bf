import type { Clock } from '../lib/clock.ts';
import { SmallMap } from '../lib/small-map.ts';

interface Entry {
  backOffMillis: number;
  updatedAtMillis: number;
}

export interface BackoffLimits {
  readonly initialMillis: number;
  readonly maxMillis: number;
}

/**
 * The delays of things that fail repeatedly: each is twice as long as the one before, up to a limit, but there is no
 * delay after the first failure. A failure that comes later than twice the limit after the last attempt starts over.
 *
 * Upstream: client-go/util/flowcontrol/backoff.go.
 */
export class KeyBackoff {
  readonly #clock: Clock;
  readonly #limits: BackoffLimits;
  readonly #entries = new SmallMap<string, Entry>();

  constructor(clock: Clock, limits: BackoffLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** The current delay of this key; 0 before its first failure. */
  delayMillis(key: string): number {
    return this.#entries.get(key)?.backOffMillis ?? 0;
  }

  /**
   * The time at which the key may be tried again after its failure at `failedAtMillis`; undefined if it may be tried
   * now.
   */
  waitsUntilMillis(key: string, failedAtMillis: number): number | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || this.#hasExpired(entry, failedAtMillis)) return undefined;
    const untilMillis = failedAtMillis + entry.backOffMillis;
    return this.#clock.nowMillis() < untilMillis ? untilMillis : undefined;
  }

  /** Like `waitsUntilMillis`, but counting the delay from the last call of `next`. */
  waitsAfterLastMillis(key: string): number | undefined {
    const entry = this.#entries.get(key);
    return entry && this.waitsUntilMillis(key, entry.updatedAtMillis);
  }

  /** Records that the key is tried again now, after its failure at `failedAtMillis`. */
  next(key: string, failedAtMillis: number): void {
    const updatedAtMillis = this.#clock.nowMillis();
    const entry = this.#entries.get(key);
    const backOffMillis =
      entry === undefined || this.#hasExpired(entry, failedAtMillis)
        ? this.#limits.initialMillis
        : Math.min(2 * entry.backOffMillis, this.#limits.maxMillis);
    this.#entries.set(key, { backOffMillis, updatedAtMillis });
  }

  /** Forgets every key with this prefix, because its pod is gone. */
  forget(prefix: string): void {
    if (this.#entries.size === 0) return;
    for (const key of this.#entries.keys()) if (key.startsWith(prefix)) this.#entries.delete(key);
  }

  #hasExpired({ updatedAtMillis }: Entry, failedAtMillis: number): boolean {
    return failedAtMillis - updatedAtMillis > 2 * this.#limits.maxMillis;
  }
}
