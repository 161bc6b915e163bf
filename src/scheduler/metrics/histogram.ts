/** Counts of values by size, as Prometheus has them. Observing is a walk over a few numbers, and nothing else. */
export class Histogram {
  /** Ascending; the last bucket has no bound. */
  readonly upperBounds: readonly number[];
  /** The values in each bucket alone; the last element counts those above all bounds. */
  readonly counts: Float64Array;
  sum = 0;
  count = 0;

  constructor(upperBounds: readonly number[]) {
    this.upperBounds = upperBounds;
    this.counts = new Float64Array(upperBounds.length + 1);
  }

  /** Counts the value, or several observations of it. */
  observe(value: number, times = 1): void {
    const { upperBounds, counts } = this;
    let bucket = 0;
    while (bucket < upperBounds.length && value > (upperBounds[bucket] as number)) bucket++;
    counts[bucket] = (counts[bucket] as number) + times;
    this.sum += value * times;
    this.count += times;
  }

  /** Adds what another histogram of the same buckets has counted. */
  add(other: Histogram): void {
    for (let i = 0; i < this.counts.length; i++)
      this.counts[i] = (this.counts[i] as number) + (other.counts[i] as number);
    this.sum += other.sum;
    this.count += other.count;
  }

  clear(): void {
    this.counts.fill(0);
    this.sum = 0;
    this.count = 0;
  }

  get average(): number {
    return this.sum / this.count;
  }

  /**
   * The value below which this part of the values lies (0 to 1), as if they were spread evenly within their bucket;
   * beyond the last bound it is that bound. NaN of nothing. Upstream: Quantile in component-base/metrics/testutil.
   */
  quantile(part: number): number {
    const { upperBounds, counts } = this;
    const rank = part * this.count;
    let below = 0;
    for (let i = 0; i < upperBounds.length; i++) {
      const here = counts[i] as number;
      const upper = upperBounds[i] as number;
      if (below + here >= rank && this.count > 0) {
        const lower = i === 0 ? 0 : (upperBounds[i - 1] as number);
        return here === 0 ? lower : lower + (upper - lower) * ((rank - below) / here);
      }
      below += here;
    }
    return this.count === 0 ? Number.NaN : (upperBounds.at(-1) as number);
  }
}
