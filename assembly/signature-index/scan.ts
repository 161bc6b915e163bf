/** The totals of one signature on many nodes: how a column is filled, and all of a decision without an index. */
import {
  BALANCED_CPU,
  BALANCED_MEMORY,
  BALANCED_WEIGHTS,
  CPU_REQUESTS,
  FIT_WEIGHTS,
  INFEASIBLE,
  MEMORY_REQUESTS,
  NodeEnvironment,
  ROW_BYTES,
  SCORED_CPU,
  SCORED_MEMORY,
  TotalsBlock,
  checkVerdictIds,
  countPointer,
  doublesOf,
  isPlain,
  isTight,
  staticTotalsOf,
  verdictCount,
  verdictIdsOf,
  weightOf,
} from './layout';
import { fitsExtras, totalOn } from './row';
import { totalsOfEight } from './standard-nodes';
import { PERCENT_MARGIN } from './standard-totals';

/**
 * Writes the total of a column on every slot of [from, to) as i16, `stride` bytes apart; `out` belongs to slot 0.
 */
export function scanTotals(
  env: NodeEnvironment,
  block: TotalsBlock,
  column: i32,
  out: usize,
  stride: i32,
  from: i32,
  to: i32,
): void {
  let slot = from;
  if (ASC_FEATURE_SIMD) {
    if (block.isStandard) {
      if (!isPlain(env)) slot = scanWeighted(env, block, column, out, usize(stride), from, to);
      else if (isTight(block, column)) slot = scanTight(env, block, column, out, usize(stride), from, to);
      else slot = scanPlain(env, block, column, out, usize(stride), from, to);
    }
  }
  scanOneByOne(env, block, column, out, usize(stride), slot, to);
}

function scanOneByOne(
  env: NodeEnvironment,
  block: TotalsBlock,
  column: i32,
  out: usize,
  stride: usize,
  from: i32,
  to: i32,
): void {
  for (let slot = from; slot < to; slot++) {
    store<i16>(out + usize(slot) * stride, i16(totalOn(env, block, column, slot)));
  }
}

/** Rejects nodes without room for the resources beside pods, cpu and memory; totals have been written before. */
function rejectByExtras(block: TotalsBlock, column: i32, out: usize, stride: usize, from: i32, to: i32): void {
  for (let slot = from; slot < to; slot++) {
    if (!fitsExtras(block, column, slot)) store<i16>(out + usize(slot) * stride, i16(INFEASIBLE));
  }
}

/** One vector holds the totals of this many verdicts. */
const FEW_VERDICTS: i32 = 8;

/** What eight nodes get by their verdicts; with few verdicts by a shuffle of the table. */
@inline
function staticsOf(verdictIds: usize, table: v128, tableAt: usize, few: bool, slot: i32): v128 {
  const at = verdictIds + (usize(slot) << 1);
  if (few) {
    // The total of verdict v is in the bytes 2v and 2v + 1.
    const bytes = i16x8.add(i16x8.mul(v128.load(at), i16x8.splat(0x0202)), i16x8.splat(0x0100));
    return i8x16.swizzle(table, bytes);
  }
  let row = i16x8.splat(load<i16>(tableAt + (usize(load<u16>(at)) << 1)));
  row = i16x8.replace_lane(row, 1, load<i16>(tableAt + (usize(load<u16>(at, 2)) << 1)));
  row = i16x8.replace_lane(row, 2, load<i16>(tableAt + (usize(load<u16>(at, 4)) << 1)));
  row = i16x8.replace_lane(row, 3, load<i16>(tableAt + (usize(load<u16>(at, 6)) << 1)));
  row = i16x8.replace_lane(row, 4, load<i16>(tableAt + (usize(load<u16>(at, 8)) << 1)));
  row = i16x8.replace_lane(row, 5, load<i16>(tableAt + (usize(load<u16>(at, 10)) << 1)));
  row = i16x8.replace_lane(row, 6, load<i16>(tableAt + (usize(load<u16>(at, 12)) << 1)));
  return i16x8.replace_lane(row, 7, load<i16>(tableAt + (usize(load<u16>(at, 14)) << 1)));
}

