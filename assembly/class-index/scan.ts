/** The totals of one class on many nodes: how a lane is filled, and the whole of a decision without an index. */
import { toIntegers } from '../arithmetic/integral.simd';
import { packEven } from '../arithmetic/lanes.simd';
import {
  ALLOCATABLE_CPU,
  ALLOCATABLE_MEMORY,
  ALLOCATABLE_PODS,
  BALANCED_CPU,
  BALANCED_MEMORY,
  BALANCED_WEIGHTS,
  CPU_REQUESTS,
  EVENNESS,
  FIT_WEIGHTS,
  INFEASIBLE,
  INVERSE_CPU,
  INVERSE_MEMORY,
  MEMORY_REQUESTS,
  NON_ZERO_CPU,
  NON_ZERO_MEMORY,
  REQUESTED_CPU,
  REQUESTED_MEMORY,
  REQUESTED_PODS,
  SCORED_CPU,
  SCORED_MEMORY,
  codeOf,
  columnOf,
  cpuWeight,
  countPointer,
  doubleOf,
  extraLanes,
  inverseWeight,
  isStandard,
  memoryWeight,
  staticTotal,
  trackedLanes,
} from './layout';
import { balancedPair, fitsExtras, freePair, laneTotal, leastPair } from './row';

@inline
function capacityMissing(capacityCpu: v128, capacityMemory: v128): bool {
  const zero = f64x2.splat(0);
  return v128.any_true(v128.or(f64x2.eq(capacityCpu, zero), f64x2.eq(capacityMemory, zero)));
}

/**
 * Writes the total of a lane on every slot of [from, to) as i16, `stride` bytes apart; `out` belongs to slot 0.
 */
export function scanLane(env: usize, group: usize, lane: i32, out: usize, stride: i32, from: i32, to: i32): void {
  let slot = from;
  if (ASC_FEATURE_SIMD) {
    if (isStandard(group)) slot = scanStandard(env, group, lane, out, usize(stride), from, to);
  }
  for (; slot < to; slot++) {
    store<i16>(out + usize(slot) * usize(stride), i16(laneTotal(env, group, lane, slot)));
  }
}

