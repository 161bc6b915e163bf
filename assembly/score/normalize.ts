/** Default normalisation (upstream: plugins/helper/normalize_score.go) and the weighted sum of raw scores. */
import { inverseOf, toInteger, truncatedQuotient } from '../arithmetic/integral';

@inline
export function normalizeRow(raw: usize, inverse: f64, reverse: i32, out: usize, i: i32): void {
  const offset = usize(i) << 2;
  const score = toInteger(truncatedQuotient(f64(load<i32>(raw + offset)) * 100, inverse));
  store<i32>(out + offset, reverse ? 100 - score : score);
}

/** Nothing to scale by: everything is as good as anything else if `reverse`, else raw stays. */
@inline
export function normalizeByZero(raw: usize, reverse: i32, out: usize, from: i32, to: i32): void {
  if (reverse) fill(out, 100, from, to);
  else if (from < to) memory.copy(out + (usize(from) << 2), raw + (usize(from) << 2), usize(to - from) << 2);
}

export function maxFeasible(raw: usize, feasible: usize, from: i32, to: i32): i32 {
  let largest = 0;
  for (let i = from; i < to; i++) {
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
  for (let i = from; i < to; i++) normalizeRow(raw, inverse, reverse, out, i);
}

@inline
export function sumWeightedRow(base: usize, raw: usize, weight: i32, total: usize, i: i32): void {
  const offset = usize(i) << 2;
  store<i32>(total + offset, load<i32>(base + offset) + load<i32>(raw + offset) * weight);
}

export function addWeighted(raw: usize, weight: i32, total: usize, from: i32, to: i32): void {
  sumWeighted(total, raw, weight, total, from, to);
}

/** The sum in another column: total = base + raw * weight. */
export function sumWeighted(base: usize, raw: usize, weight: i32, total: usize, from: i32, to: i32): void {
  for (let i = from; i < to; i++) sumWeightedRow(base, raw, weight, total, i);
}

export function fill(total: usize, value: i32, from: i32, to: i32): void {
  for (let i = from; i < to; i++) store<i32>(total + (usize(i) << 2), value);
}
