/** The total of one signature, or of the eight of a block, on one node: filter, score, sum. */

import { ENTRY_BYTES, allocatable, podRequest, requested, totalWeight } from '../memory/resource-entry';
import { inverseOf, toInteger, toIntegers } from '../arithmetic/integral';
import { balancedRow } from '../score/balanced-allocation';
import { ratioRow } from '../score/requested-to-capacity-ratio';
import { weightedShareRow } from '../score/weighted-share';
import {
  BALANCED_CPU,
  BALANCED_ENTRIES,
  BALANCED_MEMORY,
  BALANCED_WEIGHTS,
  COLUMNS,
  CPU_REQUESTS,
  EXTRA_ENTRIES,
  FILTER_ENTRIES,
  FIT_ENTRIES,
  FIT_WEIGHTS,
  INFEASIBLE,
  MEMORY_REQUESTS,
  NodeEnvironment,
  SCORED_CPU,
  SCORED_MEMORY,
  STRATEGY_LEAST_ALLOCATED,
  STRATEGY_MOST_ALLOCATED,
  TotalsBlock,
  isAlike,
  isPlain,
  listLength,
  listOf,
  staticTotal,
  weightOf,
} from './layout';

/** In place of scores where a pod has no room; any negative number would do. */
export const NO_ROOM: f64 = -1;

@inline
function fits(entries: usize, entryCount: i32, slot: i32): bool {
  const offset = usize(slot) << 3;
  for (let k = 0, entry = entries; k < entryCount; k++, entry += ENTRY_BYTES) {
    if (podRequest(entry) > allocatable(entry, offset) - requested(entry, offset)) return false;
  }
  return true;
}

function fitScore(env: NodeEnvironment, entries: usize, entryCount: i32, slot: i32): i32 {
  const strategy = env.strategy;
  if (strategy != STRATEGY_LEAST_ALLOCATED && strategy != STRATEGY_MOST_ALLOCATED) {
    return ratioRow(entries, entryCount, env.percentTable, slot);
  }
  const weights = totalWeight(entries, entryCount);
  return strategy == STRATEGY_LEAST_ALLOCATED
    ? weightedShareRow(false, entries, entryCount, weights, inverseOf(weights), slot)
    : weightedShareRow(true, entries, entryCount, weights, inverseOf(weights), slot);
}

/** The total of one column, for any resources and any strategy. */
export function totalOn(env: NodeEnvironment, block: TotalsBlock, column: i32, slot: i32): i32 {
  let total = staticTotal(block, column, slot);
  if (total < 0) return INFEASIBLE;
  if (!fits(listOf(block, FILTER_ENTRIES, column), listLength(block, FILTER_ENTRIES, column), slot)) return INFEASIBLE;
  const fitWeight = weightOf(block, FIT_WEIGHTS, column);
  if (fitWeight != 0) {
    const entries = listOf(block, FIT_ENTRIES, column);
    total += fitWeight * fitScore(env, entries, listLength(block, FIT_ENTRIES, column), slot);
  }
  const balancedWeight = weightOf(block, BALANCED_WEIGHTS, column);
  if (balancedWeight != 0) {
    const entries = listOf(block, BALANCED_ENTRIES, column);
    total += balancedWeight * balancedRow(entries, listLength(block, BALANCED_ENTRIES, column), slot);
  }
  return total;
}

/** Whether the resources beside pods, cpu and memory have room. */
@inline
export function fitsExtras(block: TotalsBlock, column: i32, slot: i32): bool {
  return fits(listOf(block, EXTRA_ENTRIES, column), listLength(block, EXTRA_ENTRIES, column), slot);
}

/** trunc(dividend / divisor) of whole numbers >= 0, by the inverse: see arithmetic/integral.ts. */
@inline
export function quotientPair(dividend: v128, inverse: v128): v128 {
  return f64x2.trunc(f64x2.mul(f64x2.add(dividend, f64x2.splat(0.5)), inverse));
}

/**
 * How much of a resource is free, in whole percent; `percents`: 100 / capacity. As in arithmetic/integral.ts something
 * is added that keeps the quotient away from integers: 0.005, of which at least 0.004 is left beside 2^44, and that,
 * 0.4 / capacity in percent, is more than the rounding of inverse and product amounts to.
 */
@inline
export function freePercentPair(capacity: v128, used: v128, percents: v128): v128 {
  const free = f64x2.pmax(f64x2.splat(0), f64x2.sub(capacity, used));
  return f64x2.trunc(f64x2.mul(f64x2.add(free, f64x2.splat(0.005)), percents));
}

