import type { Clock } from '../../lib/clock.ts';

interface Entry {
  backOffMillis: number;
  updatedAtMillis: number;
}

/** Upstream: the kubelet's crash-loop back-off. */
const INITIAL_MILLIS = 10_000;
const MAX_MILLIS = 300_000;
/** What ran so long was well: the delays start over. */
const RESET_MILLIS = 2 * MAX_MILLIS;

/**
 * How long things that fail again and again have to wait: 10 s, 20 s, 40 s … 5 min from their last failure, except that
 * the first failure costs nothing. A failure that comes more than ten minutes after the last try starts over.
 *
 * Upstream: client-go/util/flowcontrol/backoff.go as the kubelet uses it.
 */
export class RestartBackoff {
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The delay that stands for this key; 0 before its first failure. */
  delayMillis(key: string): number {
    return this.#entries.get(key)?.backOffMillis ?? 0;
  }

  /** When what failed at that moment may be tried again; undefined: now. */
  waitsUntilMillis(key: string, failedAtMillis: number): number | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || hasExpired(entry, failedAtMillis)) return undefined;
    const untilMillis = failedAtMillis + entry.backOffMillis;
    return this.#clock.nowMillis() < untilMillis ? untilMillis : undefined;
  }

  /** The same, where the delay counts from the last call of `next`. */
  waitsAfterLastMillis(key: string): number | undefined {
    const entry = this.#entries.get(key);
    return entry && this.waitsUntilMillis(key, entry.updatedAtMillis);
  }

  /** It is tried again now, after it failed at that moment. */
  next(key: string, failedAtMillis: number): void {
    const updatedAtMillis = this.#clock.nowMillis();
    const entry = this.#entries.get(key);
    const backOffMillis =
      entry === undefined || hasExpired(entry, failedAtMillis)
        ? INITIAL_MILLIS
        : Math.min(2 * entry.backOffMillis, MAX_MILLIS);
    this.#entries.set(key, { backOffMillis, updatedAtMillis });
  }

  /** Forgets every key with this beginning: its pod is gone. */
  forget(prefix: string): void {
    for (const key of this.#entries.keys()) if (key.startsWith(prefix)) this.#entries.delete(key);
  }
}

function hasExpired({ updatedAtMillis }: Entry, failedAtMillis: number): boolean {
  return failedAtMillis - updatedAtMillis > RESET_MILLIS;
}
