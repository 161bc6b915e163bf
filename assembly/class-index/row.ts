/** What one class, or the eight of a group, make of one node: filter, score, sum. */

import { toIntegers } from '../arithmetic/integral.simd';
import { ENTRY_BYTES, allocatable, podRequest, requested, totalWeight } from '../memory/resource-entry';
import { inverseOf } from '../arithmetic/integral';
import { balancedRow } from '../score/balanced-allocation';
import { ratioRow } from '../score/requested-to-capacity-ratio';
import { weightedShareRow } from '../score/weighted-share';
import {
  ALLOCATABLE_CPU,
  ALLOCATABLE_MEMORY,
  ALLOCATABLE_PODS,
  BALANCED_CPU,
  BALANCED_ENTRIES,
  BALANCED_MEMORY,
  BALANCED_WEIGHTS,
  CPU_REQUESTS,
  HEADROOM,
  EXTRA_ENTRIES,
  FILTER_ENTRIES,
  FIT_ENTRIES,
  FIT_WEIGHTS,
  INFEASIBLE,
  INVERSE_CPU,
  INVERSE_MEMORY,
  LANES,
  MEMORY_REQUESTS,
  NON_ZERO_CPU,
  NON_ZERO_MEMORY,
  REQUESTED_CPU,
  REQUESTED_MEMORY,
  REQUESTED_PODS,
  SCORED_CPU,
  SCORED_MEMORY,
  STRATEGY_LEAST_ALLOCATED,
  STRATEGY_MOST_ALLOCATED,
  columnOf,
  cpuWeight,
  extraLanes,
  inverseWeight,
  isPlain,
  isStandard,
  lanesOf,
  listLength,
  listOf,
  memoryWeight,
  percentTable,
  staticTotal,
  strategy,
  weightOf,
} from './layout';

/** In place of scores where a class has no room; any negative number would do. */
export const NO_ROOM: f64 = -1;

@inline
function fits(entries: usize, entryCount: i32, slot: i32): bool {
  const offset = usize(slot) << 3;
  for (let k = 0, entry = entries; k < entryCount; k++, entry += ENTRY_BYTES) {
    if (podRequest(entry) > allocatable(entry, offset) - requested(entry, offset)) return false;
  }
  return true;
}

function fitScore(env: usize, entries: usize, entryCount: i32, slot: i32): i32 {
  const kind = strategy(env);
  if (kind != STRATEGY_LEAST_ALLOCATED && kind != STRATEGY_MOST_ALLOCATED) {
    return ratioRow(entries, entryCount, percentTable(env), slot);
  }
  const weights = totalWeight(entries, entryCount);
  return kind == STRATEGY_LEAST_ALLOCATED
    ? weightedShareRow(false, entries, entryCount, weights, inverseOf(weights), slot)
    : weightedShareRow(true, entries, entryCount, weights, inverseOf(weights), slot);
}

/** Any resources, any strategy. */
export function laneTotal(env: usize, group: usize, lane: i32, slot: i32): i32 {
  let total = staticTotal(group, lane, slot);
  if (total < 0) return INFEASIBLE;
  if (!fits(listOf(group, FILTER_ENTRIES, lane), listLength(group, FILTER_ENTRIES, lane), slot)) return INFEASIBLE;
  const fitWeight = weightOf(group, FIT_WEIGHTS, lane);
  if (fitWeight != 0) {
    const entries = listOf(group, FIT_ENTRIES, lane);
    total += fitWeight * fitScore(env, entries, listLength(group, FIT_ENTRIES, lane), slot);
  }
  const balancedWeight = weightOf(group, BALANCED_WEIGHTS, lane);
  if (balancedWeight != 0) {
    const entries = listOf(group, BALANCED_ENTRIES, lane);
    total += balancedWeight * balancedRow(entries, listLength(group, BALANCED_ENTRIES, lane), slot);
  }
  return total;
}