@inline
function fractionPair(used: v128, capacity: v128): v128 {
  return f64x2.pmin(f64x2.div(used, capacity), f64x2.splat(1));
}

/**
 * NodeResourcesFit with LeastAllocated, of the percents of cpu and memory that are free. `plain`, a constant at every
 * call: both weigh 1.
 */
@inline
export function leastPair(plain: bool, env: NodeEnvironment, cpuScores: v128, memoryScores: v128): v128 {
  if (plain) return f64x2.trunc(f64x2.mul(f64x2.add(cpuScores, memoryScores), f64x2.splat(0.5)));
  const weightedCpu = f64x2.mul(cpuScores, f64x2.splat(env.cpuWeight));
  const weightedMemory = f64x2.mul(memoryScores, f64x2.splat(env.memoryWeight));
  return quotientPair(f64x2.add(weightedCpu, weightedMemory), f64x2.splat(env.inverseWeight));
}

/** How evenly cpu and memory are used: 50 to 100. */
@inline
export function evennessPair(cpu: v128, capacityCpu: v128, memory: v128, capacityMemory: v128): v128 {
  const difference = f64x2.sub(fractionPair(cpu, capacityCpu), fractionPair(memory, capacityMemory));
  const deviation = f64x2.abs(f64x2.mul(difference, f64x2.splat(0.5)));
  return f64x2.trunc(f64x2.mul(f64x2.sub(f64x2.splat(1), deviation), f64x2.splat(100)));
}

/** NodeResourcesBalancedAllocation over cpu and memory; `headroom`: 50 less how even the node is without the pod. */
@inline
export function balancedPair(cpu: v128, capacityCpu: v128, memory: v128, capacityMemory: v128, headroom: v128): v128 {
  const evenness = evennessPair(cpu, capacityCpu, memory, capacityMemory);
  const half = f64x2.trunc(f64x2.mul(f64x2.add(evenness, headroom), f64x2.splat(0.5)));
  return f64x2.add(f64x2.splat(50), half);
}

/** The static totals of a node; `columns` are those in use, the others reject. A lane must be a literal. */
@inline
function staticTotals(block: TotalsBlock, columns: i32, slot: i32): v128 {
  let row = i16x8.splat(i16(INFEASIBLE));
  if (columns & 0x03) {
    row = i16x8.replace_lane(row, 0, i16(staticTotal(block, 0, slot)));
    row = i16x8.replace_lane(row, 1, i16(staticTotal(block, 1, slot)));
  }
  if (columns & 0x0c) {
    row = i16x8.replace_lane(row, 2, i16(staticTotal(block, 2, slot)));
    row = i16x8.replace_lane(row, 3, i16(staticTotal(block, 3, slot)));
  }
  if (columns & 0x30) {
    row = i16x8.replace_lane(row, 4, i16(staticTotal(block, 4, slot)));
    row = i16x8.replace_lane(row, 5, i16(staticTotal(block, 5, slot)));
  }
  if (columns & 0xc0) {
    row = i16x8.replace_lane(row, 6, i16(staticTotal(block, 6, slot)));
    row = i16x8.replace_lane(row, 7, i16(staticTotal(block, 7, slot)));
  }
  return row;
}

/** A number of two columns side by side. */
@inline
function doublesOfPair(block: TotalsBlock, field: usize, pair: i32): v128 {
  return v128.load(changetype<usize>(block) + field + (usize(pair) << 4));
}

/** Weighted resource scores of the columns 2 * pair and 2 * pair + 1, NO_ROOM where a pod does not fit. */
@inline
function columnPair(plain: bool, env: NodeEnvironment, block: TotalsBlock, offset: usize, pair: i32): v128 {
  const capacityCpu = v128.load_splat<f64>(env.allocatableCpu + offset);
  const capacityMemory = v128.load_splat<f64>(env.allocatableMemory + offset);
  const usedCpu = v128.load_splat<f64>(env.requestedCpu + offset);
  const usedMemory = v128.load_splat<f64>(env.requestedMemory + offset);
  const room = v128.and(
    f64x2.le(doublesOfPair(block, CPU_REQUESTS, pair), f64x2.sub(capacityCpu, usedCpu)),
    f64x2.le(doublesOfPair(block, MEMORY_REQUESTS, pair), f64x2.sub(capacityMemory, usedMemory)),
  );
  const scoredCpu = f64x2.add(v128.load_splat<f64>(env.nonZeroCpu + offset), doublesOfPair(block, SCORED_CPU, pair));
  const nonZeroMemory = v128.load_splat<f64>(env.nonZeroMemory + offset);
  const scoredMemory = f64x2.add(nonZeroMemory, doublesOfPair(block, SCORED_MEMORY, pair));
  const least = leastPair(
    plain,
    env,
    freePercentPair(capacityCpu, scoredCpu, v128.load_splat<f64>(env.inverseCpu + offset)),
    freePercentPair(capacityMemory, scoredMemory, v128.load_splat<f64>(env.inverseMemory + offset)),
  );
  const even = balancedPair(
    f64x2.add(usedCpu, doublesOfPair(block, BALANCED_CPU, pair)),
    capacityCpu,
    f64x2.add(usedMemory, doublesOfPair(block, BALANCED_MEMORY, pair)),
    capacityMemory,
    v128.load_splat<f64>(env.headroom + offset),
  );
  const total = f64x2.add(
    f64x2.mul(least, doublesOfPair(block, FIT_WEIGHTS, pair)),
    f64x2.mul(even, doublesOfPair(block, BALANCED_WEIGHTS, pair)),
  );
  return v128.bitselect(total, f64x2.splat(NO_ROOM), room);
}

