import type { Clock } from '../../lib/clock.ts';
import { formatDuration } from '../../lib/go-duration.ts';

export type PlegHealth = { readonly ok: true } | { readonly ok: false; readonly error: string };

/**
 * Tracks whether the PLEG can be trusted: when its last successful relist began too long ago, the kubelet stops syncing
 * pods.
 *
 * Upstream: Healthy in pkg/kubelet/pleg/generic.go.
 */
export class RelistHealth {
  readonly #clock: Clock;
  readonly #thresholdMillis: number;
  #relistMillis: number | undefined;

  constructor(clock: Clock, thresholdMillis: number) {
    this.#clock = clock;
    this.#thresholdMillis = thresholdMillis;
  }

  /** The start of the last relist whose listing succeeded; undefined before the first. */
  get relistMillis(): number | undefined {
    return this.#relistMillis;
  }

  relistSucceeded(startMillis: number): void {
    this.#relistMillis = startMillis;
  }

  check(): PlegHealth {
    if (this.#relistMillis === undefined) return { ok: false, error: 'pleg has yet to be successful' };
    const elapsedMillis = this.#clock.nowMillis() - this.#relistMillis;
    if (elapsedMillis <= this.#thresholdMillis) return { ok: true };
    const [elapsed, threshold] = [elapsedMillis, this.#thresholdMillis].map(durationOf);
    return { ok: false, error: `pleg was last seen active ${elapsed} ago; threshold is ${threshold}` };
  }
}

function durationOf(millis: number): string {
  return formatDuration(BigInt(Math.round(millis * 1e6)));
}
