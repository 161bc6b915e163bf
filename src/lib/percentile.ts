import { assert } from './assert.ts';

/** The values that 50, 90 and 99 % of the samples do not exceed. */
export type Percentiles = Readonly<Record<'p50' | 'p90' | 'p99', number>>;

export function percentiles(ascending: ArrayLike<number>): Percentiles {
  return { p50: percentile(ascending, 50), p90: percentile(ascending, 90), p99: percentile(ascending, 99) };
}

/** The nearest-rank percentile: the smallest sample that at least `percent` % of the samples do not exceed. */
export function percentile(ascending: ArrayLike<number>, percent: number): number {
  assert(ascending.length > 0, 'a percentile needs a sample');
  const rank = Math.max(1, Math.ceil((ascending.length * percent) / 100));
  return ascending[rank - 1] as number;
}