/** The resource scores of eight columns that request and weigh the same, from one that is in use. */
@inline
function scoresOfAlike(plain: bool, env: NodeEnvironment, block: TotalsBlock, offset: usize, column: i32): v128 {
  const pair = columnPair(plain, env, block, offset, column >> 1);
  const score = column & 1 ? f64x2.extract_lane(pair, 1) : f64x2.extract_lane(pair, 0);
  return i16x8.splat(i16(toInteger(score)));
}

/** INFEASIBLE has all bits set: columns without room, and those that the verdict rejects, get it. */
@inline
function sumOf(outside: v128, scores: v128): v128 {
  return v128.or(i16x8.add(outside, scores), i16x8.lt_s(i16x8.min_s(outside, scores), i16x8.splat(0)));
}

/** The eight columns of a block on one node, two columns a step, without steps for those that reject it. */
@inline
function standardRow(plain: bool, env: NodeEnvironment, block: TotalsBlock, slot: i32): v128 {
  const columns = block.columns;
  const unused = f64x2.splat(NO_ROOM);
  const offset = usize(slot) << 3;
  const nothing = i16x8.splat(i16(INFEASIBLE));
  const pods = load<f64>(env.allocatablePods + offset) - load<f64>(env.requestedPods + offset);
  if (pods < 1) return nothing;
  const outside = staticTotals(block, columns, slot);
  // A node is accepted by at most one of the columns that belong to topology buckets, so most pairs are left out.
  const accepting = i16x8.bitmask(outside) ^ 0xff;
  if (accepting == 0) return nothing;
  if (isAlike(block)) return sumOf(outside, scoresOfAlike(plain, env, block, offset, ctz(accepting)));
  const first = accepting & 0x03 ? columnPair(plain, env, block, offset, 0) : unused;
  const second = accepting & 0x0c ? columnPair(plain, env, block, offset, 1) : unused;
  const third = accepting & 0x30 ? columnPair(plain, env, block, offset, 2) : unused;
  const fourth = accepting & 0xc0 ? columnPair(plain, env, block, offset, 3) : unused;
  return sumOf(outside, i16x8.narrow_i32x4_s(toIntegers(first, second), toIntegers(third, fourth)));
}

/** Whether the arithmetic of `standardRow` holds: LeastAllocated leaves out a resource that the node lacks. */
@inline
function hasBoth(env: NodeEnvironment, slot: i32): bool {
  const offset = usize(slot) << 3;
  const cpu = load<f64>(env.allocatableCpu + offset);
  const memory = load<f64>(env.allocatableMemory + offset);
  return cpu != 0 && memory != 0;
}

@inline
function setTotal(pointer: usize, column: i32, value: i32): void {
  store<i16>(pointer + (usize(column) << 1), i16(value));
}

/** Writes the block's eight totals on a node to `out`. */
export function writeRow(env: NodeEnvironment, block: TotalsBlock, slot: i32, out: usize): void {
  const columns = block.columns;
  if (ASC_FEATURE_SIMD) {
    if (block.isStandard && hasBoth(env, slot)) {
      v128.store(out, isPlain(env) ? standardRow(true, env, block, slot) : standardRow(false, env, block, slot));
      for (let left = columns & block.extras; left != 0; left &= left - 1) {
        const column = ctz(left);
        if (!fitsExtras(block, column, slot)) setTotal(out, column, INFEASIBLE);
      }
      return;
    }
  }
  for (let column = 0; column < COLUMNS; column++) {
    setTotal(out, column, columns & (1 << column) ? totalOn(env, block, column, slot) : INFEASIBLE);
  }
}
