/** The totals of one class on many nodes: how a lane is filled, and the whole of a decision without an index. */
import { toIntegers } from '../arithmetic/integral.simd';
import {
  ALLOCATABLE_CPU,
  ALLOCATABLE_MEMORY,
  ALLOCATABLE_PODS,
  BALANCED_CPU,
  BALANCED_MEMORY,
  BALANCED_WEIGHTS,
  CPU_REQUESTS,
  HEADROOM,
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
  checkCodes,
  codeOf,
  columnOf,
  cpuWeight,
  countPointer,
  doubleOf,
  extraLanes,
  hasLacking,
  inverseWeight,
  isPlain,
  isStandard,
  kindCount,
  kindsOf,
  memoryWeight,
  tableOf,
  trackedLanes,
} from './layout';
import { NO_ROOM, balancedPair, fitsExtras, freePercentPair, laneTotal, leastPair } from './row';

/**
 * Writes the total of a lane on every slot of [from, to) as i16, `stride` bytes apart; `out` belongs to slot 0.
 */
export function scanLane(env: usize, group: usize, lane: i32, out: usize, stride: i32, from: i32, to: i32): void {
  let slot = from;
  if (ASC_FEATURE_SIMD) {
    if (isStandard(group)) {
      const plain =
        isPlain(env) && doubleOf(group, FIT_WEIGHTS, lane) == 1 && doubleOf(group, BALANCED_WEIGHTS, lane) == 1;
      slot = plain
        ? scanStandard(true, env, group, lane, out, usize(stride), from, to)
        : scanStandard(false, env, group, lane, out, usize(stride), from, to);
    }
  }
  scanOneByOne(env, group, lane, out, usize(stride), slot, to);
}

function scanOneByOne(env: usize, group: usize, lane: i32, out: usize, stride: usize, from: i32, to: i32): void {
  for (let slot = from; slot < to; slot++) {
    store<i16>(out + usize(slot) * stride, i16(laneTotal(env, group, lane, slot)));
  }
}

/** Of nodes that have totals: those without room for what else the class asks for. */
function rejectByExtras(group: usize, lane: i32, out: usize, stride: usize, from: i32, to: i32): void {
  for (let slot = from; slot < to; slot++) {
    if (!fitsExtras(group, lane, slot)) store<i16>(out + usize(slot) * stride, i16(INFEASIBLE));
  }
}

/** Kinds that fit into one vector of totals. */
const FEW_KINDS: i32 = 8;

