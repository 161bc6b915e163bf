import { assert } from './assert.ts';

/**
 * Student's t distribution: what a mean of few samples is distributed like when their spread has to be estimated from
 * the same samples. The tail comes from the incomplete beta function, which is computed by its continued fraction.
 */

/** The probability that the distance from 0 is at least `t`. */
export function twoSidedTail(t: number, freedom: number): number {
  assert(freedom > 0, 'a spread needs two samples');
  if (!Number.isFinite(t)) return 0;
  return incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5);
}

/** The distance from 0 that is exceeded with this probability, both sides together. */
export function twoSidedQuantile(tail: number, freedom: number): number {
  assert(tail > 0 && tail < 1, 'a quantile needs a probability between 0 and 1');
  let [low, high] = [0, 1];
  while (twoSidedTail(high, freedom) > tail) high *= 2;
  // Halving ends when two neighbouring numbers are left.
  for (let middle = high / 2; middle > low && middle < high; middle = (low + high) / 2) {
    if (twoSidedTail(middle, freedom) > tail) low = middle;
    else high = middle;
  }
  return high;
}

const STEPS_MAX = 10_000;
const PRECISION = 1e-15;
/** Stands for 0 where something is divided by it. */
const TINY = 1e-300;

/** The regularised incomplete beta function I_x(a, b). */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // The fraction converges fast below the mean of the distribution; above it the other tail is computed.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) - logBeta(a, b)) / a;
  let c = 1;
  let d = 1 / notZero(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m <= STEPS_MAX; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    let change = 1;
    for (const numerator of [even, odd]) {
      d = 1 / notZero(1 + numerator * d);
      c = notZero(1 + numerator / c);
      change = c * d;
      fraction *= change;
    }
    if (Math.abs(change - 1) < PRECISION) break;
  }
  return Math.min(1, front * fraction);
}

function notZero(value: number): number {
  return Math.abs(value) < TINY ? TINY : value;
}

/** ln B(a, 1/2), by the symmetry of B also with the arguments exchanged. */
function logBeta(a: number, b: number): number {
  return logGamma(a) + logGamma(b) - logGamma(a + b);
}

/** From here on the series of Stirling is exact to all digits that a number has. */
const STIRLING_MIN = 20;

function logGamma(x: number): number {
  let [shifted, product] = [x, 0];
  for (; shifted < STIRLING_MIN; shifted++) product += Math.log(shifted);
  const inverse = 1 / (shifted * shifted);
  const series = (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse / 1680))) / shifted;
  return (shifted - 0.5) * Math.log(shifted) - shifted + 0.5 * Math.log(2 * Math.PI) + series - product;
}
