/**
 * Totals of the standard form for eight pairs of a signature and a node: one node for the signatures of a block, or one
 * signature for eight nodes. Two are computed side by side in doubles, and all eight put together as integers.
 *
 * Nothing is divided: amounts are multiplied by 100 / capacity. For whole percents that is exact. How unevenly cpu and
 * memory are used, upstream finds with rounded fractions; their error and that of the products is less than 2^-40
 * percent, so both agree except close to a whole percent, where `isUnsure` leaves it to a division.
 */
import { packEven } from '../arithmetic/lanes';
import { toIntegers } from '../arithmetic/integral';
import { FULL, NodeEnvironment } from './layout';

/** It is added to what is free, so that quotients stay away from integers. */
export const PERCENT_MARGIN: f64 = 0.005;

/** 1.5 * 2^37: adding it moves half of a double into the low 32 bits of the sum's mantissa, 16 of them a fraction. */
const HALF_SHIFT: f64 = 206158430208.0;

/** The sign says whether cpu or memory has no room for what is requested. */
@inline
export function lackPair(freeCpu: v128, cpu: v128, freeMemory: v128, memory: v128): v128 {
  return v128.or(f64x2.sub(freeCpu, cpu), f64x2.sub(freeMemory, memory));
}

/**
 * How much of a resource is free, in whole percent; `percents`: 100 / capacity. As in arithmetic/integral.ts something
 * is added that keeps the quotient away from integers: one of `free` and `scored` has PERCENT_MARGIN in it. Two
 * roundings below 2^44 leave at least 0.003 of that, and 0.3 / capacity in percent is more than the rounding of inverse
 * and product amounts to for capacities below 2^50 / 100.
 */
@inline
export function freePercentPair(free: v128, scored: v128, percents: v128): v128 {
  return f64x2.trunc(f64x2.mul(f64x2.pmax(f64x2.splat(0), f64x2.sub(free, scored)), percents));
}

/** trunc(dividend / divisor) of whole numbers >= 0, by the inverse: see arithmetic/integral.ts. */
@inline
function quotientPair(dividend: v128, inverse: v128): v128 {
  return f64x2.trunc(f64x2.mul(f64x2.add(dividend, f64x2.splat(0.5)), inverse));
}

/** The score of LeastAllocated from two percents; twice that, as yet, if `plain`: cpu and memory weigh 1. */
@inline
export function leastPair(plain: bool, env: NodeEnvironment, cpuPercents: v128, memoryPercents: v128): v128 {
  if (plain) return f64x2.add(cpuPercents, memoryPercents);
  const weightedCpu = f64x2.mul(cpuPercents, f64x2.splat(env.cpuWeight));
  const weightedMemory = f64x2.mul(memoryPercents, f64x2.splat(env.memoryWeight));
  return quotientPair(f64x2.add(weightedCpu, weightedMemory), f64x2.splat(env.inverseWeight));
}

/** Eight of `leastPair` as i16. */
@inline
export function leastOf(plain: bool, first: v128, second: v128, third: v128, fourth: v128): v128 {
  const scores = i16x8.narrow_i32x4_s(toIntegers(first, second), toIntegers(third, fourth));
  return plain ? i16x8.shr_u(scores, 1) : scores;
}

/** Eight signs of doubles as those of i16. */
@inline
export function signsOf(first: v128, second: v128, third: v128, fourth: v128): v128 {
  return i16x8.narrow_i32x4_s(
    i32x4.shuffle(first, second, 1, 3, 5, 7),
    i32x4.shuffle(third, fourth, 1, 3, 5, 7),
  );
}

/** Half of the difference between the percents of cpu and memory that are used: the low 32 bits, 16 a fraction. */
@inline
export function skewPair(cpu: v128, memory: v128, cpuPercents: v128, memoryPercents: v128): v128 {
  const most = f64x2.splat(100);
  const usedCpu = f64x2.pmin(f64x2.mul(cpu, cpuPercents), most);
  const usedMemory = f64x2.pmin(f64x2.mul(memory, memoryPercents), most);
  return f64x2.add(f64x2.sub(usedCpu, usedMemory), f64x2.splat(HALF_SHIFT));
}

/** As `skewPair` for what no node that fits is short of; `skew`: that of the nodes without the pod. */
@inline
export function tightSkewPair(skew: v128, cpu: v128, memory: v128, cpuPercents: v128, memoryPercents: v128): v128 {
  const own = f64x2.sub(f64x2.mul(cpu, cpuPercents), f64x2.mul(memory, memoryPercents));
  return f64x2.add(f64x2.add(own, skew), f64x2.splat(HALF_SHIFT));
}

/** The sign is set where nodes have no room for one more pod. */
@inline
export function fullOf(headroom: v128): v128 {
  return i16x8.add(headroom, i16x8.splat(i16(FULL / 2)));
}

/** Four of `skewPair` without their signs. */
@inline
export function skewsOf(first: v128, second: v128): v128 {
  return i32x4.abs(packEven(first, second));
}

/** All bits are set where a skew is so close to a whole percent that it may be on the other side of it. */
@inline
export function isUnsure(low: v128, high: v128): v128 {
  return i16x8.eq(i16x8.shuffle(low, high, 0, 2, 4, 6, 8, 10, 12, 14), i16x8.splat(0));
}

/** How evenly cpu and memory are used, 100 where they are used alike, by eight skews. */
@inline
export function evennessBySkews(low: v128, high: v128): v128 {
  return i16x8.sub(i16x8.splat(99), i16x8.shuffle(low, high, 1, 3, 5, 7, 9, 11, 13, 15));
}

@inline
function fractionPair(used: v128, capacity: v128): v128 {
  return f64x2.pmin(f64x2.div(used, capacity), f64x2.splat(1));
}

/** How evenly cpu and memory are used, as upstream computes it. */
@inline
export function evennessPair(cpu: v128, capacityCpu: v128, memory: v128, capacityMemory: v128): v128 {
  const difference = f64x2.sub(fractionPair(cpu, capacityCpu), fractionPair(memory, capacityMemory));
  const deviation = f64x2.abs(f64x2.mul(difference, f64x2.splat(0.5)));
  return f64x2.trunc(f64x2.mul(f64x2.sub(f64x2.splat(1), deviation), f64x2.splat(100)));
}

/** Eight of `evennessPair` as i16. */
@inline
export function evennessOf(first: v128, second: v128, third: v128, fourth: v128): v128 {
  return i16x8.narrow_i32x4_s(toIntegers(first, second), toIntegers(third, fourth));
}

/**
 * The score of BalancedAllocation from how even nodes are with the pod; `headroom`: 50 less how even they are without.
 */
@inline
export function balancedOf(evenness: v128, headroom: v128): v128 {
  return i16x8.add(i16x8.splat(50), i16x8.shr_u(i16x8.add(evenness, headroom), 1));
}

/** Totals; INFEASIBLE, which has all bits set, where the sign of `outside` or `lack` says so. */
@inline
export function sumOf(outside: v128, lack: v128, scores: v128): v128 {
  return v128.or(i16x8.add(outside, scores), i16x8.shr_s(v128.or(outside, lack), 15));
}
