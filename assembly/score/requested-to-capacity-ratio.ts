/**
 * NodeResourcesFit, scoring strategy RequestedToCapacityRatio (upstream: noderesources/requested_to_capacity_ratio.go).
 */
import { toInteger } from '../arithmetic/integral';
import { ENTRY_BYTES, allocatable, requestedWithPod, requestedWithPodExact, weight } from '../memory/resource-entry';

/** Score of a whole percentage; outside 0..100 the shape is flat, so its ends answer. */
@inline
export function shapeScore(table: usize, percent: i32): i32 {
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

export function ratiosExact(entries: usize, entryCount: i32, table: usize, out: usize, from: i32, to: i32): void {
  for (let i = from; i < to; i++) store<i32>(out + (usize(i) << 2), ratioRowExact(entries, entryCount, table, i));
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
  if (exact) ratiosExact(entries, entryCount, table, out, from, to);
  else for (let i = from; i < to; i++) store<i32>(out + (usize(i) << 2), ratioRow(entries, entryCount, table, i));
}
