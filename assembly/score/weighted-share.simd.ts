/** The weighted mean of weighted-share.ts, four slots a step. */
import { inverseOf } from '../arithmetic/integral';
import { inverseOfPair, toIntegers, truncatedQuotientPair } from '../arithmetic/integral.simd';
import { ENTRY_BYTES, allocatableColumn, requestedColumn, totalWeight } from '../memory/resource-entry';
import { allocatablePair, podRequestPair, requestedWithPodPair, weightPair } from '../memory/resource-entry.simd';
import { weightedShareRow } from './weighted-share';

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
  if (entryCount == 2) {
    i = meansOfTwo(taken, entries, f64x2.splat(fullInverse), out, from, to);
  } else {
    for (; i + 4 <= to; i += 4) v128.store(out + (usize(i) << 2), meansOf(taken, entries, entryCount, usize(i) << 3));
  }
  for (; i < to; i++) {
    store<i32>(out + (usize(i) << 2), weightedShareRow(taken, entries, entryCount, fullWeight, fullInverse, i));
  }
}
