/**
 * NodeResourcesBalancedAllocation (upstream: noderesources/balanced_allocation.go). Every double operation is
 * upstream's in upstream's order, so scores equal Go's on amd64.
 */
import { toInteger, toIntegers } from '../arithmetic/integral';
import {
  ENTRY_BYTES,
  allocatable,
  allocatablePair,
  podRequest,
  requested,
  requestedPair,
  requestedWithPodPair,
} from '../memory/resource-entry';

@inline
function fraction(entry: usize, offset: usize, withPod: bool, capacity: f64): f64 {
  const total = withPod ? requested(entry, offset) + podRequest(entry) : requested(entry, offset);
  const quotient = total / capacity;
  return quotient > 1 ? 1 : quotient;
}

/** Standard deviation of the requested fractions as a score: 100 is even. An integral double. */
@inline
function evenness(entries: usize, entryCount: i32, offset: usize, withPod: bool): f64 {
  let present = 0;
  let sum = 0.0;
  // Alternating difference: after two fractions it is f1 - f0.
  let difference = 0.0;
  for (let k = 0, entry = entries; k < entryCount; k++, entry += ENTRY_BYTES) {
    const capacity = allocatable(entry, offset);
    if (capacity == 0) continue;
    const f = fraction(entry, offset, withPod, capacity);
    sum += f;
    difference = f - difference;
    present++;
  }
  let deviation = 0.0;
  if (present == 2) {
    deviation = abs(difference / 2);
  } else if (present > 2) {
    const mean = sum / f64(present);
    let squares = 0.0;
    for (let k = 0, entry = entries; k < entryCount; k++, entry += ENTRY_BYTES) {
      const capacity = allocatable(entry, offset);
      if (capacity == 0) continue;
      const distance = fraction(entry, offset, withPod, capacity) - mean;
      squares += distance * distance;
    }
    deviation = sqrt(squares / f64(present));
  }
  return trunc((1 - deviation) * 100);
}

@inline
export function balancedRow(entries: usize, entryCount: i32, i: i32): i32 {
  const offset = usize(i) << 3;
  const gain = evenness(entries, entryCount, offset, true) - evenness(entries, entryCount, offset, false);
  return toInteger(50 + trunc((50 + gain) * 0.5));
}

@inline
function fractionPair(entry: usize, offset: usize, withPod: bool, capacity: v128): v128 {
  const total = withPod ? requestedWithPodPair(entry, offset) : requestedPair(entry, offset);
  return f64x2.pmin(f64x2.div(total, capacity), f64x2.splat(1));
}

/** 100 is even; an integral double. */
@inline
function evennessOf(deviation: v128): v128 {
  return f64x2.trunc(f64x2.mul(f64x2.sub(f64x2.splat(1), deviation), f64x2.splat(100)));
}

@inline
function scoreOf(withPod: v128, withoutPod: v128): v128 {
  const gain = f64x2.sub(withPod, withoutPod);
  const half = f64x2.trunc(f64x2.mul(f64x2.add(f64x2.splat(50), gain), f64x2.splat(0.5)));
  return f64x2.add(f64x2.splat(50), half);
}

@inline
function evennessPair(entries: usize, entryCount: i32, offset: usize, withPod: bool): v128 {
  const zero = f64x2.splat(0);
  let present = zero;
  let sum = zero;
  let difference = zero;
  for (let k = 0, entry = entries; k < entryCount; k++, entry += ENTRY_BYTES) {
    const capacity = allocatablePair(entry, offset);
    const counts = f64x2.ne(capacity, zero);
    const f = v128.and(fractionPair(entry, offset, withPod, capacity), counts);
    sum = f64x2.add(sum, f);
    difference = v128.bitselect(f64x2.sub(f, difference), difference, counts);
    present = f64x2.add(present, v128.and(f64x2.splat(1), counts));
  }
  const two = f64x2.eq(present, f64x2.splat(2));
  let deviation = v128.and(f64x2.abs(f64x2.mul(difference, f64x2.splat(0.5))), two);
  const more = f64x2.gt(present, f64x2.splat(2));
  if (v128.any_true(more)) {
    const mean = f64x2.div(sum, present);
    let squares = zero;
    for (let k = 0, entry = entries; k < entryCount; k++, entry += ENTRY_BYTES) {
      const capacity = allocatablePair(entry, offset);
      const distance = f64x2.sub(fractionPair(entry, offset, withPod, capacity), mean);
      squares = f64x2.add(squares, v128.and(f64x2.mul(distance, distance), f64x2.ne(capacity, zero)));
    }
    deviation = v128.bitselect(f64x2.sqrt(f64x2.div(squares, present)), deviation, more);
  }
  return evennessOf(deviation);
}

@inline
function scorePair(entries: usize, entryCount: i32, offset: usize): v128 {
  return scoreOf(evennessPair(entries, entryCount, offset, true), evennessPair(entries, entryCount, offset, false));
}

/** Two resources, the usual case: no count, no mean, and the deviation of a node that lacks one of them is 0. */
@inline
function scorePairOfTwo(first: usize, second: usize, offset: usize): v128 {
  const capacity0 = allocatablePair(first, offset);
  const capacity1 = allocatablePair(second, offset);
  const both = v128.and(f64x2.ne(capacity0, f64x2.splat(0)), f64x2.ne(capacity1, f64x2.splat(0)));
  const withPod = f64x2.sub(
    fractionPair(first, offset, true, capacity0),
    fractionPair(second, offset, true, capacity1),
  );
  const withoutPod = f64x2.sub(
    fractionPair(first, offset, false, capacity0),
    fractionPair(second, offset, false, capacity1),
  );
  return scoreOf(
    evennessOf(v128.and(f64x2.abs(f64x2.mul(withPod, f64x2.splat(0.5))), both)),
    evennessOf(v128.and(f64x2.abs(f64x2.mul(withoutPod, f64x2.splat(0.5))), both)),
  );
}

/** Four slots a step; returns where it ended. */
@inline
function scoreFours(entries: usize, entryCount: i32, out: usize, from: i32, to: i32): i32 {
  let i = from;
  if (entryCount == 2) {
    const second = entries + ENTRY_BYTES;
    for (; i + 4 <= to; i += 4) {
      const offset = usize(i) << 3;
      const low = scorePairOfTwo(entries, second, offset);
      const high = scorePairOfTwo(entries, second, offset + 16);
      v128.store(out + (usize(i) << 2), toIntegers(low, high));
    }
  } else {
    for (; i + 4 <= to; i += 4) {
      const offset = usize(i) << 3;
      const low = scorePair(entries, entryCount, offset);
      const high = scorePair(entries, entryCount, offset + 16);
      v128.store(out + (usize(i) << 2), toIntegers(low, high));
    }
  }
  return i;
}

export function scoreBalancedAllocation(entries: usize, entryCount: i32, out: usize, from: i32, to: i32): void {
  let i = from;
  if (ASC_FEATURE_SIMD) i = scoreFours(entries, entryCount, out, from, to);
  for (; i < to; i++) store<i32>(out + (usize(i) << 2), balancedRow(entries, entryCount, i));
}
