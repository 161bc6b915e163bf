/** The total of one signature, or of the eight of a block, on one node: filter, score, sum. */

import { ENTRY_BYTES, allocatable, podRequest, requested, totalWeight } from '../memory/resource-entry';
import { inverseOf } from '../arithmetic/integral';
import { balancedRow } from '../score/balanced-allocation';
import { ratioRow } from '../score/requested-to-capacity-ratio';
import { weightedShareRow } from '../score/weighted-share';
import {
  BALANCED_ENTRIES,
  BALANCED_WEIGHTS,
  COLUMNS,
  EXTRA_ENTRIES,
  FILTER_ENTRIES,
  FIT_ENTRIES,
  FIT_WEIGHTS,
  INFEASIBLE,
  NodeEnvironment,
  STRATEGY_LEAST_ALLOCATED,
  STRATEGY_MOST_ALLOCATED,
  TotalsBlock,
  areTight,
  isPlain,
  listLength,
  listOf,
  staticTotal,
  weightOf,
} from './layout';
import { standardRow } from './standard-row';

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
    if (block.isStandard && (!env.hasLacking || hasBoth(env, slot))) {
      if (!isPlain(env)) v128.store(out, standardRow(false, false, env, block, slot));
      else if (areTight(block)) v128.store(out, standardRow(true, true, env, block, slot));
      else v128.store(out, standardRow(true, false, env, block, slot));
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
