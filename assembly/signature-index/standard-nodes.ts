/** One signature of the standard form on eight nodes. */
import { NodeEnvironment } from './layout';
import {
  balancedOf,
  evennessBySkews,
  evennessOf,
  evennessPair,
  freePercentPair,
  fullOf,
  isUnsure,
  lackPair,
  leastOf,
  leastPair,
  signsOf,
  skewPair,
  skewsOf,
  sumOf,
  tightSkewPair,
} from './standard-totals';

/** For the two nodes at `at + step`: the sign is set where cpu or memory have no room. */
@inline
function lackAt(env: NodeEnvironment, at: usize, step: usize, cpu: v128, memory: v128): v128 {
  return lackPair(v128.load(env.freeCpu + at + step), cpu, v128.load(env.freeMemory + at + step), memory);
}

/** `cpu` and `memory` are what the pod adds, less PERCENT_MARGIN. */
@inline
function leastAt(plain: bool, env: NodeEnvironment, at: usize, step: usize, cpu: v128, memory: v128): v128 {
  return leastPair(
    plain,
    env,
    freePercentPair(v128.load(env.spareCpu + at + step), cpu, v128.load(env.inverseCpu + at + step)),
    freePercentPair(v128.load(env.spareMemory + at + step), memory, v128.load(env.inverseMemory + at + step)),
  );
}

@inline
function skewAt(tight: bool, env: NodeEnvironment, at: usize, step: usize, cpu: v128, memory: v128): v128 {
  if (tight) {
    return tightSkewPair(
      v128.load(env.skew + at + step),
      cpu,
      memory,
      v128.load(env.inverseCpu + at + step),
      v128.load(env.inverseMemory + at + step),
    );
  }
  return skewPair(
    f64x2.add(v128.load(env.requestedCpu + at + step), cpu),
    f64x2.add(v128.load(env.requestedMemory + at + step), memory),
    v128.load(env.inverseCpu + at + step),
    v128.load(env.inverseMemory + at + step),
  );
}

@inline
function dividedAt(env: NodeEnvironment, at: usize, step: usize, cpu: v128, memory: v128): v128 {
  return evennessPair(
    f64x2.add(v128.load(env.requestedCpu + at + step), cpu),
    v128.load(env.allocatableCpu + at + step),
    f64x2.add(v128.load(env.requestedMemory + at + step), memory),
    v128.load(env.allocatableMemory + at + step),
  );
}

/** How evenly eight nodes are used with the pod. */
function dividedOf(env: NodeEnvironment, at: usize, cpu: v128, memory: v128): v128 {
  return evennessOf(
    dividedAt(env, at, 0, cpu, memory),
    dividedAt(env, at, 16, cpu, memory),
    dividedAt(env, at, 32, cpu, memory),
    dividedAt(env, at, 48, cpu, memory),
  );
}

/**
 * The totals of eight nodes. The amounts of the pod stay in registers for the whole scan, where loading them again
 * costs an eighth of it; pointers to columns are loaded where they are used, which costs nothing that could be
 * measured.
 */
@inline
export function totalsOfEight(
  plain: bool,
  tight: bool,
  env: NodeEnvironment,
  slot: i32,
  outside: v128,
  cpu: v128,
  memory: v128,
  scoredCpu: v128,
  scoredMemory: v128,
  balancedCpu: v128,
  balancedMemory: v128,
  fitWeights: v128,
  balancedWeights: v128,
): v128 {
  const at = usize(slot) << 3;
  const least = leastOf(
    plain,
    leastAt(plain, env, at, 0, scoredCpu, scoredMemory),
    leastAt(plain, env, at, 16, scoredCpu, scoredMemory),
    leastAt(plain, env, at, 32, scoredCpu, scoredMemory),
    leastAt(plain, env, at, 48, scoredCpu, scoredMemory),
  );
  const low = skewsOf(
    skewAt(tight, env, at, 0, balancedCpu, balancedMemory),
    skewAt(tight, env, at, 16, balancedCpu, balancedMemory),
  );
  const high = skewsOf(
    skewAt(tight, env, at, 32, balancedCpu, balancedMemory),
    skewAt(tight, env, at, 48, balancedCpu, balancedMemory),
  );
  const headroom = v128.load(env.headroom + (usize(slot) << 1));
  const short = signsOf(
    lackAt(env, at, 0, cpu, memory),
    lackAt(env, at, 16, cpu, memory),
    lackAt(env, at, 32, cpu, memory),
    lackAt(env, at, 48, cpu, memory),
  );
  const lack = v128.or(short, fullOf(headroom));
  const isSure = v128.or(v128.not(isUnsure(low, high)), v128.or(outside, lack));
  let evenness = evennessBySkews(low, high);
  if (i16x8.bitmask(isSure) != 0xff) evenness = dividedOf(env, at, balancedCpu, balancedMemory);
  const balanced = balancedOf(evenness, headroom);
  return sumOf(outside, lack, i16x8.add(i16x8.mul(least, fitWeights), i16x8.mul(balanced, balancedWeights)));
}
