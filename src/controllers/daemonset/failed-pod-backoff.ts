const FIRST_MILLIS = 1000;
const MAX_MILLIS = 15 * 60_000;

interface Delay {
  millis: number;
  sinceMillis: number;
}

/**
 * How long a failed pod stays before it is replaced, by key: twice as long each time, and from the beginning again when
 * it has not failed for twice the longest delay. Upstream: flowcontrol.Backoff, as the DaemonSet controller uses it.
 */
export class FailedPodBackoff {
  readonly #delays = new Map<string, Delay>();

  /** How long the pod has to stay; 0 if it may go now, after which the next one has to stay longer. */
  leftMillis(key: string, nowMillis: number): number {
    const delay = this.#delays.get(key);
    if (delay === undefined || nowMillis - delay.sinceMillis > 2 * MAX_MILLIS) {
      this.#delays.set(key, { millis: FIRST_MILLIS, sinceMillis: nowMillis });
      return 0;
    }
    const leftMillis = delay.sinceMillis + delay.millis - nowMillis;
    if (leftMillis > 0) return leftMillis;
    delay.millis = Math.min(2 * delay.millis, MAX_MILLIS);
    delay.sinceMillis = nowMillis;
    return 0;
  }
}
