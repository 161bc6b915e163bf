import { assert } from '../lib/assert.ts';

/** The nearest-rank percentile: the smallest sample that at least `percent` % of the samples do not exceed. */
export function percentile(ascending: ArrayLike<number>, percent: number): number {
  assert(ascending.length > 0, 'a percentile needs a sample');
  const rank = Math.max(1, Math.ceil((ascending.length * percent) / 100));
  return ascending[rank - 1] as number;
}
