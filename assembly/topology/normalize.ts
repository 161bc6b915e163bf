/**
 * Normalisations of PodTopologySpread and InterPodAffinity: raw scores are doubles, the range is over scored slots. The
 * SIMD build treats four slots a step.
 */
import {
  inverseOf,
  toInteger,
  toIntegers,
  truncatedQuotient,
  truncatedQuotientPair,
} from '../arithmetic/integral';
import { sumLanes } from '../arithmetic/lanes';

/**
 * Returns the number of slots with `scored` != 0; the minimum and maximum of their raw values stand at `range` then.
 */
export function scoredRange(raw: usize, scored: usize, range: usize, from: i32, to: i32): i32 {
  let least: f64 = Infinity;
  let most: f64 = -Infinity;
  let count = 0;
  let i = from;
  if (ASC_FEATURE_SIMD) {
    // Lanes of unscored slots hold the identity of the comparison, so that they never win.
    let leasts = f64x2.splat(Infinity);
    let mosts = f64x2.splat(-Infinity);
    let counts = i32x4.splat(0);
    for (; i + 4 <= to; i += 4) {
      const marks = v128.load(scored + (usize(i) << 2));
      const isScored = i32x4.ne(marks, i32x4.splat(0));
      counts = i32x4.sub(counts, isScored);
      const at = raw + (usize(i) << 3);
      const low = v128.load(at);
      const high = v128.load(at + 16);
      const lowMask = i64x2.extend_low_i32x4_s(isScored);
      const highMask = i64x2.extend_high_i32x4_s(isScored);
      leasts = f64x2.pmin(leasts, v128.bitselect(low, f64x2.splat(Infinity), lowMask));
      leasts = f64x2.pmin(leasts, v128.bitselect(high, f64x2.splat(Infinity), highMask));
      mosts = f64x2.pmax(mosts, v128.bitselect(low, f64x2.splat(-Infinity), lowMask));
      mosts = f64x2.pmax(mosts, v128.bitselect(high, f64x2.splat(-Infinity), highMask));
    }
    least = min(f64x2.extract_lane(leasts, 0), f64x2.extract_lane(leasts, 1));
    most = max(f64x2.extract_lane(mosts, 0), f64x2.extract_lane(mosts, 1));
    count = sumLanes(counts);
  }
  for (; i < to; i++) {
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
  let i = from;
  if (ASC_FEATURE_SIMD) {
    const half = f64x2.splat(0.5);
    const sign = f64x2.splat(-0.0);
    const one = f64x2.splat(1);
    for (; i + 2 <= to; i += 2) {
      const at = raw + (usize(i) << 3);
      const values = v128.load(at);
      const whole = f64x2.trunc(values);
      const step = v128.or(one, v128.and(values, sign));
      const away = v128.and(step, f64x2.ge(f64x2.abs(f64x2.sub(values, whole)), half));
      v128.store(at, f64x2.add(whole, away));
    }
  }
  for (; i < to; i++) roundScoreRow(raw, i);
}

@inline
function roundScoreRow(raw: usize, i: i32): void {
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
  let i = from;
  if (ASC_FEATURE_SIMD) {
    const inverses = f64x2.splat(inverse);
    const sums = f64x2.splat(most + least);
    const hundred = f64x2.splat(100);
    const isZero = i32x4.splat(most == 0 ? -1 : 0);
    for (; i + 4 <= to; i += 4) {
      const offset = usize(i) << 2;
      const at = raw + (usize(i) << 3);
      const low = truncatedQuotientPair(f64x2.mul(hundred, f64x2.sub(sums, v128.load(at))), inverses);
      const high = truncatedQuotientPair(f64x2.mul(hundred, f64x2.sub(sums, v128.load(at + 16))), inverses);
      const scores = v128.bitselect(i32x4.splat(100), toIntegers(low, high), isZero);
      const isScored = i32x4.ne(v128.load(scored + offset), i32x4.splat(0));
      v128.store(out + offset, v128.and(scores, isScored));
    }
  }
  for (; i < to; i++) normalizeSpreadRow(raw, scored, least, most, inverse, out, i);
}

@inline
function normalizeSpreadRow(
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
  let i = from;
  if (ASC_FEATURE_SIMD) {
    const spans = f64x2.splat(span);
    const leasts = f64x2.splat(least);
    const isSpread = i32x4.splat(span > 0 ? -1 : 0);
    for (; i + 4 <= to; i += 4) {
      const at = raw + (usize(i) << 3);
      const low = percents(v128.load(at), leasts, spans);
      const high = percents(v128.load(at + 16), leasts, spans);
      v128.store(out + (usize(i) << 2), v128.and(toIntegers(low, high), isSpread));
    }
  }
  for (; i < to; i++) normalizeRangeRow(raw, least, span, out, i);
}

@inline
function normalizeRangeRow(raw: usize, least: f64, span: f64, out: usize, i: i32): void {
  const value = load<f64>(raw + (usize(i) << 3));
  store<i32>(out + (usize(i) << 2), span > 0 ? toInteger(trunc(100 * ((value - least) / span))) : 0);
}

/** Divided first, then multiplied: as upstream, in doubles. */
@inline
function percents(values: v128, leasts: v128, spans: v128): v128 {
  return f64x2.trunc(f64x2.mul(f64x2.splat(100), f64x2.div(f64x2.sub(values, leasts), spans)));
}

/** A column of doubles set to one value. */
export function fillDoubles(out: usize, value: f64, from: i32, to: i32): void {
  let i = from;
  if (ASC_FEATURE_SIMD) {
    const values = f64x2.splat(value);
    for (; i + 2 <= to; i += 2) v128.store(out + (usize(i) << 3), values);
  }
  for (; i < to; i++) store<f64>(out + (usize(i) << 3), value);
}