/** Four nodes a step; returns where it ended. */
function scanStandard(env: usize, group: usize, lane: i32, out: usize, stride: usize, from: i32, to: i32): i32 {
  const allocatablePods = columnOf(env, ALLOCATABLE_PODS);
  const requestedPods = columnOf(env, REQUESTED_PODS);
  const allocatableCpu = columnOf(env, ALLOCATABLE_CPU);
  const requestedCpu = columnOf(env, REQUESTED_CPU);
  const allocatableMemory = columnOf(env, ALLOCATABLE_MEMORY);
  const requestedMemory = columnOf(env, REQUESTED_MEMORY);
  const nonZeroCpu = columnOf(env, NON_ZERO_CPU);
  const nonZeroMemory = columnOf(env, NON_ZERO_MEMORY);
  const inverseCpu = columnOf(env, INVERSE_CPU);
  const inverseMemory = columnOf(env, INVERSE_MEMORY);
  const evenness = columnOf(env, EVENNESS);
  const one = f64x2.splat(1);
  const cpu = f64x2.splat(doubleOf(group, CPU_REQUESTS, lane));
  const memory = f64x2.splat(doubleOf(group, MEMORY_REQUESTS, lane));
  const scoredCpu = f64x2.splat(doubleOf(group, SCORED_CPU, lane));
  const scoredMemory = f64x2.splat(doubleOf(group, SCORED_MEMORY, lane));
  const balancedCpu = f64x2.splat(doubleOf(group, BALANCED_CPU, lane));
  const balancedMemory = f64x2.splat(doubleOf(group, BALANCED_MEMORY, lane));
  const fitWeights = f64x2.splat(doubleOf(group, FIT_WEIGHTS, lane));
  const balancedWeights = f64x2.splat(doubleOf(group, BALANCED_WEIGHTS, lane));
  const cpuWeights = f64x2.splat(cpuWeight(env));
  const memoryWeights = f64x2.splat(memoryWeight(env));
  const inverseWeights = f64x2.splat(inverseWeight(env));
  const hasExtras = (extraLanes(group) & (1 << lane)) != 0;
  const zero = i32x4.splat(0);
  let slot = from;
  for (; slot + 4 <= to; slot += 4) {
    let gates = i32x4.splat(staticTotal(group, lane, slot));
    gates = i32x4.replace_lane(gates, 1, staticTotal(group, lane, slot + 1));
    gates = i32x4.replace_lane(gates, 2, staticTotal(group, lane, slot + 2));
    gates = i32x4.replace_lane(gates, 3, staticTotal(group, lane, slot + 3));
    let row = gates;
    if (i32x4.bitmask(gates) != 0xf) {
      let offset = usize(slot) << 3;
      const cpu0 = v128.load(allocatableCpu + offset);
      const cpu2 = v128.load(allocatableCpu + offset, 16);
      const memory0 = v128.load(allocatableMemory + offset);
      const memory2 = v128.load(allocatableMemory + offset, 16);
      if (capacityMissing(cpu0, memory0) || capacityMissing(cpu2, memory2)) {
        for (let k = 0; k < 4; k++) {
          store<i16>(out + usize(slot + k) * stride, i16(laneTotal(env, group, lane, slot + k)));
        }
        continue;
      }
      const usedCpu0 = v128.load(requestedCpu + offset);
      const usedCpu2 = v128.load(requestedCpu + offset, 16);
      const usedMemory0 = v128.load(requestedMemory + offset);
      const usedMemory2 = v128.load(requestedMemory + offset, 16);
      const room0 = v128.and(
        v128.and(f64x2.le(cpu, f64x2.sub(cpu0, usedCpu0)), f64x2.le(memory, f64x2.sub(memory0, usedMemory0))),
        f64x2.le(one, f64x2.sub(v128.load(allocatablePods + offset), v128.load(requestedPods + offset))),
      );
      const room2 = v128.and(
        v128.and(f64x2.le(cpu, f64x2.sub(cpu2, usedCpu2)), f64x2.le(memory, f64x2.sub(memory2, usedMemory2))),
        f64x2.le(one, f64x2.sub(v128.load(allocatablePods + offset, 16), v128.load(requestedPods + offset, 16))),
      );
      const least0 = leastPair(
        freePair(cpu0, f64x2.add(v128.load(nonZeroCpu + offset), scoredCpu)),
        freePair(memory0, f64x2.add(v128.load(nonZeroMemory + offset), scoredMemory)),
        v128.load(inverseCpu + offset),
        v128.load(inverseMemory + offset),
        cpuWeights,
        memoryWeights,
        inverseWeights,
      );
      const least2 = leastPair(
        freePair(cpu2, f64x2.add(v128.load(nonZeroCpu + offset, 16), scoredCpu)),
        freePair(memory2, f64x2.add(v128.load(nonZeroMemory + offset, 16), scoredMemory)),
        v128.load(inverseCpu + offset, 16),
        v128.load(inverseMemory + offset, 16),
        cpuWeights,
        memoryWeights,
        inverseWeights,
      );
      const even0 = balancedPair(
        f64x2.add(usedCpu0, balancedCpu),
        cpu0,
        f64x2.add(usedMemory0, balancedMemory),
        memory0,
        v128.load(evenness + offset),
      );
      const even2 = balancedPair(
        f64x2.add(usedCpu2, balancedCpu),
        cpu2,
        f64x2.add(usedMemory2, balancedMemory),
        memory2,
        v128.load(evenness + offset, 16),
      );
      row = i32x4.add(
        gates,
        toIntegers(
          f64x2.add(f64x2.mul(least0, fitWeights), f64x2.mul(even0, balancedWeights)),
          f64x2.add(f64x2.mul(least2, fitWeights), f64x2.mul(even2, balancedWeights)),
        ),
      );
      row = v128.or(row, v128.or(i32x4.lt_s(gates, zero), v128.not(packEven(room0, room2))));
    }
    if (stride == 2) {
      v128.store64_lane(out + (usize(slot) << 1), i16x8.narrow_i32x4_s(row, row), 0);
    } else {
      const at = out + usize(slot) * stride;
      store<i16>(at, i16(i32x4.extract_lane(row, 0)));
      store<i16>(at + stride, i16(i32x4.extract_lane(row, 1)));
      store<i16>(at + 2 * stride, i16(i32x4.extract_lane(row, 2)));
      store<i16>(at + 3 * stride, i16(i32x4.extract_lane(row, 3)));
    }
    if (hasExtras) {
      for (let k = 0; k < 4; k++) {
        if (!fitsExtras(group, lane, slot + k)) store<i16>(out + usize(slot + k) * stride, i16(INFEASIBLE));
      }
    }
  }
  return slot;
}

/** How many slots of [from, to) are feasible; for a tracked lane also how many of each kind, added to its counters. */
export function countLane(group: usize, lane: i32, totals: usize, stride: i32, from: i32, to: i32): i32 {
  let count = 0;
  if (trackedLanes(group) & (1 << lane)) {
    for (let slot = from; slot < to; slot++) {
      if (load<i16>(totals + usize(slot) * usize(stride)) < 0) continue;
      const pointer = countPointer(group, lane, codeOf(group, lane, slot));
      store<i32>(pointer, load<i32>(pointer) + 1);
      count++;
    }
    return count;
  }
  let slot = from;
  if (ASC_FEATURE_SIMD) {
    if (stride == 2) {
      for (; slot + 8 <= to; slot += 8) {
        count += 8 - popcnt(i16x8.bitmask(v128.load(totals + (usize(slot) << 1))));
      }
    }
  }
  for (; slot < to; slot++) count += i32(load<i16>(totals + usize(slot) * usize(stride)) >= 0);
  return count;
}
