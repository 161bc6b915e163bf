/**
 * The maxima above the rows of a block. Rows are padded to a multiple of 16 on every level, with INFEASIBLE.
 *
 *   level 0   rows, one per node         ████████████████ ████████████████ ████████████████ ...
 *   level 1   maxima of 16                      █                █                █
 *   level 2   maxima of 16 of those                              █
 */
import { COLUMNS, FAN, FAN_SHIFT, INFEASIBLE, ROW_BYTES, TotalsBlock, levelOf } from './layout';

@inline
function value(row: usize, column: i32): i32 {
  return i32(load<i16>(row + (usize(column) << 1)));
}

/** The column-wise maximum of 16 rows. */
@inline
function maximumOf(rows: usize): v128 {
  let low = i16x8.max_s(v128.load(rows), v128.load(rows, 16));
  let high = i16x8.max_s(v128.load(rows, 32), v128.load(rows, 48));
  low = i16x8.max_s(low, i16x8.max_s(v128.load(rows, 64), v128.load(rows, 80)));
  high = i16x8.max_s(high, i16x8.max_s(v128.load(rows, 96), v128.load(rows, 112)));
  low = i16x8.max_s(low, i16x8.max_s(v128.load(rows, 128), v128.load(rows, 144)));
  high = i16x8.max_s(high, i16x8.max_s(v128.load(rows, 160), v128.load(rows, 176)));
  low = i16x8.max_s(low, i16x8.max_s(v128.load(rows, 192), v128.load(rows, 208)));
  high = i16x8.max_s(high, i16x8.max_s(v128.load(rows, 224), v128.load(rows, 240)));
  return i16x8.max_s(low, high);
}

/** Writes the column-wise maximum of 16 rows; returns whether that changed anything. */
function writeMaximum(rows: usize, out: usize): bool {
  if (ASC_FEATURE_SIMD) {
    const maximum = maximumOf(rows);
    const isSame = v128.all_true<i16>(i16x8.eq(maximum, v128.load(out)));
    v128.store(out, maximum);
    return !isSame;
  }
  let hasChanged = false;
  for (let column = 0; column < COLUMNS; column++) {
    let maximum = INFEASIBLE;
    for (let k = 0; k < FAN; k++) maximum = max(maximum, value(rows + (usize(k) << 4), column));
    if (value(out, column) == maximum) continue;
    store<i16>(out + (usize(column) << 1), i16(maximum));
    hasChanged = true;
  }
  return hasChanged;
}

/** Writes a row of a level above the nodes; all bits of the result are clear if it stays as it was. */
@inline
function raiseTo(block: TotalsBlock, level: i32, index: usize): v128 {
  const out = levelOf(block, level) + (index << 4);
  const before = v128.load(out);
  const maximum = maximumOf(levelOf(block, level - 1) + ((index << FAN_SHIFT) << 4));
  v128.store(out, maximum);
  return v128.xor(maximum, before);
}

/**
 * After the row of `slot` has changed: stops at the first level that stays as it was. With SIMD the two lowest levels
 * are written in any case, because a branch that is foretold wrongly costs more.
 */
@inline
export function raise(block: TotalsBlock, slot: i32): void {
  const levels = block.levelCount;
  let index = usize(slot);
  for (let level = 1; level <= levels; level++) {
    index >>= FAN_SHIFT;
    if (ASC_FEATURE_SIMD) {
      if (!v128.any_true(raiseTo(block, level, index)) && level > 1) return;
    } else {
      const below = levelOf(block, level - 1) + ((index << FAN_SHIFT) << 4);
      if (!writeMaximum(below, levelOf(block, level) + (index << 4))) return;
    }
  }
}

/**
 * As `raise` for the two lowest levels. Returns the row of the third level that must follow, if there is one, as a set
 * by the six lowest bits of its index: for many nodes at once, that costs fewer branches that are foretold wrongly.
 */
@inline
export function raiseLow(block: TotalsBlock, slot: i32): u64 {
  raiseTo(block, 1, usize(slot) >> FAN_SHIFT);
  if (block.levelCount < 2) return 0;
  const change = raiseTo(block, 2, usize(slot) >> (2 * FAN_SHIFT));
  return u64(v128.any_true(change)) << u64(slot >> (3 * FAN_SHIFT));
}

