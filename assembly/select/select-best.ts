/** The best total among feasible slots, and who has it. */
import { largestLane, smallestLane, sumLanes } from '../arithmetic/lanes';

/** Three i32 as SELECT_RESULT_BYTES in src/kernels/abi.ts says. */
@inline
export function storeResult(out: usize, best: i32, count: i32, winner: i32): void {
  store<i32>(out, best);
  store<i32>(out, count, 4);
  store<i32>(out, winner, 8);
}

export function selectBest(total: usize, feasible: usize, order: usize, out: usize, from: i32, to: i32): void {
  if (ASC_FEATURE_SIMD) selectInFours(total, feasible, order, out, from, to);
  else selectOneByOne(total, feasible, order, out, from, to);
}

@inline
function selectOneByOne(total: usize, feasible: usize, order: usize, out: usize, from: i32, to: i32): void {
  let best = 0;
  let count = 0;
  let winner = -1;
  let winnerOrder = 0;
  for (let i = from; i < to; i++) {
    const offset = usize(i) << 2;
    if (load<i32>(feasible + offset) == 0) continue;
    const score = load<i32>(total + offset);
    const place = load<i32>(order + offset);
    if (count == 0 || score > best) {
      best = score;
      count = 1;
    } else if (score == best) {
      count++;
      if (place >= winnerOrder) continue;
    } else {
      continue;
    }
    winner = i;
    winnerOrder = place;
  }
  storeResult(out, best, count, winner);
}

/** First the best total, then how many have it and the smallest order, then whose it is. */
@inline
function selectInFours(total: usize, feasible: usize, order: usize, out: usize, from: i32, to: i32): void {
  const best = bestTotal(total, feasible, from, to);
  const bests = i32x4.splat(best);
  const latest = i32x4.splat(i32.MAX_VALUE);
  let counts = i32x4.splat(0);
  let orders = latest;
  let i = from;
  for (; i + 4 <= to; i += 4) {
    const offset = usize(i) << 2;
    const ties = tieLanes(total, feasible, bests, offset);
    counts = i32x4.sub(counts, ties);
    orders = i32x4.min_s(orders, v128.bitselect(v128.load(order + offset), latest, ties));
  }
  let count = sumLanes(counts);
  let first = smallestLane(orders);
  for (; i < to; i++) {
    if (!isTie(total, feasible, best, i)) continue;
    count++;
    first = min(first, load<i32>(order + (usize(i) << 2)));
  }
  if (count == 0) {
    storeResult(out, 0, 0, -1);
    return;
  }
  storeResult(out, best, count, slotOf(total, feasible, order, best, first, from, to));
}

@inline
function isTie(total: usize, feasible: usize, best: i32, i: i32): bool {
  const offset = usize(i) << 2;
  return load<i32>(feasible + offset) != 0 && load<i32>(total + offset) == best;
}

@inline
function tieLanes(total: usize, feasible: usize, bests: v128, offset: usize): v128 {
  return v128.and(i32x4.eq(v128.load(total + offset), bests), v128.load(feasible + offset));
}

/** The largest total among feasible slots; i32.MIN_VALUE also when there is none. */
@inline
function bestTotal(total: usize, feasible: usize, from: i32, to: i32): i32 {
  const lowest = i32x4.splat(i32.MIN_VALUE);
  let lanes = lowest;
  let i = from;
  for (; i + 4 <= to; i += 4) {
    const offset = usize(i) << 2;
    lanes = i32x4.max_s(lanes, v128.bitselect(v128.load(total + offset), lowest, v128.load(feasible + offset)));
  }
  let best = largestLane(lanes);
  for (; i < to; i++) {
    const offset = usize(i) << 2;
    if (load<i32>(feasible + offset) != 0) best = max(best, load<i32>(total + offset));
  }
  return best;
}

/** The first tie with that order; there is one. */
@inline
function slotOf(total: usize, feasible: usize, order: usize, best: i32, first: i32, from: i32, to: i32): i32 {
  const bests = i32x4.splat(best);
  const firsts = i32x4.splat(first);
  let i = from;
  for (; i + 4 <= to; i += 4) {
    const offset = usize(i) << 2;
    const sameOrder = i32x4.eq(v128.load(order + offset), firsts);
    const hits = i32x4.bitmask(v128.and(sameOrder, tieLanes(total, feasible, bests, offset)));
    if (hits) return i + ctz(hits);
  }
  while (load<i32>(order + (usize(i) << 2)) != first || !isTie(total, feasible, best, i)) i++;
  return i;
}

export function collectTies(total: usize, feasible: usize, best: i32, out: usize, from: i32, to: i32): i32 {
  let count = 0;
  let i = from;
  if (ASC_FEATURE_SIMD) {
    const bests = i32x4.splat(best);
    for (; i + 4 <= to; i += 4) {
      for (let hits = i32x4.bitmask(tieLanes(total, feasible, bests, usize(i) << 2)); hits; hits &= hits - 1) {
        store<i32>(out + (usize(count) << 2), i + ctz(hits));
        count++;
      }
    }
  }
  for (; i < to; i++) {
    if (!isTie(total, feasible, best, i)) continue;
    store<i32>(out + (usize(count) << 2), i);
    count++;
  }
  return count;
}

export function countFeasible(feasible: usize, from: i32, to: i32): i32 {
  let count = 0;
  let i = from;
  if (ASC_FEATURE_SIMD) {
    let lanes = i32x4.splat(0);
    for (; i + 4 <= to; i += 4) lanes = i32x4.sub(lanes, v128.load(feasible + (usize(i) << 2)));
    count = sumLanes(lanes);
  }
  for (; i < to; i++) count -= load<i32>(feasible + (usize(i) << 2));
  return count;
}
