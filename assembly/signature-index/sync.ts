/** Blocks follow the log of nodes that have changed. */
import { checkBounds } from '../memory/bounds';
import {
  COLUMNS,
  NodeEnvironment,
  ROW_BYTES,
  TotalsBlock,
  areTight,
  countFlip,
  countPointer,
  feasibleNodes,
  isPlain,
  isStale,
  setFeasibleNodes,
  verdictIdOf,
} from './layout';
import { writeRow } from './row';
import { standardRow } from './standard-row';
import { raise, raiseHigh, raiseLow } from './tree';

@inline
function isFeasible(row: usize, column: i32): bool {
  return load<i16>(row + (usize(column) << 1)) >= 0;
}

/** One bit per column, set where the row says that a pod with the signature does not fit. */
@inline
function infeasibleColumns(row: usize): i32 {
  let columns = 0;
  for (let column = 0; column < COLUMNS; column++) columns |= i32(!isFeasible(row, column)) << column;
  return columns;
}

/** Keeps the number of feasible nodes, and for tracked columns how many there are with each verdict. */
function countFlips(block: TotalsBlock, slot: i32, flips: i32, infeasible: i32): void {
  countFlip(block);
  for (let left = flips; left != 0; left &= left - 1) {
    const column = ctz(left);
    const step = infeasible & (1 << column) ? -1 : 1;
    setFeasibleNodes(block, column, feasibleNodes(block, column) + step);
    if (!(block.tracked & (1 << column))) continue;
    const pointer = countPointer(block, column, verdictIdOf(block, column, slot));
    const count = load<i32>(pointer) + step;
    store<i32>(pointer, count);
    // It was the first or the last node with its verdict, so the largest raw scores may be others now.
    if (count == 0 || (count == 1 && step > 0)) block.dirty = block.dirty | (1 << column);
  }
}

@inline
function rowOf(env: NodeEnvironment, block: TotalsBlock, slot: i32): usize {
  if (!ASC_NO_ASSERT) checkBounds(block.rows, slot, env.slotCount);
  return block.rows + usize(slot) * ROW_BYTES;
}

/** Counts what has changed in a row, and brings the tree above it up to date. */
@inline
function rowChanged(block: TotalsBlock, slot: i32, old: v128, now: v128): void {
  const change = v128.xor(old, now);
  if (!v128.any_true(change)) return;
  const flips = i16x8.bitmask(change);
  if (flips != 0) countFlips(block, slot, flips, i16x8.bitmask(now));
  raise(block, slot);
}

/** Computes the row of the node in the slot, and brings the tree above it up to date. */
export function updateNode(env: NodeEnvironment, block: TotalsBlock, slot: i32): void {
  const row = rowOf(env, block, slot);
  if (ASC_FEATURE_SIMD) {
    const old = v128.load(row);
    writeRow(env, block, slot, row);
    rowChanged(block, slot, old, v128.load(row));
  } else {
    const before = infeasibleColumns(row);
    writeRow(env, block, slot, row);
    const after = infeasibleColumns(row);
    if (before != after) countFlips(block, slot, before ^ after, after);
    raise(block, slot);
  }
}

@inline
function slotAt(env: NodeEnvironment, at: i64): i32 {
  return load<i32>(env.log + (usize(at & i64(env.logMask)) << 2));
}

/** As `updateNode` for the nodes in the log up to `end`, in one loop without calls. Constants: `plain` and `tight`. */
@inline
function followStandard(plain: bool, tight: bool, env: NodeEnvironment, block: TotalsBlock, end: i64): void {
  let high: u64 = 0;
  for (let at = block.cursor; at < end; at++) {
    const slot = slotAt(env, at);
    const row = rowOf(env, block, slot);
    const old = v128.load(row);
    const now = standardRow(plain, tight, env, block, slot);
    v128.store(row, now);
    const flips = i16x8.bitmask(v128.xor(old, now));
    if (flips != 0) countFlips(block, slot, flips, i16x8.bitmask(now));
    high |= raiseLow(block, slot);
  }
  raiseHigh(block, high, env.slotCount);
}

/** Each form of `followStandard` is a function, as those of scans are. */
function followTight(env: NodeEnvironment, block: TotalsBlock, end: i64): void {
  followStandard(true, true, env, block, end);
}

function followPlain(env: NodeEnvironment, block: TotalsBlock, end: i64): void {
  followStandard(true, false, env, block, end);
}

/** Brings a block up to date; false when a rescan is cheaper, or the log does not reach back far enough. */
export function syncBlock(env: NodeEnvironment, block: TotalsBlock): i32 {
  const end = env.logEnd;
  if (block.cursor == end) return 1;
  if (isStale(env, block)) return 0;
  if (ASC_FEATURE_SIMD) {
    if (block.isStandard && !env.hasLacking && isPlain(env) && (block.columns & block.extras) == 0) {
      if (areTight(block)) followTight(env, block, end);
      else followPlain(env, block, end);
      block.cursor = end;
      return 1;
    }
  }
  for (let at = block.cursor; at < end; at++) updateNode(env, block, slotAt(env, at));
  block.cursor = end;
  return 1;
}
