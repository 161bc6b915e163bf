/**
 * What LeastAllocated and MostAllocated share (upstream: noderesources/least_allocated.go, most_allocated.go): the
 * weighted mean, over the resources that a node has, of the whole percent that is free, or taken if `taken`.
 * `taken` is a constant at every call, so each kernel is compiled for its own case.
 */
import { inverseOf, toInteger, truncatedQuotient } from '../arithmetic/integral';
import {
  ENTRY_BYTES,
  allocatable,
  requestedWithPod,
  requestedWithPodExact,
  totalWeight,
  weight,
} from '../memory/resource-entry';

@inline
function share(taken: bool, capacity: f64, total: f64): f64 {
  if (taken) return trunc(((total < capacity ? total : capacity) * 100) / capacity);
  const free = capacity - total;
  return trunc(((free > 0 ? free : 0) * 100) / capacity);
}

@inline
function shareExact(taken: bool, capacity: i64, total: i64): i64 {
  if (taken) return ((total < capacity ? total : capacity) * 100) / capacity;
  return total > capacity ? 0 : ((capacity - total) * 100) / capacity;
}

/**
 * `fullInverse` = inverseOf(fullWeight), the sum of all weights: it saves the division on nodes with every resource.
 */
@inline
export function weightedShareRow(
  taken: bool,
  entries: usize,
  entryCount: i32,
  fullWeight: f64,
  fullInverse: f64,
  i: i32,
): i32 {
  const offset = usize(i) << 3;
  let sum = 0.0;
  let weights = 0.0;
  for (let k = 0, entry = entries; k < entryCount; k++, entry += ENTRY_BYTES) {
    const capacity = allocatable(entry, offset);
    if (capacity == 0) continue;
    sum += share(taken, capacity, requestedWithPod(entry, offset)) * weight(entry);
    weights += weight(entry);
  }
  return toInteger(truncatedQuotient(sum, weights == fullWeight ? fullInverse : inverseOf(weights)));
}

@inline
function weightedShareRowExact(taken: bool, entries: usize, entryCount: i32, i: i32): i32 {
  const offset = usize(i) << 3;
  let sum: i64 = 0;
  let weights: i64 = 0;
  for (let k = 0, entry = entries; k < entryCount; k++, entry += ENTRY_BYTES) {
    const capacity = i64(allocatable(entry, offset));
    if (capacity == 0) continue;
    sum += shareExact(taken, capacity, requestedWithPodExact(entry, offset)) * i64(weight(entry));
    weights += i64(weight(entry));
  }
  return weights == 0 ? 0 : i32(sum / weights);
}

@inline
export function weightedShares(taken: bool, entries: usize, entryCount: i32, out: usize, from: i32, to: i32): void {
  const fullWeight = totalWeight(entries, entryCount);
  const fullInverse = inverseOf(fullWeight);
  for (let i = from; i < to; i++) {
    store<i32>(out + (usize(i) << 2), weightedShareRow(taken, entries, entryCount, fullWeight, fullInverse, i));
  }
}

@inline
export function weightedSharesExact(
  taken: bool,
  entries: usize,
  entryCount: i32,
  out: usize,
  from: i32,
  to: i32,
): void {
  for (let i = from; i < to; i++) {
    store<i32>(out + (usize(i) << 2), weightedShareRowExact(taken, entries, entryCount, i));
  }
}
