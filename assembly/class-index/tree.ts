/**
 * The maxima above the rows of a group. Rows are padded to a multiple of 16 on every level, with INFEASIBLE.
 *
 *   level 0   rows, one per node         ████████████████ ████████████████ ████████████████ ...
 *   level 1   maxima of 16                      █                █                █
 *   level 2   maxima of 16 of those                              █
 */
import { FAN, FAN_SHIFT, INFEASIBLE, LANES, ROW_BYTES, levelCount, levelOf } from './layout';

@inline
function value(row: usize, lane: i32): i32 {
  return i32(load<i16>(row + (usize(lane) << 1)));
}

/** Writes the lane-wise maximum of 16 rows; returns whether that changed anything. */
function writeMaximum(rows: usize, out: usize): bool {
  if (ASC_FEATURE_SIMD) {
    let low = i16x8.max_s(v128.load(rows), v128.load(rows, 16));
    let high = i16x8.max_s(v128.load(rows, 32), v128.load(rows, 48));
    for (let at = rows + 64; at < rows + (usize(FAN) << 4); at += 64) {
      low = i16x8.max_s(low, i16x8.max_s(v128.load(at), v128.load(at, 16)));
      high = i16x8.max_s(high, i16x8.max_s(v128.load(at, 32), v128.load(at, 48)));
    }
    const maximum = i16x8.max_s(low, high);
    const isSame = v128.all_true<i16>(i16x8.eq(maximum, v128.load(out)));
    v128.store(out, maximum);
    return !isSame;
  }
  let hasChanged = false;
  for (let lane = 0; lane < LANES; lane++) {
    let maximum = INFEASIBLE;
    for (let k = 0; k < FAN; k++) maximum = max(maximum, value(rows + (usize(k) << 4), lane));
    if (value(out, lane) == maximum) continue;
    store<i16>(out + (usize(lane) << 1), i16(maximum));
    hasChanged = true;
  }
  return hasChanged;
}

/** After the row of `slot`, which was `before`, has changed: stops at the first level that stays as it was. */
@inline
export function raisePair(group: usize, slot: i32, before: v128, after: v128): void {
  const levels = levelCount(group);
  let index = usize(slot);
  for (let level = 1; level <= levels; level++) {
    index >>= FAN_SHIFT;
    const out = levelOf(group, level) + (index << 4);
    const maximum = v128.load(out);
    // Only where the largest has become smaller do its fifteen neighbours have to be asked.
    if (v128.any_true(v128.and(i16x8.eq(before, maximum), i16x8.lt_s(after, before)))) {
      if (!writeMaximum(levelOf(group, level - 1) + ((index << FAN_SHIFT) << 4), out)) return;
      after = v128.load(out);
    } else {
      after = i16x8.max_s(maximum, after);
      if (v128.all_true<i16>(i16x8.eq(after, maximum))) return;
      v128.store(out, after);
    }
    before = maximum;
  }
}

export function raise(group: usize, slot: i32): void {
  const levels = levelCount(group);
  let index = usize(slot);
  for (let level = 1; level <= levels; level++) {
    index >>= FAN_SHIFT;
    const below = levelOf(group, level - 1) + ((index << FAN_SHIFT) << 4);
    if (!writeMaximum(below, levelOf(group, level) + (index << 4))) return;
  }
}

/** All levels anew. `rowCount` is a multiple of 16. */
export function buildTree(group: usize, rowCount: i32): void {
  let rows = usize(rowCount);
  const levels = levelCount(group);
  for (let level = 1; level <= levels; level++) {
    const below = levelOf(group, level - 1);
    const here = levelOf(group, level);
    rows = (rows + usize(FAN) - 1) >> FAN_SHIFT;
    for (let k: usize = 0; k < rows; k++) writeMaximum(below + ((k << FAN_SHIFT) << 4), here + (k << 4));
  }
}

/** The best total of a lane; INFEASIBLE when it fits nowhere. */
@inline
export function bestTotal(group: usize, lane: i32): i32 {
  return value(levelOf(group, levelCount(group)), lane);
}

/** The first slot with this total, which is the lane's best. */
export function firstSlot(group: usize, lane: i32, best: i32): i32 {
  let index: usize = 0;
  for (let level = levelCount(group) - 1; level >= 0; level--) {
    index <<= FAN_SHIFT;
    let row = levelOf(group, level) + index * ROW_BYTES;
    while (value(row, lane) != best) {
      row += ROW_BYTES;
      index++;
    }
  }
  return i32(index);
}

/** Lists the slots with this total below one row of a level; returns how many are in the list then. */
function collectBelow(
  group: usize,
  lane: i32,
  best: i32,
  level: i32,
  index: usize,
  out: usize,
  found: i32,
  limit: i32,
): i32 {
  const rows = levelOf(group, level) + index * ROW_BYTES;
  for (let k: usize = 0; k < usize(FAN) && found < limit; k++) {
    if (value(rows + k * ROW_BYTES, lane) != best) continue;
    if (level > 0) {
      found = collectBelow(group, lane, best, level - 1, (index + k) << FAN_SHIFT, out, found, limit);
    } else {
      store<i32>(out + (usize(found) << 2), i32(index + k));
      found++;
    }
  }
  return found;
}

/** The first slots with the lane's best total, in slot order, as i32 at `out`; returns how many, at most `limit`. */
export function collectBest(group: usize, lane: i32, best: i32, out: usize, limit: i32): i32 {
  return collectBelow(group, lane, best, levelCount(group) - 1, 0, out, 0, limit);
}

/** Of the slots with the lane's best total, the one with the smallest order below one row of a level. */
function earliestBelow(group: usize, lane: i32, best: i32, order: usize, level: i32, index: usize, earliest: i32): i32 {
  const rows = levelOf(group, level) + index * ROW_BYTES;
  for (let k: usize = 0; k < usize(FAN); k++) {
    if (value(rows + k * ROW_BYTES, lane) != best) continue;
    if (level > 0) {
      earliest = earliestBelow(group, lane, best, order, level - 1, (index + k) << FAN_SHIFT, earliest);
    } else {
      const slot = i32(index + k);
      if (earliest < 0 || orderOf(order, slot) < orderOf(order, earliest)) earliest = slot;
    }
  }
  return earliest;
}

@inline
function orderOf(order: usize, slot: i32): i32 {
  return load<i32>(order + (usize(slot) << 2));
}

export function earliestBest(group: usize, lane: i32, best: i32, order: usize): i32 {
  return earliestBelow(group, lane, best, order, levelCount(group) - 1, 0, -1);
}
