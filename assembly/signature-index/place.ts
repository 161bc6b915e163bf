/** Decisions by index: catch up with the log, take the best, charge the node, go on. */
import {
  CHARGES,
  Charge,
  FULL,
  NodeEnvironment,
  ROW_BYTES,
  STOP_INFEASIBLE,
  STOP_NONE,
  STOP_NORMALIZE,
  STOP_STALE,
  TotalsBlock,
  appendLog,
  feasibleNodes,
  listLength,
  listOf,
} from './layout';
import { toInteger } from '../arithmetic/integral';
import { syncBlock } from './sync';
import { bestTotal, collectBest, earliestBest, firstSlot } from './tree';

const CHARGE_BYTES: usize = offsetof<Charge>();
/** A column is named by its block's pointer, a multiple of 64, plus its number. */
export const COLUMN_MASK: u32 = 7;
export const RESULT_BYTES: usize = 12;
/** A pod in the queue: its column, its only node, and what only searches read. */
export const QUEUED_BYTES: usize = 12;

@inline
function fractionOf(used: f64, capacity: f64): f64 {
  const fraction = used / capacity;
  return fraction > 1 ? 1 : fraction;
}

/** The part of a node's scores that no pod changes but by being placed. */
function prepareNode(env: NodeEnvironment, slot: i32): void {
  const offset = usize(slot) << 3;
  const capacityCpu = load<f64>(env.allocatableCpu + offset);
  const capacityMemory = load<f64>(env.allocatableMemory + offset);
  const cpu = load<f64>(env.requestedCpu + offset);
  const memory = load<f64>(env.requestedMemory + offset);
  const difference = fractionOf(cpu, capacityCpu) - fractionOf(memory, capacityMemory);
  // Where the node lacks a resource this is nothing that anybody reads.
  const headroom = toInteger(50 - trunc((1 - abs(difference * 0.5)) * 100));
  const isFull = load<f64>(env.requestedPods + offset) >= load<f64>(env.allocatablePods + offset);
  store<i16>(env.headroom + (usize(slot) << 1), i16(isFull ? headroom - FULL : headroom));
  store<f64>(env.freeCpu + offset, capacityCpu - cpu);
  store<f64>(env.freeMemory + offset, capacityMemory - memory);
  store<f64>(env.spareCpu + offset, capacityCpu - load<f64>(env.nonZeroCpu + offset));
  store<f64>(env.spareMemory + offset, capacityMemory - load<f64>(env.nonZeroMemory + offset));
  const cpuPercent = cpu * load<f64>(env.inverseCpu + offset);
  store<f64>(env.skew + offset, cpuPercent - memory * load<f64>(env.inverseMemory + offset));
}

/** Derives what depends on a node's row alone. */
@inline
function deriveNode(env: NodeEnvironment, slot: i32): void {
  const offset = usize(slot) << 3;
  const cpu = load<f64>(env.allocatableCpu + offset);
  const memory = load<f64>(env.allocatableMemory + offset);
  if (cpu == 0 || memory == 0) env.hasLacking = 1;
  store<f64>(env.inverseCpu + offset, 100 / cpu);
  store<f64>(env.inverseMemory + offset, 100 / memory);
  prepareNode(env, slot);
}

/** Derives what depends on the rows of the first `count` slots, before any block reads the log. */
export function deriveNodes(env: NodeEnvironment, count: i32): void {
  for (let slot = 0; slot < count; slot++) deriveNode(env, slot);
}

/** After the host has written a node's row: derives what depends on it alone, and notes the slot in the log. */
export function touchNode(env: NodeEnvironment, slot: i32): void {
  deriveNode(env, slot);
  appendLog(env, slot);
}

@inline
function best(env: NodeEnvironment, block: TotalsBlock, column: i32, total: i32): i32 {
  return env.isOrdered ? firstSlot(block, column, total) : earliestBest(block, column, total, env.order);
}

@inline
export function totalAt(block: TotalsBlock, column: i32, slot: i32): i32 {
  return i32(load<i16>(block.rows + usize(slot) * ROW_BYTES + (usize(column) << 1)));
}

/** Adds what a pod with the column's signature requests to a node, and notes the slot in the log for all blocks. */
export function chargeNode(env: NodeEnvironment, block: TotalsBlock, column: i32, slot: i32): void {
  const offset = usize(slot) << 3;
  let charge = listOf(block, CHARGES, column);
  for (let k = listLength(block, CHARGES, column); k > 0; k--, charge += CHARGE_BYTES) {
    const added = changetype<Charge>(charge);
    const amount = added.column + offset;
    store<f64>(amount, load<f64>(amount) + added.amount);
  }
  prepareNode(env, slot);
  appendLog(env, slot);
}