/** What eight nodes get by their kinds: with few kinds by a shuffle of the table. */
@inline
function staticsOf(kinds: usize, table: v128, tableAt: usize, few: bool, slot: i32): v128 {
  const at = kinds + (usize(slot) << 1);
  if (few) {
    // Kind k is in the bytes 2k and 2k + 1.
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
function lackingPair(allocatableCpu: usize, allocatableMemory: usize, offset: usize): v128 {
  const zero = f64x2.splat(0);
  const lacksCpu = f64x2.eq(v128.load(allocatableCpu + offset), zero);
  return v128.or(lacksCpu, f64x2.eq(v128.load(allocatableMemory + offset), zero));
}

/** Whether any of eight nodes does. */
@inline
function anyLacking(allocatableCpu: usize, allocatableMemory: usize, offset: usize): bool {
  const first = lackingPair(allocatableCpu, allocatableMemory, offset);
  const second = lackingPair(allocatableCpu, allocatableMemory, offset + 16);
  const third = lackingPair(allocatableCpu, allocatableMemory, offset + 32);
  const fourth = lackingPair(allocatableCpu, allocatableMemory, offset + 48);
  return v128.any_true(v128.or(v128.or(first, second), v128.or(third, fourth)));
}

/** Resource scores of two nodes, NO_ROOM where the class does not fit. */
@inline
function scoresOf(
  plain: bool,
  offset: usize,
  allocatablePods: usize,
  requestedPods: usize,
  allocatableCpu: usize,
  requestedCpu: usize,
  allocatableMemory: usize,
  requestedMemory: usize,
  nonZeroCpu: usize,
  nonZeroMemory: usize,
  inverseCpu: usize,
  inverseMemory: usize,
  headroom: usize,
  cpu: v128,
  memory: v128,
  scoredCpu: v128,
  scoredMemory: v128,
  balancedCpu: v128,
  balancedMemory: v128,
  fitWeights: v128,
  balancedWeights: v128,
  cpuWeights: v128,
  memoryWeights: v128,
  inverseWeights: v128,
): v128 {
  const capacityCpu = v128.load(allocatableCpu + offset);
  const capacityMemory = v128.load(allocatableMemory + offset);
  const usedCpu = v128.load(requestedCpu + offset);
  const usedMemory = v128.load(requestedMemory + offset);
  const room = v128.and(
    v128.and(
      f64x2.le(cpu, f64x2.sub(capacityCpu, usedCpu)),
      f64x2.le(memory, f64x2.sub(capacityMemory, usedMemory)),
    ),
    f64x2.lt(v128.load(requestedPods + offset), v128.load(allocatablePods + offset)),
  );
  const least = leastPair(
    plain,
    freePercentPair(capacityCpu, f64x2.add(v128.load(nonZeroCpu + offset), scoredCpu), v128.load(inverseCpu + offset)),
    freePercentPair(
      capacityMemory,
      f64x2.add(v128.load(nonZeroMemory + offset), scoredMemory),
      v128.load(inverseMemory + offset),
    ),
    cpuWeights,
    memoryWeights,
    inverseWeights,
  );
  const even = balancedPair(
    f64x2.add(usedCpu, balancedCpu),
    capacityCpu,
    f64x2.add(usedMemory, balancedMemory),
    capacityMemory,
    v128.load(headroom + offset),
  );
  const total = plain
    ? f64x2.add(least, even)
    : f64x2.add(f64x2.mul(least, fitWeights), f64x2.mul(even, balancedWeights));
  return v128.bitselect(total, f64x2.splat(NO_ROOM), room);
}

/** Those of eight nodes, as i16. */
@inline
function scoresOfEight(
  plain: bool,
  offset: usize,
  allocatablePods: usize,
  requestedPods: usize,
  allocatableCpu: usize,
  requestedCpu: usize,
  allocatableMemory: usize,
  requestedMemory: usize,
  nonZeroCpu: usize,
  nonZeroMemory: usize,
  inverseCpu: usize,
  inverseMemory: usize,
  headroom: usize,
  cpu: v128,
  memory: v128,
  scoredCpu: v128,
  scoredMemory: v128,
  balancedCpu: v128,
  balancedMemory: v128,
  fitWeights: v128,
  balancedWeights: v128,
  cpuWeights: v128,
  memoryWeights: v128,
  inverseWeights: v128,
): v128 {
  const first = scoresOf(
    plain, offset, allocatablePods, requestedPods, allocatableCpu, requestedCpu, allocatableMemory, requestedMemory,
    nonZeroCpu, nonZeroMemory, inverseCpu, inverseMemory, headroom, cpu, memory, scoredCpu, scoredMemory,
    balancedCpu, balancedMemory, fitWeights, balancedWeights, cpuWeights, memoryWeights, inverseWeights,
  );
  const second = scoresOf(
    plain, offset + 16, allocatablePods, requestedPods, allocatableCpu, requestedCpu, allocatableMemory,
    requestedMemory, nonZeroCpu, nonZeroMemory, inverseCpu, inverseMemory, headroom, cpu, memory, scoredCpu,
    scoredMemory, balancedCpu, balancedMemory, fitWeights, balancedWeights, cpuWeights, memoryWeights,
    inverseWeights,
  );
  const third = scoresOf(
    plain, offset + 32, allocatablePods, requestedPods, allocatableCpu, requestedCpu, allocatableMemory,
    requestedMemory, nonZeroCpu, nonZeroMemory, inverseCpu, inverseMemory, headroom, cpu, memory, scoredCpu,
    scoredMemory, balancedCpu, balancedMemory, fitWeights, balancedWeights, cpuWeights, memoryWeights,
    inverseWeights,
  );
  const fourth = scoresOf(
    plain, offset + 48, allocatablePods, requestedPods, allocatableCpu, requestedCpu, allocatableMemory,
    requestedMemory, nonZeroCpu, nonZeroMemory, inverseCpu, inverseMemory, headroom, cpu, memory, scoredCpu,
    scoredMemory, balancedCpu, balancedMemory, fitWeights, balancedWeights, cpuWeights, memoryWeights,
    inverseWeights,
  );
  return i16x8.narrow_i32x4_s(toIntegers(first, second), toIntegers(third, fourth));
}

/** Eight nodes a step; returns where it ended. `plain`: the weights of cpu, memory and both scores are 1. */
@inline
function scanStandard(
  plain: bool,
  env: usize,
  group: usize,
  lane: i32,
  out: usize,
  stride: usize,
  from: i32,
  to: i32,
): i32 {
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
  const headroom = columnOf(env, HEADROOM);
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
  const kinds = kindsOf(group, lane);
  const tableAt = tableOf(group, lane);
  const few = kindCount(group, lane) <= FEW_KINDS;
  const table = v128.load(tableAt);
  const none = i16x8.splat(i16(INFEASIBLE));
  const lacks = hasLacking(env);
  let slot = from;
  for (; slot + 8 <= to; slot += 8) {
    if (!ASC_NO_ASSERT) checkCodes(group, lane, slot, slot + 8);
    const gates = staticsOf(kinds, table, tableAt, few, slot);
    let row = none;
    if (i16x8.bitmask(gates) != 0xff) {
      const offset = usize(slot) << 3;
      if (lacks && anyLacking(allocatableCpu, allocatableMemory, offset)) {
        scanOneByOne(env, group, lane, out, stride, slot, slot + 8);
        continue;
      }
      const scores = scoresOfEight(
        plain, offset, allocatablePods, requestedPods, allocatableCpu, requestedCpu, allocatableMemory,
        requestedMemory, nonZeroCpu, nonZeroMemory, inverseCpu, inverseMemory, headroom, cpu, memory, scoredCpu,
        scoredMemory, balancedCpu, balancedMemory, fitWeights, balancedWeights, cpuWeights, memoryWeights,
        inverseWeights,
      );
      row = v128.or(i16x8.add(gates, scores), i16x8.lt_s(i16x8.min_s(gates, scores), i16x8.splat(0)));
    }
    if (stride == 2) v128.store(out + (usize(slot) << 1), row);
    else storeApart(out + usize(slot) * stride, stride, row);
    if (hasExtras) rejectByExtras(group, lane, out, stride, slot, slot + 8);
  }
  return slot;
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
function sumOf(counters: v128): i32 {
  const pairs = i32x4.extadd_pairwise_i16x8_s(counters);
  const sums = i32x4.add(pairs, i8x16.shuffle(pairs, pairs, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
  return i32x4.extract_lane(sums, 0) + i32x4.extract_lane(sums, 1);
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
      while (slot + 8 <= to) {
        // As many steps as eight i16 counters hold.
        const end = min(to - 7, slot + 8 * i32(i16.MAX_VALUE));
        let infeasible = i16x8.splat(0);
        const from = slot;
        for (; slot < end; slot += 8) {
          infeasible = i16x8.add(infeasible, i16x8.lt_s(v128.load(totals + (usize(slot) << 1)), i16x8.splat(0)));
        }
        count += slot - from + sumOf(infeasible);
      }
    }
  }
  for (; slot < to; slot++) count += i32(load<i16>(totals + usize(slot) * usize(stride)) >= 0);
  return count;
}