/** Which of two nodes lack cpu or memory, which LeastAllocated then leaves out. */
@inline
function lackingPair(env: NodeEnvironment, offset: usize): v128 {
  const zero = f64x2.splat(0);
  const lacksCpu = f64x2.eq(v128.load(env.allocatableCpu + offset), zero);
  return v128.or(lacksCpu, f64x2.eq(v128.load(env.allocatableMemory + offset), zero));
}

/** Returns whether any of eight nodes lacks cpu or memory. */
@inline
function anyLacking(env: NodeEnvironment, offset: usize): bool {
  const first = lackingPair(env, offset);
  const second = lackingPair(env, offset + 16);
  const third = lackingPair(env, offset + 32);
  const fourth = lackingPair(env, offset + 48);
  return v128.any_true(v128.or(v128.or(first, second), v128.or(third, fourth)));
}

/**
 * Eight nodes a step; returns where it ended. Constants at every call: `plain`, cpu and memory weigh 1; `tight`, the
 * column is.
 */
@inline
function scanStandard(
  plain: bool,
  tight: bool,
  env: NodeEnvironment,
  block: TotalsBlock,
  column: i32,
  out: usize,
  stride: usize,
  from: i32,
  to: i32,
): i32 {
  const cpu = doublesOf(block, CPU_REQUESTS, column);
  const memory = doublesOf(block, MEMORY_REQUESTS, column);
  const margin = f64x2.splat(PERCENT_MARGIN);
  const scoredCpu = f64x2.sub(doublesOf(block, SCORED_CPU, column), margin);
  const scoredMemory = f64x2.sub(doublesOf(block, SCORED_MEMORY, column), margin);
  const balancedCpu = doublesOf(block, BALANCED_CPU, column);
  const balancedMemory = doublesOf(block, BALANCED_MEMORY, column);
  const fitWeights = i16x8.splat(i16(weightOf(block, FIT_WEIGHTS, column)));
  const balancedWeights = i16x8.splat(i16(weightOf(block, BALANCED_WEIGHTS, column)));
  const hasExtras = (block.extras & (1 << column)) != 0;
  const verdictIds = verdictIdsOf(block, column);
  const tableAt = staticTotalsOf(block, column);
  const few = verdictCount(block, column) <= FEW_VERDICTS;
  const table = v128.load(tableAt);
  const none = i16x8.splat(i16(INFEASIBLE));
  const lacks = env.hasLacking != 0;
  let slot = from;
  for (; slot + 8 <= to; slot += 8) {
    if (!ASC_NO_ASSERT) checkVerdictIds(block, column, slot, slot + 8);
    const outside = staticsOf(verdictIds, table, tableAt, few, slot);
    let row = none;
    if (i16x8.bitmask(outside) != 0xff) {
      if (lacks && anyLacking(env, usize(slot) << 3)) {
        scanOneByOne(env, block, column, out, stride, slot, slot + 8);
        continue;
      }
      row = totalsOfEight(
        plain, tight, env, slot, outside, cpu, memory, scoredCpu, scoredMemory, balancedCpu, balancedMemory, fitWeights,
        balancedWeights,
      );
    }
    if (stride == 2) v128.store(out + (usize(slot) << 1), row);
    else storeApart(out + usize(slot) * stride, stride, row);
    if (hasExtras) rejectByExtras(block, column, out, stride, slot, slot + 8);
  }
  return slot;
}

/** Each form of `scanStandard` is a function, so that the compiler does not make one loop of both with branches. */
function scanTight(
  env: NodeEnvironment,
  block: TotalsBlock,
  column: i32,
  out: usize,
  stride: usize,
  from: i32,
  to: i32,
): i32 {
  return scanStandard(true, true, env, block, column, out, stride, from, to);
}

