/** The SIMD twins of normalize.ts, four slots a step. */
import { inverseOf } from '../arithmetic/integral';
import { toIntegers, truncatedQuotientPair } from '../arithmetic/integral.simd';
import { sumLanes } from '../arithmetic/lanes.simd';
import { normalizeRangeRow, normalizeSpreadRow, roundScoreRow } from './normalize';

/** Lanes of unscored slots hold the identity of the comparison, so that they never win. */
export function scoredRange(raw: usize, scored: usize, range: usize, from: i32, to: i32): i32 {
  let leasts = f64x2.splat(Infinity);
  let mosts = f64x2.splat(-Infinity);
  let counts = i32x4.splat(0);
  let i = from;
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
  let least = min(f64x2.extract_lane(leasts, 0), f64x2.extract_lane(leasts, 1));
  let most = max(f64x2.extract_lane(mosts, 0), f64x2.extract_lane(mosts, 1));
  let count = sumLanes(counts);
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

export function roundScores(raw: usize, from: i32, to: i32): void {
  const half = f64x2.splat(0.5);
  const sign = f64x2.splat(-0.0);
  const one = f64x2.splat(1);
  let i = from;
  for (; i + 2 <= to; i += 2) {
    const at = raw + (usize(i) << 3);
    const values = v128.load(at);
    const whole = f64x2.trunc(values);
    const step = v128.or(one, v128.and(values, sign));
    const away = v128.and(step, f64x2.ge(f64x2.abs(f64x2.sub(values, whole)), half));
    v128.store(at, f64x2.add(whole, away));
  }
  for (; i < to; i++) roundScoreRow(raw, i);
}

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
  const inverses = f64x2.splat(inverse);
  const sums = f64x2.splat(most + least);
  const hundred = f64x2.splat(100);
  const isZero = i32x4.splat(most == 0 ? -1 : 0);
  let i = from;
  for (; i + 4 <= to; i += 4) {
    const offset = usize(i) << 2;
    const at = raw + (usize(i) << 3);
    const low = truncatedQuotientPair(f64x2.mul(hundred, f64x2.sub(sums, v128.load(at))), inverses);
    const high = truncatedQuotientPair(f64x2.mul(hundred, f64x2.sub(sums, v128.load(at + 16))), inverses);
    const scores = v128.bitselect(i32x4.splat(100), toIntegers(low, high), isZero);
    const isScored = i32x4.ne(v128.load(scored + offset), i32x4.splat(0));
    v128.store(out + offset, v128.and(scores, isScored));
  }
  for (; i < to; i++) normalizeSpreadRow(raw, scored, least, most, inverse, out, i);
}

export function normalizeRange(raw: usize, least: f64, most: f64, out: usize, from: i32, to: i32): void {
  const span = most - least;
  const spans = f64x2.splat(span);
  const leasts = f64x2.splat(least);
  const isSpread = i32x4.splat(span > 0 ? -1 : 0);
  let i = from;
  for (; i + 4 <= to; i += 4) {
    const at = raw + (usize(i) << 3);
    const low = percents(v128.load(at), leasts, spans);
    const high = percents(v128.load(at + 16), leasts, spans);
    v128.store(out + (usize(i) << 2), v128.and(toIntegers(low, high), isSpread));
  }
  for (; i < to; i++) normalizeRangeRow(raw, least, span, out, i);
}

/** Divided first, then multiplied: as upstream, in doubles. */
@inline
function percents(values: v128, leasts: v128, spans: v128): v128 {
  return f64x2.trunc(f64x2.mul(f64x2.splat(100), f64x2.div(f64x2.sub(values, leasts), spans)));
}

export function fillDoubles(out: usize, value: f64, from: i32, to: i32): void {
  const values = f64x2.splat(value);
  let i = from;
  for (; i + 2 <= to; i += 2) v128.store(out + (usize(i) << 3), values);
  for (; i < to; i++) store<f64>(out + (usize(i) << 3), value);
}
