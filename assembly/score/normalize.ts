/** Default normalisation (upstream: plugins/helper/normalize_score.go) and the weighted sum of raw scores. */
import { inverseOf, toInteger, toIntegers, truncatedQuotient, truncatedQuotientPair } from '../arithmetic/integral';
import { largestLane } from '../arithmetic/lanes';

export function maxFeasible(raw: usize, feasible: usize, from: i32, to: i32): i32 {
  let largest = 0;
  let i = from;
  if (ASC_FEATURE_SIMD) {
    let lanes = i32x4.splat(0);
    for (; i + 4 <= to; i += 4) {
      const offset = usize(i) << 2;
      lanes = i32x4.max_s(lanes, v128.and(v128.load(raw + offset), v128.load(feasible + offset)));
    }
    largest = largestLane(lanes);
  }
  for (; i < to; i++) {
    const offset = usize(i) << 2;
    largest = max(largest, load<i32>(raw + offset) & load<i32>(feasible + offset));
  }
  return largest;
}

@inline
function normalizeRow(raw: usize, inverse: f64, reverse: i32, out: usize, i: i32): void {
  const offset = usize(i) << 2;
  const score = toInteger(truncatedQuotient(f64(load<i32>(raw + offset)) * 100, inverse));
  store<i32>(out + offset, reverse ? 100 - score : score);
}

/** Nothing to scale by: everything is as good as anything else if `reverse`, else raw stays. */
@inline
function normalizeByZero(raw: usize, reverse: i32, out: usize, from: i32, to: i32): void {
  if (reverse) fill(out, 100, from, to);
  else if (from < to) memory.copy(out + (usize(from) << 2), raw + (usize(from) << 2), usize(to - from) << 2);
}

@inline
function percentPair(scores: v128, inverse: v128): v128 {
  return truncatedQuotientPair(f64x2.mul(f64x2.convert_low_i32x4_s(scores), f64x2.splat(100)), inverse);
}

export function normalize(raw: usize, max: i32, reverse: i32, out: usize, from: i32, to: i32): void {
  if (max == 0) {
    normalizeByZero(raw, reverse, out, from, to);
    return;
  }
  const inverse = inverseOf(max);
  let i = from;
  if (ASC_FEATURE_SIMD) {
    const inversePair = f64x2.splat(inverse);
    // 100 - score = ~score + 101, so one path serves both directions.
    const flip = i32x4.splat(reverse ? -1 : 0);
    const shift = i32x4.splat(reverse ? 101 : 0);
    for (; i + 4 <= to; i += 4) {
      const offset = usize(i) << 2;
      const scores = v128.load(raw + offset);
      const low = percentPair(scores, inversePair);
      const high = percentPair(i32x4.shuffle(scores, scores, 2, 3, 2, 3), inversePair);
      v128.store(out + offset, i32x4.add(v128.xor(toIntegers(low, high), flip), shift));
    }
  }
  for (; i < to; i++) normalizeRow(raw, inverse, reverse, out, i);
}

export function addWeighted(raw: usize, weight: i32, total: usize, from: i32, to: i32): void {
  sumWeighted(total, raw, weight, total, from, to);
}

/** The sum in another column: total = base + raw * weight. */
export function sumWeighted(base: usize, raw: usize, weight: i32, total: usize, from: i32, to: i32): void {
  let i = from;
  if (ASC_FEATURE_SIMD) {
    const weights = i32x4.splat(weight);
    for (; i + 4 <= to; i += 4) {
      const offset = usize(i) << 2;
      v128.store(total + offset, i32x4.add(v128.load(base + offset), i32x4.mul(v128.load(raw + offset), weights)));
    }
  }
  for (; i < to; i++) {
    const offset = usize(i) << 2;
    store<i32>(total + offset, load<i32>(base + offset) + load<i32>(raw + offset) * weight);
  }
}

export function fill(total: usize, value: i32, from: i32, to: i32): void {
  let i = from;
  if (ASC_FEATURE_SIMD) {
    const values = i32x4.splat(value);
    for (; i + 4 <= to; i += 4) v128.store(total + (usize(i) << 2), values);
  }
  for (; i < to; i++) store<i32>(total + (usize(i) << 2), value);
}
