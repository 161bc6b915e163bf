/**
 * NodeResourcesFit, scoring strategy RequestedToCapacityRatio (upstream: noderesources/requested_to_capacity_ratio.go).
 * The SIMD build computes four slots a step, and reads the table slot by slot.
 */
import { toInteger, toIntegers } from '../arithmetic/integral';
import {
  ENTRY_BYTES,
  allocatable,
  allocatablePair,
  requestedWithPod,
  requestedWithPodExact,
  requestedWithPodPair,
  weight,
  weightPair,
} from '../memory/resource-entry';

/** Score of a whole percentage; outside 0..100 the shape is flat, so its ends answer. */
@inline
function shapeScore(table: usize, percent: i32): i32 {
  return load<i32>(table + (usize(min(max(percent, 0), 100)) << 2));
}

/** Half away from zero, like Go's math.Round; means are never negative here. */
@inline
function round(value: f64): f64 {
  const whole = trunc(value);
  return value - whole >= 0.5 ? whole + 1 : whole;
}

@inline
function utilization(capacity: f64, total: f64): i32 {
  if (total > capacity) return 100;
  const percent = trunc((total * 100) / capacity);
  const atLeast = percent > 0 ? percent : 0;
  return i32(atLeast < 100 ? atLeast : 100);
}

@inline
export function ratioRow(entries: usize, entryCount: i32, table: usize, i: i32): i32 {
  const offset = usize(i) << 3;
  let sum = 0.0;
  let weights = 0.0;
  for (let k = 0, entry = entries; k < entryCount; k++, entry += ENTRY_BYTES) {
    const capacity = allocatable(entry, offset);
    if (capacity == 0) continue;
    const score = shapeScore(table, utilization(capacity, requestedWithPod(entry, offset)));
    if (score <= 0) continue;
    sum += f64(score) * weight(entry);
    weights += weight(entry);
  }
  return weights == 0 ? 0 : toInteger(round(sum / weights));
}

@inline
function ratioRowExact(entries: usize, entryCount: i32, table: usize, i: i32): i32 {
  const offset = usize(i) << 3;
  let sum: i64 = 0;
  let weights: i64 = 0;
  for (let k = 0, entry = entries; k < entryCount; k++, entry += ENTRY_BYTES) {
    const capacity = i64(allocatable(entry, offset));
    if (capacity == 0) continue;
    const total = requestedWithPodExact(entry, offset);
    const percent: i64 = total > capacity ? 100 : (total * 100) / capacity;
    const score = shapeScore(table, i32(min(max(percent, 0), 100)));
    if (score <= 0) continue;
    sum += i64(score) * i64(weight(entry));
    weights += i64(weight(entry));
  }
  return weights == 0 ? 0 : toInteger(round(f64(sum) / f64(weights)));
}

/** Two shape scores as doubles. */
@inline
function shapePair(table: usize, capacity: v128, total: v128): v128 {
  const hundred = f64x2.splat(100);
  const percent = f64x2.trunc(f64x2.div(f64x2.mul(total, hundred), capacity));
  const bounded = f64x2.pmin(hundred, f64x2.pmax(f64x2.splat(0), percent));
  const index = toIntegers(v128.bitselect(hundred, bounded, f64x2.gt(total, capacity)), f64x2.splat(0));
  return f64x2.replace_lane(
    f64x2.splat(f64(shapeScore(table, i32x4.extract_lane(index, 0)))),
    1,
    f64(shapeScore(table, i32x4.extract_lane(index, 1))),
  );
}

@inline
function ratioPair(entries: usize, entryCount: i32, table: usize, offset: usize): v128 {
  const zero = f64x2.splat(0);
  let sum = zero;
  let weights = zero;
  for (let k = 0, entry = entries; k < entryCount; k++, entry += ENTRY_BYTES) {
    const capacity = allocatablePair(entry, offset);
    const score = shapePair(table, capacity, requestedWithPodPair(entry, offset));
    const counts = v128.and(f64x2.ne(capacity, zero), f64x2.gt(score, zero));
    sum = f64x2.add(sum, v128.and(f64x2.mul(score, weightPair(entry)), counts));
    weights = f64x2.add(weights, v128.and(weightPair(entry), counts));
  }
  const mean = v128.and(f64x2.div(sum, weights), f64x2.ne(weights, zero));
  const whole = f64x2.trunc(mean);
  const up = f64x2.ge(f64x2.sub(mean, whole), f64x2.splat(0.5));
  return f64x2.add(whole, v128.and(f64x2.splat(1), up));
}

export function scoreRequestedToCapacityRatio(
  entries: usize,
  entryCount: i32,
  table: usize,
  out: usize,
  exact: i32,
  from: i32,
  to: i32,
): void {
  let i = from;
  if (exact) {
    for (; i < to; i++) store<i32>(out + (usize(i) << 2), ratioRowExact(entries, entryCount, table, i));
    return;
  }
  if (ASC_FEATURE_SIMD) {
    for (; i + 4 <= to; i += 4) {
      const offset = usize(i) << 3;
      const low = ratioPair(entries, entryCount, table, offset);
      const high = ratioPair(entries, entryCount, table, offset + 16);
      v128.store(out + (usize(i) << 2), toIntegers(low, high));
    }
  }
  for (; i < to; i++) store<i32>(out + (usize(i) << 2), ratioRow(entries, entryCount, table, i));
}
