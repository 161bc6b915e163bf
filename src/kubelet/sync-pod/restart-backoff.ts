import type { Clock } from '../../lib/clock.ts';
import { SmallMap } from '../../lib/small-map.ts';

interface Entry {
  backOffMillis: number;
  updatedAtMillis: number;
}

/** Upstream: the kubelet's crash-loop back-off. */
const INITIAL_MILLIS = 10_000;
const MAX_MILLIS = 300_000;
/** Something that ran this long starts over with the shortest delay. */
const RESET_MILLIS = 2 * MAX_MILLIS;

/**
 * The delays of things that fail repeatedly: 10 s, 20 s, 40 s … 5 min from the last failure, but no delay after the
 * first failure. A failure that comes more than ten minutes after the last attempt starts over.
 *
 * Upstream: client-go/util/flowcontrol/backoff.go as the kubelet uses it.
 */
export class RestartBackoff {
  readonly #clock: Clock;
  readonly #entries = new SmallMap<string, Entry>();

  constructor(clock: Clock) {
    this.#clock = clock;
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
    if (entry === undefined || hasExpired(entry, failedAtMillis)) return undefined;
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
      entry === undefined || hasExpired(entry, failedAtMillis)
        ? INITIAL_MILLIS
        : Math.min(2 * entry.backOffMillis, MAX_MILLIS);
    this.#entries.set(key, { backOffMillis, updatedAtMillis });
  }

  /** Forgets every key with this prefix, because its pod is gone. */
  forget(prefix: string): void {
    if (this.#entries.size === 0) return;
    for (const key of this.#entries.keys()) if (key.startsWith(prefix)) this.#entries.delete(key);
  }
}

function hasExpired({ updatedAtMillis }: Entry, failedAtMillis: number): boolean {
  return failedAtMillis - updatedAtMillis > RESET_MILLIS;
}
