/** What one class, or the eight of a group, make of one node: filter, score, sum. */

import { toIntegers, truncatedQuotientPair } from '../arithmetic/integral.simd';
import { packEven } from '../arithmetic/lanes.simd';
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
  EVENNESS,
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

@inline
function hundredOfFree(capacity: v128, used: v128): v128 {
  return f64x2.mul(f64x2.pmax(f64x2.splat(0), f64x2.sub(capacity, used)), f64x2.splat(100));
}

@inline
function fractionOf(used: v128, capacity: v128): v128 {
  return f64x2.pmin(f64x2.div(used, capacity), f64x2.splat(1));
}

/**
 * NodeResourcesFit with LeastAllocated over cpu and memory. `inverse`s take the place of divisions, exactly: see
 * arithmetic/integral.ts.
 */
@inline
export function leastPair(env: usize, cpu: v128, memory: v128, inverseCpu: v128, inverseMemory: v128): v128 {
  const sum = f64x2.add(
    f64x2.mul(truncatedQuotientPair(cpu, inverseCpu), f64x2.splat(cpuWeight(env))),
    f64x2.mul(truncatedQuotientPair(memory, inverseMemory), f64x2.splat(memoryWeight(env))),
  );
  return truncatedQuotientPair(sum, f64x2.splat(inverseWeight(env)));
}

/** NodeResourcesBalancedAllocation over cpu and memory; `before` is how even the node is without the pod. */
@inline
export function balancedPair(cpu: v128, capacityCpu: v128, memory: v128, capacityMemory: v128, before: v128): v128 {
  const difference = f64x2.sub(fractionOf(cpu, capacityCpu), fractionOf(memory, capacityMemory));
  const deviation = f64x2.abs(f64x2.mul(difference, f64x2.splat(0.5)));
  const evenness = f64x2.trunc(f64x2.mul(f64x2.sub(f64x2.splat(1), deviation), f64x2.splat(100)));
  const gain = f64x2.sub(evenness, before);
  const half = f64x2.trunc(f64x2.mul(f64x2.add(f64x2.splat(50), gain), f64x2.splat(0.5)));
  return f64x2.add(f64x2.splat(50), half);
}

@inline
export function freePair(env: usize, capacity: v128, used: v128): v128 {
  return hundredOfFree(capacity, used);
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

/** The classes of a group on one node, two classes a step. */
function standardRow(env: usize, group: usize, slot: i32): v128 {
  const offset = usize(slot) << 3;
  const nothing = i16x8.splat(i16(INFEASIBLE));
  const freePods = load<f64>(columnOf(env, ALLOCATABLE_PODS) + offset) - load<f64>(columnOf(env, REQUESTED_PODS) + offset);
  if (freePods < 1) return nothing;
  const gates = statics(group, slot);
  if (i16x8.bitmask(gates) == 0xff) return nothing;
  const capacityCpu = v128.load_splat<f64>(columnOf(env, ALLOCATABLE_CPU) + offset);
  const capacityMemory = v128.load_splat<f64>(columnOf(env, ALLOCATABLE_MEMORY) + offset);
  const usedCpu = v128.load_splat<f64>(columnOf(env, REQUESTED_CPU) + offset);
  const usedMemory = v128.load_splat<f64>(columnOf(env, REQUESTED_MEMORY) + offset);
  const freeCpu = f64x2.sub(capacityCpu, usedCpu);
  const freeMemory = f64x2.sub(capacityMemory, usedMemory);
  const nonZeroCpu = v128.load_splat<f64>(columnOf(env, NON_ZERO_CPU) + offset);
  const nonZeroMemory = v128.load_splat<f64>(columnOf(env, NON_ZERO_MEMORY) + offset);
  const inverseCpu = v128.load_splat<f64>(columnOf(env, INVERSE_CPU) + offset);
  const inverseMemory = v128.load_splat<f64>(columnOf(env, INVERSE_MEMORY) + offset);
  const before = v128.load_splat<f64>(columnOf(env, EVENNESS) + offset);

  let fit0 = nothing, fit1 = nothing, fit2 = nothing, fit3 = nothing;
  let least0 = nothing, least1 = nothing, least2 = nothing, least3 = nothing;
  let even0 = nothing, even1 = nothing, even2 = nothing, even3 = nothing;
  for (let pair = 0; pair < 4; pair++) {
    const at = group + (usize(pair) << 4);
    const room = v128.and(
      f64x2.le(v128.load(at, CPU_REQUESTS), freeCpu),
      f64x2.le(v128.load(at, MEMORY_REQUESTS), freeMemory),
    );
    const least = leastPair(
      env,
      hundredOfFree(capacityCpu, f64x2.add(nonZeroCpu, v128.load(at, SCORED_CPU))),
      hundredOfFree(capacityMemory, f64x2.add(nonZeroMemory, v128.load(at, SCORED_MEMORY))),
      inverseCpu,
      inverseMemory,
    );
    const even = balancedPair(
      f64x2.add(usedCpu, v128.load(at, BALANCED_CPU)),
      capacityCpu,
      f64x2.add(usedMemory, v128.load(at, BALANCED_MEMORY)),
      capacityMemory,
      before,
    );
    if (pair == 0) { fit0 = room; least0 = least; even0 = even; }
    else if (pair == 1) { fit1 = room; least1 = least; even1 = even; }
    else if (pair == 2) { fit2 = room; least2 = least; even2 = even; }
    else { fit3 = room; least3 = least; even3 = even; }
  }
  const rooms = i16x8.narrow_i32x4_s(packEven(fit0, fit1), packEven(fit2, fit3));
  const leasts = i16x8.narrow_i32x4_s(toIntegers(least0, least1), toIntegers(least2, least3));
  const evens = i16x8.narrow_i32x4_s(toIntegers(even0, even1), toIntegers(even2, even3));
  let row = i16x8.add(
    gates,
    i16x8.add(
      i16x8.mul(leasts, v128.load(group, FIT_WEIGHTS)),
      i16x8.mul(evens, v128.load(group, BALANCED_WEIGHTS)),
    ),
  );
  // A gate's -1 has all bits set, as has "no room": or-ing keeps every other lane as it is.
  row = v128.or(row, v128.or(i16x8.lt_s(gates, i16x8.splat(0)), v128.not(rooms)));
  return row;
}

/** Whether the arithmetic of `standardRow` holds: LeastAllocated leaves out a resource that the node lacks. */
@inline
function hasBoth(env: usize, slot: i32): bool {
  const offset = usize(slot) << 3;
  return (
    load<f64>(columnOf(env, ALLOCATABLE_CPU) + offset) != 0 && load<f64>(columnOf(env, ALLOCATABLE_MEMORY) + offset) != 0
  );
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
      v128.store(out, standardRow(env, group, slot));
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