/** Brings the third level and those above it up to date: the rows in a set of `raiseLow` for `slotCount` slots. */
@inline
export function raiseHigh(block: TotalsBlock, rows: u64, slotCount: i32): void {
  const count = usize((slotCount - 1) >> (3 * FAN_SHIFT)) + 1;
  for (let left = rows; left != 0; left &= left - 1) {
    for (let row = usize(ctz(left)); row < count; row += 64) {
      let index = row;
      for (let level = 3; level <= block.levelCount; level++) {
        if (!v128.any_true(raiseTo(block, level, index))) break;
        index >>= FAN_SHIFT;
      }
    }
  }
}

/** The rows [from, to) of a level at `out`: the maxima of 16 rows each of the level below. */
export function writeMaxima(below: usize, out: usize, from: i32, to: i32): void {
  for (let k = usize(from); k < usize(to); k++) writeMaximum(below + ((k << FAN_SHIFT) << 4), out + (k << 4));
}

/** All levels from the given one on anew. `rowCount`, of the nodes' rows, is a multiple of 16. */
export function buildTree(block: TotalsBlock, lowest: i32, rowCount: i32): void {
  let rows = rowCount;
  const levels = block.levelCount;
  for (let level = 1; level <= levels; level++) {
    rows = (rows + FAN - 1) >> FAN_SHIFT;
    if (level >= lowest) writeMaxima(levelOf(block, level - 1), levelOf(block, level), 0, rows);
  }
}

/** The best total of a column; INFEASIBLE when it fits nowhere. */
@inline
export function bestTotal(block: TotalsBlock, column: i32): i32 {
  return value(levelOf(block, block.levelCount), column);
}

/** The first slot with this total, which is the column's best. */
export function firstSlot(block: TotalsBlock, column: i32, best: i32): i32 {
  let index: usize = 0;
  for (let level = block.levelCount - 1; level >= 0; level--) {
    index <<= FAN_SHIFT;
    let row = levelOf(block, level) + index * ROW_BYTES;
    while (value(row, column) != best) {
      row += ROW_BYTES;
      index++;
    }
  }
  return i32(index);
}

/** Lists the slots with this total below one row of a level; returns how many are in the list then. */
function collectBelow(
  block: TotalsBlock,
  column: i32,
  best: i32,
  level: i32,
  index: usize,
  out: usize,
  found: i32,
  limit: i32,
): i32 {
  const rows = levelOf(block, level) + index * ROW_BYTES;
  for (let k: usize = 0; k < usize(FAN) && found < limit; k++) {
    if (value(rows + k * ROW_BYTES, column) != best) continue;
    if (level > 0) {
      found = collectBelow(block, column, best, level - 1, (index + k) << FAN_SHIFT, out, found, limit);
    } else {
      store<i32>(out + (usize(found) << 2), i32(index + k));
      found++;
    }
  }
  return found;
}

/** The first slots with the column's best total, in slot order, as i32 at `out`; returns how many, at most `limit`. */
export function collectBest(block: TotalsBlock, column: i32, best: i32, out: usize, limit: i32): i32 {
  return collectBelow(block, column, best, block.levelCount - 1, 0, out, 0, limit);
}

/** Returns the slot with the column's best total that has the smallest order, below one row of a level. */
function earliestBelow(
  block: TotalsBlock,
  column: i32,
  best: i32,
  order: usize,
  level: i32,
  index: usize,
  earliest: i32,
): i32 {
  const rows = levelOf(block, level) + index * ROW_BYTES;
  for (let k: usize = 0; k < usize(FAN); k++) {
    if (value(rows + k * ROW_BYTES, column) != best) continue;
    if (level > 0) {
      earliest = earliestBelow(block, column, best, order, level - 1, (index + k) << FAN_SHIFT, earliest);
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

export function earliestBest(block: TotalsBlock, column: i32, best: i32, order: usize): i32 {
  return earliestBelow(block, column, best, order, block.levelCount - 1, 0, -1);
}
