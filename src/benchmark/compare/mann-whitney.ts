import { assert } from '../../lib/assert.ts';

/**
 * Whether two samples differ, and by which factor. Run times are few, skewed, and have outliers on one side, so nothing
 * is assumed of their distribution: the p-value is that of the Mann-Whitney U test, as in benchstat, and the interval
 * holds just those factors that the same test would not reject (Moses). A bootstrap is too sure of itself with so few
 * runs: of three and three that do not overlap it says 95 %, where chance alone parts them one time in ten.
 */
export interface SampleComparison {
  /** The two-sided p-value: how likely samples of one distribution are at least as far apart. */
  readonly p: number;
  /** The 95 % interval of the factor b / a; null when there are too few samples for any. */
  readonly interval: readonly [low: number, high: number] | null;
}

const CONFIDENCE = 0.95;
/** With more samples of a kind, the normal approximation is exact to three digits. */
const EXACT_SAMPLES_MAX = 50;

/** Compares two samples of positive numbers. */
export function compareSamples(a: readonly number[], b: readonly number[]): SampleComparison {
  assert(a.length > 0 && b.length > 0, 'two samples are compared');
  return { p: pValue(a, b), interval: interval(a, b) };
}

export function median(samples: readonly number[]): number {
  assert(samples.length > 0, 'a median needs a sample');
  const sorted = [...samples].sort(ascending);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}

function pValue(a: readonly number[], b: readonly number[]): number {
  const doubled = doubledRanks([...a, ...b]);
  const rankSum = sum(doubled.slice(0, a.length));
  const mean = (sum(doubled) * a.length) / doubled.length;
  const distance = Math.abs(rankSum - mean);
  if (distance === 0) return 1;
  if (Math.max(a.length, b.length) > EXACT_SAMPLES_MAX) return normalPValue(doubled, a.length, distance);
  const counts = rankSumCounts(doubled, a.length);
  let [extreme, all] = [0, 0];
  for (const [value, count] of counts.entries()) {
    all += count;
    // The sums are whole numbers but their mean need not be, so a tiny tolerance covers its rounding.
    if (Math.abs(value - mean) >= distance - 1e-9) extreme += count;
  }
  return Math.min(1, extreme / all);
}

/**
 * Returns the range of the factors between one sample of `a` and one of `b`, without those at both ends that chance may
 * produce.
 */
function interval(a: readonly number[], b: readonly number[]): SampleComparison['interval'] {
  const tail = tailRank(a.length, b.length);
  if (tail < 1) return null;
  const factors = b.flatMap((y) => a.map((x) => y / x)).sort(ascending);
  return [factors[tail - 1] as number, factors[factors.length - tail] as number];
}

/** The largest k for which U < k has at most the probability of one tail; 0 when there is none. */
function tailRank(m: number, n: number): number {
  const tailMax = (1 - CONFIDENCE) / 2;
  if (Math.max(m, n) > EXACT_SAMPLES_MAX) {
    const deviation = Math.sqrt((m * n * (m + n + 1)) / 12);
    return Math.max(0, Math.floor((m * n) / 2 - NORMAL_QUANTILE * deviation));
  }
  const ranks = Array.from({ length: m + n }, (_, i) => 2 * (i + 1));
  const counts = rankSumCounts(ranks, m);
  const all = sum(counts);
  const least = m * (m + 1);
  let below = 0;
  for (let u = 0; u <= m * n; u++) {
    below += counts[least + 2 * u] as number;
    if (below / all > tailMax) return u;
  }
  return 0;
}

/** The quantile of the normal distribution for CONFIDENCE. */
const NORMAL_QUANTILE = 1.959964;

/** Twice the rank of each value, from 1; equal values share the mean of their ranks, so ranks may be halves. */
function doubledRanks(values: readonly number[]): number[] {
  const order = values.map((_, i) => i).sort((i, j) => (values[i] as number) - (values[j] as number));
  const ranks = new Array<number>(values.length);
  for (let from = 0; from < order.length; ) {
    let to = from + 1;
    while (to < order.length && values[order[to] as number] === values[order[from] as number]) to++;
    for (let i = from; i < to; i++) ranks[order[i] as number] = from + 1 + to;
    from = to;
  }
  return ranks;
}

/**
 * The number of choices of `size` of the ranks for each sum, indexed by the sum. Exact below 2^53, and close enough
 * above.
 */
function rankSumCounts(ranks: readonly number[], size: number): number[] {
  const sumMax = sum([...ranks].sort((x, y) => y - x).slice(0, size));
  const bySize = Array.from({ length: size + 1 }, () => new Float64Array(sumMax + 1));
  (bySize[0] as Float64Array)[0] = 1;
  for (const rank of ranks) {
    for (let chosen = size; chosen >= 1; chosen--) {
      const [to, from] = [bySize[chosen] as Float64Array, bySize[chosen - 1] as Float64Array];
      for (let value = sumMax; value >= rank; value--)
        to[value] = (to[value] as number) + (from[value - rank] as number);
    }
  }
  return Array.from(bySize[size] as Float64Array);
}

/** `distance` is in doubled rank sums; one unit of U is two of them, half of which is the continuity correction. */
function normalPValue(doubled: readonly number[], size: number, distance: number): number {
  const total = doubled.length;
  const mean = sum(doubled) / total;
  const squares = sum(doubled.map((rank) => (rank - mean) ** 2));
  const variance = (squares * size * (total - size)) / (total * (total - 1));
  if (variance === 0) return 1;
  return Math.min(1, 2 * upperTail(Math.max(0, distance - 1) / Math.sqrt(variance)));
}

/** The upper tail of the standard normal distribution beyond z >= 0: Abramowitz and Stegun 26.2.17, to 7.5e-8. */
function upperTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const series = [1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.31938153];
  const polynomial = series.reduce((value, coefficient) => (value + coefficient) * t, 0);
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * polynomial;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function ascending(a: number, b: number): number {
  return a - b;
}
