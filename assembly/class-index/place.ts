/** Decisions by index: catch up with the log, take the best, charge the node, go on. */
import {
  ALLOCATABLE_CPU,
  ALLOCATABLE_MEMORY,
  CHARGES,
  HEADROOM,
  INFEASIBLE,
  INVERSE_CPU,
  INVERSE_MEMORY,
  LOG,
  ORDER,
  REQUESTED_CPU,
  REQUESTED_MEMORY,
  ROW_BYTES,
  STOP_INFEASIBLE,
  STOP_NONE,
  STOP_NORMALIZE,
  STOP_STALE,
  appendLog,
  codeOf,
  columnOf,
  countPointer,
  cursor,
  dirtyLanes,
  feasibleNodes,
  isOrdered,
  isStale,
  listLength,
  listOf,
  logEnd,
  logMask,
  rowsOf,
  setCursor,
  setDirtyLanes,
  setFeasibleNodes,
  setLacking,
  slotCount,
  stop,
  trackedLanes,
} from './layout';
import { checkBounds } from '../memory/bounds';
import { writeRow } from './row';
import { bestTotal, collectBest, earliestBest, firstSlot, raise, raisePair } from './tree';

/** A charge is a pointer to an f64 column, padded to 8 bytes, and an f64 amount. */
const CHARGE_BYTES: usize = 16;
/** A lane is named by its group's pointer, a multiple of 64, plus its number. */
const LANE_MASK: u32 = 7;
const RESULT_BYTES: usize = 12;

@inline
function fractionOf(used: f64, capacity: f64): f64 {
  const fraction = used / capacity;
  return fraction > 1 ? 1 : fraction;
}

/** The part of a node's scores that no pod changes but by being placed. */
function prepareNode(env: usize, slot: i32): void {
  const offset = usize(slot) << 3;
  const capacityCpu = load<f64>(columnOf(env, ALLOCATABLE_CPU) + offset);
  const capacityMemory = load<f64>(columnOf(env, ALLOCATABLE_MEMORY) + offset);
  const difference =
    fractionOf(load<f64>(columnOf(env, REQUESTED_CPU) + offset), capacityCpu) -
    fractionOf(load<f64>(columnOf(env, REQUESTED_MEMORY) + offset), capacityMemory);
  store<f64>(columnOf(env, HEADROOM) + offset, 50 - trunc((1 - abs(difference * 0.5)) * 100));
}

/** After the host has written a node's row: what is derived of it, and word to all groups. */
export function touchNode(env: usize, slot: i32): void {
  const offset = usize(slot) << 3;
  const cpu = load<f64>(columnOf(env, ALLOCATABLE_CPU) + offset);
  const memory = load<f64>(columnOf(env, ALLOCATABLE_MEMORY) + offset);
  if (cpu == 0 || memory == 0) setLacking(env);
  store<f64>(columnOf(env, INVERSE_CPU) + offset, 100 / cpu);
  store<f64>(columnOf(env, INVERSE_MEMORY) + offset, 100 / memory);
  prepareNode(env, slot);
  appendLog(env, slot);
}

@inline
function isFeasible(row: usize, lane: i32): bool {
  return load<i16>(row + (usize(lane) << 1)) >= 0;
}

/** Bit per lane: set where the row says that the class does not fit. */
@inline
function infeasibleLanes(row: usize): i32 {
  let lanes = 0;
  for (let lane = 0; lane < 8; lane++) lanes |= i32(!isFeasible(row, lane)) << lane;
  return lanes;
}

/** Keeps the number of feasible nodes, and for tracked lanes how many there are of each kind. */
function countFlips(group: usize, slot: i32, flips: i32, infeasible: i32): void {
  for (let left = flips; left != 0; left &= left - 1) {
    const lane = ctz(left);
    const step = infeasible & (1 << lane) ? -1 : 1;
    setFeasibleNodes(group, lane, feasibleNodes(group, lane) + step);
    if (!(trackedLanes(group) & (1 << lane))) continue;
    const pointer = countPointer(group, lane, codeOf(group, lane, slot));
    const count = load<i32>(pointer) + step;
    store<i32>(pointer, count);
    // The first or the last node of its kind: the largest raw scores may be others now.
    if (count == 0 || (count == 1 && step > 0)) setDirtyLanes(group, dirtyLanes(group) | (1 << lane));
  }
}

