import { assert } from '../../lib/assert.ts';
import { twoSidedQuantile } from '../../lib/student-t.ts';

/** The mean of some samples, and the 95 % interval of the mean of all that could be drawn. */
export interface MeanInterval {
  readonly mean: number;
  /** The mean is between `mean - margin` and `mean + margin`; null for a single sample. */
  readonly margin: number | null;
}

/** How often the interval misses that mean. */
const MISSED_SHARE = 0.05;

/** Takes the samples as drawn from a normal distribution; with the sums of many events that is near enough. */
export function meanInterval(samples: readonly number[]): MeanInterval {
  assert(samples.length > 0, 'a mean needs a sample');
  const mean = samples.reduce((sum, each) => sum + each, 0) / samples.length;
  if (samples.length === 1) return { mean, margin: null };
  const freedom = samples.length - 1;
  const variance = samples.reduce((sum, each) => sum + (each - mean) ** 2, 0) / freedom;
  return { mean, margin: twoSidedQuantile(MISSED_SHARE, freedom) * Math.sqrt(variance / samples.length) };
}
