/**
 * NodeResourcesFit, scoring strategy RequestedToCapacityRatio, four slots a step; only the table is read slot by slot.
 */
import { toIntegers } from '../arithmetic/integral.simd';
import { ENTRY_BYTES } from '../memory/resource-entry';
import { allocatablePair, requestedWithPodPair, weightPair } from '../memory/resource-entry.simd';
import { ratioRow, ratiosExact, shapeScore } from './requested-to-capacity-ratio';

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
  if (exact) {
    ratiosExact(entries, entryCount, table, out, from, to);
    return;
  }
  let i = from;
  for (; i + 4 <= to; i += 4) {
    const offset = usize(i) << 3;
    const low = ratioPair(entries, entryCount, table, offset);
    const high = ratioPair(entries, entryCount, table, offset + 16);
    v128.store(out + (usize(i) << 2), toIntegers(low, high));
  }
  for (; i < to; i++) store<i32>(out + (usize(i) << 2), ratioRow(entries, entryCount, table, i));
}