/**
 * Places a pod of the column on the best node, or on the slot `only` if it is not -1. Returns the slot; -1 if something
 * has to be decided outside, with the reason in the environment. `result` takes slot, total and number of feasible
 * nodes as i32.
 */
export function placeOne(env: NodeEnvironment, reference: u32, only: i32, result: usize): i32 {
  const block = changetype<TotalsBlock>(usize(reference & ~COLUMN_MASK));
  const column = i32(reference & COLUMN_MASK);
  if (!syncBlock(env, block)) {
    env.stopReason = STOP_STALE;
    return -1;
  }
  // The only node is not compared with others, so that its total need not be right.
  if (only < 0 && block.dirty & (1 << column)) {
    env.stopReason = STOP_NORMALIZE;
    return -1;
  }
  const total = only < 0 ? bestTotal(block, column) : totalAt(block, column, only);
  if (total < 0) {
    env.stopReason = STOP_INFEASIBLE;
    return -1;
  }
  const slot = only < 0 ? best(env, block, column, total) : only;
  store<i32>(result, slot);
  store<i32>(result, total, 4);
  store<i32>(result, only < 0 ? feasibleNodes(block, column) : 1, 8);
  chargeNode(env, block, column, slot);
  return slot;
}

/**
 * Places pods one after the other, as long as nothing has to be decided outside. `pods` are u32 references to columns,
 * each with the i32 slot on which alone the pod may run, or -1, and a word for `placeBySearch`; `out` takes slot, total
 * and number of feasible nodes of each as i32. Returns how many were placed; why not all is left in the environment.
 */
export function placePods(env: NodeEnvironment, pods: usize, count: i32, out: usize): i32 {
  for (let i = 0; i < count; i++) {
    const queued = pods + usize(i) * QUEUED_BYTES;
    const result = out + usize(i) * RESULT_BYTES;
    if (placeOne(env, load<u32>(queued), load<i32>(queued, 4), result) < 0) return i;
  }
  env.stopReason = STOP_NONE;
  return count;
}

/** The earliest node with a column's best total, of which there is one, after `syncBlock`. */
export function firstBest(env: NodeEnvironment, block: TotalsBlock, column: i32): i32 {
  return best(env, block, column, bestTotal(block, column));
}

/** The first nodes with a column's best total, as i32 slots at `out`, after `syncBlock`; returns how many they are. */
export function listBest(block: TotalsBlock, column: i32, out: usize, limit: i32): i32 {
  return collectBest(block, column, bestTotal(block, column), out, limit);
}

/**
 * Writes the best of i16 totals side by side, the number of ties and the earliest of them, in the form of `selectBest`.
 * `isOrdered`: whether slots stand in order.
 */
export function selectBestTotal(
  totals: usize,
  order: usize,
  isOrdered: i32,
  out: usize,
  from: i32,
  to: i32,
): void {
  let bestTotal = -1;
  let slot = from;
  if (ASC_FEATURE_SIMD) {
    let lanes = i16x8.splat(-1);
    for (; slot + 8 <= to; slot += 8) lanes = i16x8.max_s(lanes, v128.load(totals + (usize(slot) << 1)));
    for (let k = 0; k < 8; k++) {
      bestTotal = max(bestTotal, i32(i16x8.extract_lane_s(lanes, 0)));
      lanes = i8x16.shuffle(lanes, lanes, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1);
    }
  }
  for (; slot < to; slot++) bestTotal = max(bestTotal, i32(load<i16>(totals + (usize(slot) << 1))));
  let ties = 0;
  let first = -1;
  slot = from;
  if (bestTotal >= 0) {
    if (ASC_FEATURE_SIMD) {
      const bests = i16x8.splat(i16(bestTotal));
      for (; slot + 8 <= to; slot += 8) {
        let hits = i16x8.bitmask(i16x8.eq(v128.load(totals + (usize(slot) << 1)), bests));
        if (hits == 0) continue;
        ties += popcnt(hits);
        if (isOrdered) {
          if (first < 0) first = slot + ctz(hits);
          continue;
        }
        for (; hits != 0; hits &= hits - 1) first = earlier(order, first, slot + ctz(hits));
      }
    }
    for (; slot < to; slot++) {
      if (i32(load<i16>(totals + (usize(slot) << 1))) != bestTotal) continue;
      ties++;
      first = earlier(order, first, slot);
    }
  }
  store<i32>(out, bestTotal);
  store<i32>(out, ties, 4);
  store<i32>(out, first, 8);
}

@inline
function earlier(order: usize, first: i32, slot: i32): i32 {
  if (first < 0) return slot;
  return load<i32>(order + (usize(slot) << 2)) < load<i32>(order + (usize(first) << 2)) ? slot : first;
}
