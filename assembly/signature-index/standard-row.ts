/** The eight signatures of a block of the standard form on one node. */
import {
  BALANCED_CPU,
  BALANCED_MEMORY,
  BALANCED_WEIGHTS,
  CPU_REQUESTS,
  FIT_WEIGHTS,
  FULL,
  INFEASIBLE,
  MEMORY_REQUESTS,
  NodeEnvironment,
  SCORED_CPU,
  SCORED_MEMORY,
  TotalsBlock,
  isAlike,
  staticTotalPointer,
} from './layout';
import {
  PERCENT_MARGIN,
  balancedOf,
  evennessBySkews,
  evennessOf,
  evennessPair,
  freePercentPair,
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

/** The static totals of a node; `columns` are those in use, the others reject. A lane must be a literal. */
@inline
function staticTotals(block: TotalsBlock, columns: i32, slot: i32): v128 {
  let row = i16x8.splat(i16(INFEASIBLE));
  if (columns & 0x03) {
    row = v128.load16_lane(staticTotalPointer(block, 0, slot), row, 0);
    row = v128.load16_lane(staticTotalPointer(block, 1, slot), row, 1);
  }
  if (columns & 0x0c) {
    row = v128.load16_lane(staticTotalPointer(block, 2, slot), row, 2);
    row = v128.load16_lane(staticTotalPointer(block, 3, slot), row, 3);
  }
  if (columns & 0x30) {
    row = v128.load16_lane(staticTotalPointer(block, 4, slot), row, 4);
    row = v128.load16_lane(staticTotalPointer(block, 5, slot), row, 5);
  }
  if (columns & 0xc0) {
    row = v128.load16_lane(staticTotalPointer(block, 6, slot), row, 6);
    row = v128.load16_lane(staticTotalPointer(block, 7, slot), row, 7);
  }
  return row;
}

/** A number of two columns side by side. */
@inline
function doublesOfPair(block: TotalsBlock, field: usize, pair: i32): v128 {
  return v128.load(changetype<usize>(block) + field + (usize(pair) << 4));
}

/** Two numbers of a node that are alike. */
@inline
function splat(column: usize, offset: usize): v128 {
  return v128.load_splat<f64>(column + offset);
}

/** Two signatures on one node: what is free, less what they request. */
@inline
function lackOf(block: TotalsBlock, pair: i32, freeCpu: v128, freeMemory: v128): v128 {
  return lackPair(
    freeCpu,
    doublesOfPair(block, CPU_REQUESTS, pair),
    freeMemory,
    doublesOfPair(block, MEMORY_REQUESTS, pair),
  );
}

/** `spare`: what the pods of the node leave of it, and PERCENT_MARGIN. */
@inline
function leastOfPair(
  plain: bool,
  env: NodeEnvironment,
  block: TotalsBlock,
  pair: i32,
  spareCpu: v128,
  spareMemory: v128,
  cpuPercents: v128,
  memoryPercents: v128,
): v128 {
  return leastPair(
    plain,
    env,
    freePercentPair(spareCpu, doublesOfPair(block, SCORED_CPU, pair), cpuPercents),
    freePercentPair(spareMemory, doublesOfPair(block, SCORED_MEMORY, pair), memoryPercents),
  );
}

@inline
function skewOfPair(
  tight: bool,
  env: NodeEnvironment,
  block: TotalsBlock,
  pair: i32,
  offset: usize,
  cpuPercents: v128,
  memoryPercents: v128,
): v128 {
  const cpu = doublesOfPair(block, BALANCED_CPU, pair);
  const memory = doublesOfPair(block, BALANCED_MEMORY, pair);
  if (tight) return tightSkewPair(splat(env.skew, offset), cpu, memory, cpuPercents, memoryPercents);
  return skewPair(
    f64x2.add(splat(env.requestedCpu, offset), cpu),
    f64x2.add(splat(env.requestedMemory, offset), memory),
    cpuPercents,
    memoryPercents,
  );
}

@inline
function dividedPair(env: NodeEnvironment, block: TotalsBlock, offset: usize, pair: i32): v128 {
  return evennessPair(
    f64x2.add(v128.load_splat<f64>(env.requestedCpu + offset), doublesOfPair(block, BALANCED_CPU, pair)),
    v128.load_splat<f64>(env.allocatableCpu + offset),
    f64x2.add(v128.load_splat<f64>(env.requestedMemory + offset), doublesOfPair(block, BALANCED_MEMORY, pair)),
    v128.load_splat<f64>(env.allocatableMemory + offset),
  );
}

/** How evenly a node is used with a pod of each column; `only` is a pair of columns for all, or -1. */
function dividedRow(env: NodeEnvironment, block: TotalsBlock, offset: usize, only: i32): v128 {
  const first = dividedPair(env, block, offset, max(only, 0));
  if (only >= 0) return evennessOf(first, first, first, first);
  return evennessOf(
    first,
    dividedPair(env, block, offset, 1),
    dividedPair(env, block, offset, 2),
    dividedPair(env, block, offset, 3),
  );
}

/** The scores that columns weigh, from those of both plugins. */
@inline
function weighted(block: TotalsBlock, least: v128, balanced: v128): v128 {
  const pointer = changetype<usize>(block);
  return i16x8.add(
    i16x8.mul(least, v128.load(pointer, FIT_WEIGHTS)),
    i16x8.mul(balanced, v128.load(pointer, BALANCED_WEIGHTS)),
  );
}

/**
 * The pair of columns that alone has to be computed, if it is one: other pairs reject the node, or request the same.
 * A node is accepted by at most one of the columns that belong to topology buckets, so this is often so.
 */
@inline
function onlyPair(block: TotalsBlock, accepting: i32): i32 {
  const pair = ctz(accepting) >> 1;
  return isAlike(block) || accepting >>> (2 * pair) < 4 ? pair : -1;
}

/** One of the first two lanes in all lanes. */
@inline
function spread(lanes: v128, isOdd: bool): v128 {
  return i16x8.splat(isOdd ? i16x8.extract_lane_s(lanes, 1) : i16x8.extract_lane_s(lanes, 0));
}

/** The eight columns of a block on one node, two columns a step, without steps for those that reject it. */
@inline
export function standardRow(plain: bool, tight: bool, env: NodeEnvironment, block: TotalsBlock, slot: i32): v128 {
  const offset = usize(slot) << 3;
  const nothing = i16x8.splat(i16(INFEASIBLE));
  const free = load<i16>(env.headroom + (usize(slot) << 1));
  if (i32(free) < -FULL / 2) return nothing;
  const headroom = i16x8.splat(free);
  const outside = staticTotals(block, block.columns, slot);
  const accepting = i16x8.bitmask(outside) ^ 0xff;
  if (accepting == 0) return nothing;
  const only = onlyPair(block, accepting);
  return only < 0
    ? rowOfPairs(plain, tight, env, block, offset, headroom, outside)
    : rowOfPair(plain, tight, env, block, offset, headroom, outside, only, (ctz(accepting) & 1) != 0);
}

/** The columns of all pairs. */
@inline
function rowOfPairs(
  plain: bool,
  tight: bool,
  env: NodeEnvironment,
  block: TotalsBlock,
  offset: usize,
  headroom: v128,
  outside: v128,
): v128 {
  const cpuPercents = splat(env.inverseCpu, offset);
  const memoryPercents = splat(env.inverseMemory, offset);
  const freeCpu = splat(env.freeCpu, offset);
  const freeMemory = splat(env.freeMemory, offset);
  const margin = f64x2.splat(PERCENT_MARGIN);
  const spareCpu = f64x2.add(splat(env.spareCpu, offset), margin);
  const spareMemory = f64x2.add(splat(env.spareMemory, offset), margin);
  const lack = signsOf(
    lackOf(block, 0, freeCpu, freeMemory),
    lackOf(block, 1, freeCpu, freeMemory),
    lackOf(block, 2, freeCpu, freeMemory),
    lackOf(block, 3, freeCpu, freeMemory),
  );
  const least = leastOf(
    plain,
    leastOfPair(plain, env, block, 0, spareCpu, spareMemory, cpuPercents, memoryPercents),
    leastOfPair(plain, env, block, 1, spareCpu, spareMemory, cpuPercents, memoryPercents),
    leastOfPair(plain, env, block, 2, spareCpu, spareMemory, cpuPercents, memoryPercents),
    leastOfPair(plain, env, block, 3, spareCpu, spareMemory, cpuPercents, memoryPercents),
  );
  const low = skewsOf(
    skewOfPair(tight, env, block, 0, offset, cpuPercents, memoryPercents),
    skewOfPair(tight, env, block, 1, offset, cpuPercents, memoryPercents),
  );
  const high = skewsOf(
    skewOfPair(tight, env, block, 2, offset, cpuPercents, memoryPercents),
    skewOfPair(tight, env, block, 3, offset, cpuPercents, memoryPercents),
  );
  const isSure = v128.or(v128.not(isUnsure(low, high)), v128.or(outside, lack));
  let evenness = evennessBySkews(low, high);
  if (i16x8.bitmask(isSure) != 0xff) evenness = dividedRow(env, block, offset, -1);
  return sumOf(outside, lack, weighted(block, least, balancedOf(evenness, headroom)));
}

/** The columns where this pair alone has to be computed; `isOdd`: its second column is one that accepts the node. */
@inline
function rowOfPair(
  plain: bool,
  tight: bool,
  env: NodeEnvironment,
  block: TotalsBlock,
  offset: usize,
  headroom: v128,
  outside: v128,
  pair: i32,
  isOdd: bool,
): v128 {
  const cpuPercents = splat(env.inverseCpu, offset);
  const memoryPercents = splat(env.inverseMemory, offset);
  const margin = f64x2.splat(PERCENT_MARGIN);
  const spareCpu = f64x2.add(splat(env.spareCpu, offset), margin);
  const spareMemory = f64x2.add(splat(env.spareMemory, offset), margin);
  const lackPair = lackOf(block, pair, splat(env.freeCpu, offset), splat(env.freeMemory, offset));
  const leastPair = leastOfPair(plain, env, block, pair, spareCpu, spareMemory, cpuPercents, memoryPercents);
  const skewPair = skewOfPair(tight, env, block, pair, offset, cpuPercents, memoryPercents);
  let lack = signsOf(lackPair, lackPair, lackPair, lackPair);
  let least = leastOf(plain, leastPair, leastPair, leastPair, leastPair);
  const skews = skewsOf(skewPair, skewPair);
  const isSure = v128.or(v128.not(isUnsure(skews, skews)), v128.or(outside, lack));
  let evenness = evennessBySkews(skews, skews);
  if (i16x8.bitmask(isSure) != 0xff) evenness = dividedRow(env, block, offset, pair);
  if (isAlike(block)) {
    lack = spread(lack, isOdd);
    least = spread(least, isOdd);
    evenness = spread(evenness, isOdd);
  }
  return sumOf(outside, lack, weighted(block, least, balancedOf(evenness, headroom)));
}