function updateRow(env: usize, group: usize, slot: i32): void {
  if (!ASC_NO_ASSERT) checkBounds(rowsOf(group), slot, slotCount(env));
  const row = rowsOf(group) + usize(slot) * ROW_BYTES;
  if (ASC_FEATURE_SIMD) {
    const old = v128.load(row);
    writeRow(env, group, slot, row);
    const now = v128.load(row);
    if (v128.all_true<i16>(i16x8.eq(old, now))) return;
    const flips = i16x8.bitmask(v128.xor(old, now));
    if (flips != 0) countFlips(group, slot, flips, i16x8.bitmask(now));
    raisePair(group, slot, old, now);
  } else {
    const before = infeasibleLanes(row);
    writeRow(env, group, slot, row);
    const after = infeasibleLanes(row);
    if (before != after) countFlips(group, slot, before ^ after, after);
    raise(group, slot);
  }
}

/** Brings a group up to date; false when a rescan is cheaper, or the log does not reach back far enough. */
export function syncGroup(env: usize, group: usize): i32 {
  if (isStale(env, group)) return 0;
  const end = logEnd(env);
  const log = columnOf(env, LOG);
  const mask = logMask(env);
  for (let at = cursor(group); at < end; at++) updateRow(env, group, load<i32>(log + (usize(at & mask) << 2)));
  setCursor(group, end);
  return 1;
}

@inline
function best(env: usize, group: usize, lane: i32, total: i32): i32 {
  return isOrdered(env) ? firstSlot(group, lane, total) : earliestBest(group, lane, total, columnOf(env, ORDER));
}

/** Adds the requests of a lane's class to a node, and tells all groups. */
export function chargeNode(env: usize, group: usize, lane: i32, slot: i32): void {
  const offset = usize(slot) << 3;
  let charge = listOf(group, CHARGES, lane);
  for (let k = listLength(group, CHARGES, lane); k > 0; k--, charge += CHARGE_BYTES) {
    const amount = usize(load<u32>(charge)) + offset;
    store<f64>(amount, load<f64>(amount) + load<f64>(charge, 8));
  }
  prepareNode(env, slot);
  appendLog(env, slot);
}

/**
 * Places pods one after the other, as long as nothing has to be decided outside. `pods` are u32, lane after lane;
 * `out` takes slot, total and number of feasible nodes of each as i32. Returns how many were placed; why not all is
 * left in the environment.
 */
export function placePods(env: usize, pods: usize, count: i32, out: usize): i32 {
  for (let i = 0; i < count; i++) {
    const pod = load<u32>(pods + (usize(i) << 2));
    const group = usize(pod & ~LANE_MASK);
    const lane = i32(pod & LANE_MASK);
    if (!syncGroup(env, group)) {
      stop(env, STOP_STALE);
      return i;
    }
    if (dirtyLanes(group) & (1 << lane)) {
      stop(env, STOP_NORMALIZE);
      return i;
    }
    const total = bestTotal(group, lane);
    if (total < 0) {
      stop(env, STOP_INFEASIBLE);
      return i;
    }
    const slot = best(env, group, lane, total);
    const result = out + usize(i) * RESULT_BYTES;
    store<i32>(result, slot);
    store<i32>(result, total, 4);
    store<i32>(result, feasibleNodes(group, lane), 8);
    chargeNode(env, group, lane, slot);
  }
  stop(env, STOP_NONE);
  return count;
}

/** The earliest node with a lane's best total, of which there is one, after `syncGroup`. */
export function firstBest(env: usize, group: usize, lane: i32): i32 {
  return best(env, group, lane, bestTotal(group, lane));
}

/** Another kind of node stands in the slot for some lane of the group. */
export function updateNode(env: usize, group: usize, slot: i32): void {
  updateRow(env, group, slot);
}

/** The first nodes with a lane's best total, as i32 slots at `out`, after `syncGroup`; returns how many they are. */
export function listBest(group: usize, lane: i32, out: usize, limit: i32): i32 {
  return collectBest(group, lane, bestTotal(group, lane), out, limit);
}

/**
 * Of i16 totals side by side: best, number of ties and the earliest of them as `selectBest` gives them. `isOrdered`:
 * slots stand in order.
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
