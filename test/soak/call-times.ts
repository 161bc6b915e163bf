/** The times of the calls of one method, in a histogram whose size does not depend on the number of calls. */
export class CallTimes {
  count = 0;
  maxMillis = 0;
  readonly #buckets = new Uint32Array(BUCKETS);

  add(millis: number): void {
    this.count++;
    this.maxMillis = Math.max(this.maxMillis, millis);
    const bucket = Math.ceil(Math.log(Math.max(millis, LEAST_MILLIS) / LEAST_MILLIS) / STEP);
    const at = Math.min(bucket, BUCKETS - 1);
    this.#buckets[at] = (this.#buckets[at] ?? 0) + 1;
  }

  /** The time that this share of the calls did not exceed, to two hundredths. */
  quantile(share: number): number {
    let left = Math.ceil(this.count * share);
    for (const [bucket, calls] of this.#buckets.entries()) {
      left -= calls;
      if (left <= 0) return Math.min(this.maxMillis, LEAST_MILLIS * Math.exp(bucket * STEP));
    }
    return this.maxMillis;
  }
}

const LEAST_MILLIS = 0.001;
const STEP = Math.log(1.02);
/** Enough for an hour. */
const BUCKETS = 1200;
