/** Normalisations of PodTopologySpread and InterPodAffinity: raw scores are doubles, the range is over scored slots. */
import { inverseOf, toInteger, truncatedQuotient } from '../arithmetic/integral';


/** out (i32, 0 and 1) = the number of slots with `scored` != 0; minimum and maximum of their raw values at `range`. */
export function scoredRange(raw: usize, scored: usize, range: usize, from: i32, to: i32): i32 {
  let least: f64 = Infinity;
  let most: f64 = -Infinity;
  let count = 0;
  for (let i = from; i < to; i++) {
    if (load<i32>(scored + (usize(i) << 2)) == 0) continue;
    const value = load<f64>(raw + (usize(i) << 3));
    least = min(least, value);
    most = max(most, value);
    count++;
  }
  store<f64>(range, least);
  store<f64>(range, most, 8);
  return count;
}

/** raw (f64) = its nearest integer, halves away from zero. */
export function roundScores(raw: usize, from: i32, to: i32): void {
  for (let i = from; i < to; i++) roundScoreRow(raw, i);
}

@inline
export function roundScoreRow(raw: usize, i: i32): void {
  const at = raw + (usize(i) << 3);
  const value = load<f64>(at);
  const whole = trunc(value);
  store<f64>(at, whole + (abs(value - whole) >= 0.5 ? copysign<f64>(1, value) : 0));
}

/** Fewer is better: 100 * (most + least - raw) / most, truncated; 100 for all when most is 0; 0 where not scored. */
export function normalizeSpread(
  raw: usize,
  scored: usize,
  least: f64,
  most: f64,
  out: usize,
  from: i32,
  to: i32,
): void {
  const inverse = inverseOf(most);
  for (let i = from; i < to; i++) normalizeSpreadRow(raw, scored, least, most, inverse, out, i);
}

@inline
export function normalizeSpreadRow(
  raw: usize,
  scored: usize,
  least: f64,
  most: f64,
  inverse: f64,
  out: usize,
  i: i32,
): void {
  const offset = usize(i) << 2;
  const score = truncatedQuotient(100 * (most + least - load<f64>(raw + (usize(i) << 3))), inverse);
  const isScored = load<i32>(scored + offset) != 0;
  store<i32>(out + offset, isScored ? (most == 0 ? 100 : toInteger(score)) : 0);
}

/** 100 * (raw - least) / (most - least), truncated; 0 for all when they are equal. */
export function normalizeRange(raw: usize, least: f64, most: f64, out: usize, from: i32, to: i32): void {
  const span = most - least;
  for (let i = from; i < to; i++) normalizeRangeRow(raw, least, span, out, i);
}

@inline
export function normalizeRangeRow(raw: usize, least: f64, span: f64, out: usize, i: i32): void {
  const value = load<f64>(raw + (usize(i) << 3));
  store<i32>(out + (usize(i) << 2), span > 0 ? toInteger(trunc(100 * ((value - least) / span))) : 0);
}

/** A column of doubles set to one value. */
export function fillDoubles(out: usize, value: f64, from: i32, to: i32): void {
  for (let i = from; i < to; i++) store<f64>(out + (usize(i) << 3), value);
}
