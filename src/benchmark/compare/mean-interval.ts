import { assert } from '../../lib/assert.ts';

/** The mean of some samples, and the 95 % interval of the mean of all that could be drawn. */
export interface MeanInterval {
  readonly mean: number;
  /** The mean is between `mean - margin` and `mean + margin`; null for a single sample. */
  readonly margin: number | null;
}

/** The 97.5 % quantiles of Student's t distribution, from one degree of freedom on. */
const QUANTILES = [
  ...[12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131],
  ...[2.12, 2.11, 2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042],
];

/** Takes the samples as drawn from a normal distribution; with the sums of many events that is near enough. */
export function meanInterval(samples: readonly number[]): MeanInterval {
  assert(samples.length > 0, 'a mean needs a sample');
  const mean = samples.reduce((sum, each) => sum + each, 0) / samples.length;
  if (samples.length === 1) return { mean, margin: null };
  const freedom = samples.length - 1;
  const variance = samples.reduce((sum, each) => sum + (each - mean) ** 2, 0) / freedom;
  return { mean, margin: quantile(freedom) * Math.sqrt(variance / samples.length) };
}

function quantile(freedom: number): number {
  const known = QUANTILES[freedom - 1];
  if (known !== undefined) return known;
  // The first terms of the expansion by Cornish and Fisher are exact to three digits from here on.
  const z = 1.959964;
  return z + (z ** 3 + z) / (4 * freedom) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2);
}
