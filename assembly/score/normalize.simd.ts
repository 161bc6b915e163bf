/** Default normalisation and the weighted sum, four slots a step. */
import { inverseOf } from '../arithmetic/integral';
import { toIntegers, truncatedQuotientPair } from '../arithmetic/integral.simd';
import { largestLane } from '../arithmetic/lanes.simd';
import { normalizeByZero, normalizeRow, sumWeightedRow } from './normalize';

@inline
function percentPair(scores: v128, inverse: v128): v128 {
  return truncatedQuotientPair(f64x2.mul(f64x2.convert_low_i32x4_s(scores), f64x2.splat(100)), inverse);
}

export function maxFeasible(raw: usize, feasible: usize, from: i32, to: i32): i32 {
  let lanes = i32x4.splat(0);
  let i = from;
  for (; i + 4 <= to; i += 4) {
    const offset = usize(i) << 2;
    lanes = i32x4.max_s(lanes, v128.and(v128.load(raw + offset), v128.load(feasible + offset)));
  }
  let largest = largestLane(lanes);
  for (; i < to; i++) {
    const offset = usize(i) << 2;
    largest = max(largest, load<i32>(raw + offset) & load<i32>(feasible + offset));
  }
  return largest;
}

export function normalize(raw: usize, max: i32, reverse: i32, out: usize, from: i32, to: i32): void {
  if (max == 0) {
    normalizeByZero(raw, reverse, out, from, to);
    return;
  }
  const inverse = inverseOf(max);
  const inversePair = f64x2.splat(inverse);
  // 100 - score = ~score + 101, so one path serves both directions.
  const flip = i32x4.splat(reverse ? -1 : 0);
  const shift = i32x4.splat(reverse ? 101 : 0);
  let i = from;
  for (; i + 4 <= to; i += 4) {
    const offset = usize(i) << 2;
    const scores = v128.load(raw + offset);
    const low = percentPair(scores, inversePair);
    const high = percentPair(i32x4.shuffle(scores, scores, 2, 3, 2, 3), inversePair);
    v128.store(out + offset, i32x4.add(v128.xor(toIntegers(low, high), flip), shift));
  }
  for (; i < to; i++) normalizeRow(raw, inverse, reverse, out, i);
}

export function addWeighted(raw: usize, weight: i32, total: usize, from: i32, to: i32): void {
  sumWeighted(total, raw, weight, total, from, to);
}

export function sumWeighted(base: usize, raw: usize, weight: i32, total: usize, from: i32, to: i32): void {
  const weights = i32x4.splat(weight);
  let i = from;
  for (; i + 4 <= to; i += 4) {
    const offset = usize(i) << 2;
    v128.store(total + offset, i32x4.add(v128.load(base + offset), i32x4.mul(v128.load(raw + offset), weights)));
  }
  for (; i < to; i++) sumWeightedRow(base, raw, weight, total, i);
}

export function fill(total: usize, value: i32, from: i32, to: i32): void {
  const values = i32x4.splat(value);
  let i = from;
  for (; i + 4 <= to; i += 4) v128.store(total + (usize(i) << 2), values);
  for (; i < to; i++) store<i32>(total + (usize(i) << 2), value);
}
