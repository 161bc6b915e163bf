/**
 * What LeastAllocated and MostAllocated share (upstream: noderesources/least_allocated.go, most_allocated.go): the
 * weighted mean, over the resources that a node has, of the whole percent that is free, or taken if `taken`.
 * `taken` is a constant at every call, so each kernel is compiled for its own case.
 */
import {
  inverseOf,
  inverseOfPair,
  toInteger,
  toIntegers,
  truncatedQuotient,
  truncatedQuotientPair,
} from '../arithmetic/integral';
import {
  ENTRY_BYTES,
  allocatable,
  allocatableColumn,
  allocatablePair,
  podRequestPair,
  requestedColumn,
  requestedWithPod,
  requestedWithPodExact,
  requestedWithPodPair,
  totalWeight,
  weight,
  weightPair,
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
function sharePair(taken: bool, capacity: v128, total: v128): v128 {
  const amount = taken ? f64x2.pmin(capacity, total) : f64x2.pmax(f64x2.splat(0), f64x2.sub(capacity, total));
  return f64x2.trunc(f64x2.div(f64x2.mul(amount, f64x2.splat(100)), capacity));
}

/** Any number of resources, any of them missing on any node. */
@inline
function meanPair(taken: bool, entries: usize, entryCount: i32, offset: usize): v128 {
  let sum = f64x2.splat(0);
  let weights = f64x2.splat(0);
  for (let k = 0, entry = entries; k < entryCount; k++, entry += ENTRY_BYTES) {
    const capacity = allocatablePair(entry, offset);
    const present = f64x2.ne(capacity, f64x2.splat(0));
    const share = sharePair(taken, capacity, requestedWithPodPair(entry, offset));
    sum = f64x2.add(sum, v128.and(f64x2.mul(share, weightPair(entry)), present));
    weights = f64x2.add(weights, v128.and(weightPair(entry), present));
  }
  return truncatedQuotientPair(sum, inverseOfPair(weights));
}

@inline
function meansOf(taken: bool, entries: usize, entryCount: i32, offset: usize): v128 {
  return toIntegers(meanPair(taken, entries, entryCount, offset), meanPair(taken, entries, entryCount, offset + 16));
}

/** Two resources, the usual case: what does not change from node to node stays in registers. */
@inline
function meansOfTwo(taken: bool, entries: usize, inverse: v128, out: usize, from: i32, to: i32): i32 {
  const second = entries + ENTRY_BYTES;
  const request0 = podRequestPair(entries);
  const request1 = podRequestPair(second);
  const weight0 = weightPair(entries);
  const weight1 = weightPair(second);
  const zero = f64x2.splat(0);
  let i = from;
  for (; i + 4 <= to; i += 4) {
    const offset = usize(i) << 3;
    const capacity0 = allocatableColumn(entries) + offset;
    const capacity1 = allocatableColumn(second) + offset;
    const used0 = requestedColumn(entries) + offset;
    const used1 = requestedColumn(second) + offset;
    const low0 = v128.load(capacity0);
    const low1 = v128.load(capacity1);
    const high0 = v128.load(capacity0, 16);
    const high1 = v128.load(capacity1, 16);
    const missing = v128.or(
      v128.or(f64x2.eq(low0, zero), f64x2.eq(low1, zero)),
      v128.or(f64x2.eq(high0, zero), f64x2.eq(high1, zero)),
    );
    if (v128.any_true(missing)) {
      v128.store(out + (usize(i) << 2), meansOf(taken, entries, 2, offset));
      continue;
    }
    const low = f64x2.add(
      f64x2.mul(sharePair(taken, low0, f64x2.add(v128.load(used0), request0)), weight0),
      f64x2.mul(sharePair(taken, low1, f64x2.add(v128.load(used1), request1)), weight1),
    );
    const high = f64x2.add(
      f64x2.mul(sharePair(taken, high0, f64x2.add(v128.load(used0, 16), request0)), weight0),
      f64x2.mul(sharePair(taken, high1, f64x2.add(v128.load(used1, 16), request1)), weight1),
    );
    v128.store(
      out + (usize(i) << 2),
      toIntegers(truncatedQuotientPair(low, inverse), truncatedQuotientPair(high, inverse)),
    );
  }
  return i;
}

@inline
export function weightedShares(taken: bool, entries: usize, entryCount: i32, out: usize, from: i32, to: i32): void {
  const fullWeight = totalWeight(entries, entryCount);
  const fullInverse = inverseOf(fullWeight);
  let i = from;
  if (ASC_FEATURE_SIMD) {
    if (entryCount == 2) {
      i = meansOfTwo(taken, entries, f64x2.splat(fullInverse), out, from, to);
    } else {
      for (; i + 4 <= to; i += 4) v128.store(out + (usize(i) << 2), meansOf(taken, entries, entryCount, usize(i) << 3));
    }
  }
  for (; i < to; i++) {
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