/** Whether the resources beside pods, cpu and memory have room. */
@inline
export function fitsExtras(group: usize, lane: i32, slot: i32): bool {
  return fits(listOf(group, EXTRA_ENTRIES, lane), listLength(group, EXTRA_ENTRIES, lane), slot);
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
export function leastPair(
  plain: bool,
  cpuScores: v128,
  memoryScores: v128,
  cpuWeights: v128,
  memoryWeights: v128,
  inverseWeights: v128,
): v128 {
  if (plain) return f64x2.trunc(f64x2.mul(f64x2.add(cpuScores, memoryScores), f64x2.splat(0.5)));
  const sum = f64x2.add(f64x2.mul(cpuScores, cpuWeights), f64x2.mul(memoryScores, memoryWeights));
  return quotientPair(sum, inverseWeights);
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

@inline
function statics(group: usize, slot: i32): v128 {
  let row = i16x8.splat(i16(staticTotal(group, 0, slot)));
  row = i16x8.replace_lane(row, 1, i16(staticTotal(group, 1, slot)));
  row = i16x8.replace_lane(row, 2, i16(staticTotal(group, 2, slot)));
  row = i16x8.replace_lane(row, 3, i16(staticTotal(group, 3, slot)));
  row = i16x8.replace_lane(row, 4, i16(staticTotal(group, 4, slot)));
  row = i16x8.replace_lane(row, 5, i16(staticTotal(group, 5, slot)));
  row = i16x8.replace_lane(row, 6, i16(staticTotal(group, 6, slot)));
  return i16x8.replace_lane(row, 7, i16(staticTotal(group, 7, slot)));
}

/** Two classes: weighted resource scores, NO_ROOM where one does not fit. */
@inline
function classPair(
  plain: bool,
  at: usize,
  capacityCpu: v128,
  capacityMemory: v128,
  usedCpu: v128,
  usedMemory: v128,
  nonZeroCpu: v128,
  nonZeroMemory: v128,
  inverseCpu: v128,
  inverseMemory: v128,
  headroom: v128,
  cpuWeights: v128,
  memoryWeights: v128,
  inverseWeights: v128,
): v128 {
  const room = v128.and(
    f64x2.le(v128.load(at, CPU_REQUESTS), f64x2.sub(capacityCpu, usedCpu)),
    f64x2.le(v128.load(at, MEMORY_REQUESTS), f64x2.sub(capacityMemory, usedMemory)),
  );
  const least = leastPair(
    plain,
    freePercentPair(capacityCpu, f64x2.add(nonZeroCpu, v128.load(at, SCORED_CPU)), inverseCpu),
    freePercentPair(capacityMemory, f64x2.add(nonZeroMemory, v128.load(at, SCORED_MEMORY)), inverseMemory),
    cpuWeights,
    memoryWeights,
    inverseWeights,
  );
  const even = balancedPair(
    f64x2.add(usedCpu, v128.load(at, BALANCED_CPU)),
    capacityCpu,
    f64x2.add(usedMemory, v128.load(at, BALANCED_MEMORY)),
    capacityMemory,
    headroom,
  );
  const total = f64x2.add(
    f64x2.mul(least, v128.load(at, FIT_WEIGHTS)),
    f64x2.mul(even, v128.load(at, BALANCED_WEIGHTS)),
  );
  return v128.bitselect(total, f64x2.splat(NO_ROOM), room);
}

/** The classes of a group on one node, two classes a step. */
@inline
function standardRow(plain: bool, env: usize, group: usize, slot: i32): v128 {
  const offset = usize(slot) << 3;
  const nothing = i16x8.splat(i16(INFEASIBLE));
  const pods = load<f64>(columnOf(env, ALLOCATABLE_PODS) + offset) - load<f64>(columnOf(env, REQUESTED_PODS) + offset);
  if (pods < 1) return nothing;
  const gates = statics(group, slot);
  if (i16x8.bitmask(gates) == 0xff) return nothing;
  const capacityCpu = v128.load_splat<f64>(columnOf(env, ALLOCATABLE_CPU) + offset);
  const capacityMemory = v128.load_splat<f64>(columnOf(env, ALLOCATABLE_MEMORY) + offset);
  const usedCpu = v128.load_splat<f64>(columnOf(env, REQUESTED_CPU) + offset);
  const usedMemory = v128.load_splat<f64>(columnOf(env, REQUESTED_MEMORY) + offset);
  const nonZeroCpu = v128.load_splat<f64>(columnOf(env, NON_ZERO_CPU) + offset);
  const nonZeroMemory = v128.load_splat<f64>(columnOf(env, NON_ZERO_MEMORY) + offset);
  const inverseCpu = v128.load_splat<f64>(columnOf(env, INVERSE_CPU) + offset);
  const inverseMemory = v128.load_splat<f64>(columnOf(env, INVERSE_MEMORY) + offset);
  const headroom = v128.load_splat<f64>(columnOf(env, HEADROOM) + offset);
  const cpuWeights = f64x2.splat(cpuWeight(env));
  const memoryWeights = f64x2.splat(memoryWeight(env));
  const inverseWeights = f64x2.splat(inverseWeight(env));
  const pair0 = classPair(
    plain, group, capacityCpu, capacityMemory, usedCpu, usedMemory, nonZeroCpu, nonZeroMemory,
    inverseCpu, inverseMemory, headroom, cpuWeights, memoryWeights, inverseWeights,
  );
  const pair1 = classPair(
    plain, group + 16, capacityCpu, capacityMemory, usedCpu, usedMemory, nonZeroCpu, nonZeroMemory,
    inverseCpu, inverseMemory, headroom, cpuWeights, memoryWeights, inverseWeights,
  );
  const pair2 = classPair(
    plain, group + 32, capacityCpu, capacityMemory, usedCpu, usedMemory, nonZeroCpu, nonZeroMemory,
    inverseCpu, inverseMemory, headroom, cpuWeights, memoryWeights, inverseWeights,
  );
  const pair3 = classPair(
    plain, group + 48, capacityCpu, capacityMemory, usedCpu, usedMemory, nonZeroCpu, nonZeroMemory,
    inverseCpu, inverseMemory, headroom, cpuWeights, memoryWeights, inverseWeights,
  );
  const scores = i16x8.narrow_i32x4_s(toIntegers(pair0, pair1), toIntegers(pair2, pair3));
  const row = i16x8.add(gates, scores);
  // Without room, or rejected by the gate: all bits set is INFEASIBLE.
  return v128.or(row, i16x8.lt_s(i16x8.min_s(gates, scores), i16x8.splat(0)));
}

/** Whether the arithmetic of `standardRow` holds: LeastAllocated leaves out a resource that the node lacks. */
@inline
function hasBoth(env: usize, slot: i32): bool {
  const offset = usize(slot) << 3;
  const cpu = load<f64>(columnOf(env, ALLOCATABLE_CPU) + offset);
  const memory = load<f64>(columnOf(env, ALLOCATABLE_MEMORY) + offset);
  return cpu != 0 && memory != 0;
}

@inline
function setLane(pointer: usize, lane: i32, value: i32): void {
  store<i16>(pointer + (usize(lane) << 1), i16(value));
}

/** Writes the group's eight totals on a node to `out`. */
export function writeRow(env: usize, group: usize, slot: i32, out: usize): void {
  const lanes = lanesOf(group);
  if (ASC_FEATURE_SIMD) {
    if (isStandard(group) && hasBoth(env, slot)) {
      v128.store(out, isPlain(env) ? standardRow(true, env, group, slot) : standardRow(false, env, group, slot));
      for (let left = lanes & extraLanes(group); left != 0; left &= left - 1) {
        const lane = ctz(left);
        if (!fitsExtras(group, lane, slot)) setLane(out, lane, INFEASIBLE);
      }
      return;
    }
  }
  for (let lane = 0; lane < LANES; lane++) {
    setLane(out, lane, lanes & (1 << lane) ? laneTotal(env, group, lane, slot) : INFEASIBLE);
  }
}