function scanPlain(
  env: NodeEnvironment,
  block: TotalsBlock,
  column: i32,
  out: usize,
  stride: usize,
  from: i32,
  to: i32,
): i32 {
  return scanStandard(true, false, env, block, column, out, stride, from, to);
}

function scanWeighted(
  env: NodeEnvironment,
  block: TotalsBlock,
  column: i32,
  out: usize,
  stride: usize,
  from: i32,
  to: i32,
): i32 {
  return scanStandard(false, false, env, block, column, out, stride, from, to);
}

@inline
function storeApart(at: usize, stride: usize, row: v128): void {
  v128.store16_lane(at, row, 0);
  v128.store16_lane(at + stride, row, 1);
  v128.store16_lane(at + 2 * stride, row, 2);
  v128.store16_lane(at + 3 * stride, row, 3);
  v128.store16_lane(at + 4 * stride, row, 4);
  v128.store16_lane(at + 5 * stride, row, 5);
  v128.store16_lane(at + 6 * stride, row, 6);
  v128.store16_lane(at + 7 * stride, row, 7);
}

@inline
function sumOfCounters(counters: v128): i32 {
  const pairs = i32x4.extadd_pairwise_i16x8_s(counters);
  const sums = i32x4.add(pairs, i8x16.shuffle(pairs, pairs, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
  return i32x4.extract_lane(sums, 0) + i32x4.extract_lane(sums, 1);
}

/** The number in the lane of a column. */
@inline
function laneOf(lanes: v128, column: i32): i32 {
  return i32(i16x8.extract_lane_s(i8x16.swizzle(lanes, i16x8.splat(i16(0x0100 + 0x0202 * column))), 0));
}

/** The i32 counters at `out`, one by verdict id, grow by the feasible slots of [from, to); returns their number. */
export function countVerdicts(
  block: TotalsBlock,
  column: i32,
  totals: usize,
  stride: i32,
  out: usize,
  from: i32,
  to: i32,
): i32 {
  if (!ASC_NO_ASSERT) checkVerdictIds(block, column, from, to);
  const verdictIds = verdictIdsOf(block, column);
  let count = 0;
  for (let slot = from; slot < to; slot++) {
    if (load<i16>(totals + usize(slot) * usize(stride)) < 0) continue;
    const pointer = out + (usize(load<u16>(verdictIds + (usize(slot) << 1))) << 2);
    store<i32>(pointer, load<i32>(pointer) + 1);
    count++;
  }
  return count;
}

/** How many slots of [from, to) are feasible; a tracked column's counters by verdict id grow by them. */
export function countTotals(block: TotalsBlock, column: i32, totals: usize, stride: i32, from: i32, to: i32): i32 {
  if (block.tracked & (1 << column)) {
    return countVerdicts(block, column, totals, stride, countPointer(block, column, 0), from, to);
  }
  let count = 0;
  let slot = from;
  if (ASC_FEATURE_SIMD) {
    if (stride == 2) {
      while (slot + 8 <= to) {
        // An i16 counter holds this many steps.
        const end = min(to - 7, slot + 8 * i32(i16.MAX_VALUE));
        let infeasible = i16x8.splat(0);
        const from = slot;
        for (; slot < end; slot += 8) {
          infeasible = i16x8.add(infeasible, i16x8.lt_s(v128.load(totals + (usize(slot) << 1)), i16x8.splat(0)));
        }
        count += slot - from + sumOfCounters(infeasible);
      }
    } else if (usize(stride) == ROW_BYTES) {
      const rows = totals - (usize(column) << 1);
      while (slot < to) {
        const end = min(to, slot + i32(i16.MAX_VALUE));
        let infeasible = i16x8.splat(0);
        const from = slot;
        for (; slot < end; slot++) {
          infeasible = i16x8.add(infeasible, i16x8.shr_s(v128.load(rows + usize(slot) * ROW_BYTES), 15));
        }
        count += slot - from + laneOf(infeasible, column);
      }
    }
  }
  for (; slot < to; slot++) count += i32(load<i16>(totals + usize(slot) * usize(stride)) >= 0);
  return count;
}
