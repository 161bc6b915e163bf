/** Nodes that no pod of a member may share with the pods of some counts: they are passed over in the search. */
import {
  FAN,
  FAN_SHIFT,
  NodeEnvironment,
  ROW_BYTES,
  STOP_INFEASIBLE,
  STOP_NORMALIZE,
  STOP_STALE,
  TotalsBlock,
  feasibleNodes,
  flipsOf,
  levelOf,
} from '../signature-index/layout';
import { checkBounds } from '../memory/bounds';
import { COLUMN_MASK, chargeNode, firstBest, totalAt } from '../signature-index/place';
import { syncBlock } from '../signature-index/sync';
import { bestTotal } from '../signature-index/tree';
import { EXCLUDER_BYTES, ExcludedNodes, Excluder, NO_DOMAIN, RunMember, i32At } from './records';
import { blockOf } from './scores';

@inline
function isExcluded(excluded: ExcludedNodes, slot: i32): bool {
  return (i32(load<u8>(excluded.bits + (usize(slot) >> 3))) & (1 << (slot & 7))) != 0;
}

/** Excludes from the node of a slot those whom a pod of the member excludes. */
export function excludeOthers(member: RunMember, slot: i32): void {
  const last = member.excluders + usize(member.excluderCount) * EXCLUDER_BYTES;
  for (let at = member.excluders; at < last; at += EXCLUDER_BYTES) {
    const excluder = changetype<Excluder>(at);
    const excluded = changetype<ExcludedNodes>(excluder.nodes);
    if (isExcluded(excluded, slot) || i32At(excluder.domains, slot) == NO_DOMAIN) continue;
    if (!ASC_NO_ASSERT) checkBounds(excluded.slots, excluded.length, excluded.room);
    const bits = excluded.bits + (usize(slot) >> 3);
    store<u8>(bits, u8(i32(load<u8>(bits)) | (1 << (slot & 7))));
    store<i32>(excluded.slots + (usize(excluded.length) << 2), slot);
    excluded.length = excluded.length + 1;
  }
}

/** The number of excluded nodes that would be feasible; counted from the start when nodes of the block have flipped. */
function heldNodes(member: RunMember, block: TotalsBlock, column: i32): i32 {
  const excluded = changetype<ExcludedNodes>(member.excluded);
  const flips = flipsOf(block);
  const isKnown = member.heldFlips == flips;
  let held = isKnown ? member.heldNodes : 0;
  for (let k = isKnown ? member.heldLength : 0; k < excluded.length; k++) {
    held += i32(totalAt(block, column, i32At(excluded.slots, k)) >= 0);
  }
  member.heldNodes = held;
  member.heldLength = excluded.length;
  member.heldFlips = flips;
  return held;
}

@inline
function valueAt(rows: usize, child: i32, column: i32): i32 {
  return i32(load<i16>(rows + usize(child) * ROW_BYTES + (usize(column) << 1)));
}

/** Whether a node with the best total so far comes before the best node so far. */
@inline
function isEarlier(env: NodeEnvironment, slot: i32, best: i32): bool {
  return env.isOrdered ? slot < best : i32At(env.order, slot) < i32At(env.order, best);
}

/**
 * Looks below a row of a level for a better node than that in `result`, which takes slot and total. Children are
 * visited by their maxima, the largest first, so that few nodes are visited beside those that are passed over.
 */
function searchBelow(
  env: NodeEnvironment,
  block: TotalsBlock,
  column: i32,
  excluded: ExcludedNodes,
  level: i32,
  index: i32,
  result: usize,
): void {
  const rows = levelOf(block, level) + (usize(index) << FAN_SHIFT) * ROW_BYTES;
  for (let left = (1 << FAN) - 1; left != 0; ) {
    let most = -1;
    let child = 0;
    for (let rest = left; rest != 0; rest &= rest - 1) {
      const total = valueAt(rows, ctz(rest), column);
      if (total <= most) continue;
      most = total;
      child = ctz(rest);
    }
    const best = load<i32>(result, 4);
    if (most < 0 || most < best) return;
    left &= ~(1 << child);
    const at = (index << FAN_SHIFT) + child;
    const slot = load<i32>(result);
    // Among equals the earliest counts, and later ones need no look.
    if (most == best && env.isOrdered && at << (FAN_SHIFT * level) > slot) continue;
    if (level > 0) searchBelow(env, block, column, excluded, level - 1, at, result);
    else if (isExcluded(excluded, at)) excluded.skipped = excluded.skipped + 1;
    else if (most > best || isEarlier(env, at, slot)) {
      store<i32>(result, at);
      store<i32>(result, most, 4);
    }
  }
}

/** Writes the earliest best node that is not excluded, and its total, to `result`; returns its slot, -1 without one. */
function findBeside(
  env: NodeEnvironment,
  block: TotalsBlock,
  column: i32,
  excluded: ExcludedNodes,
  result: usize,
): i32 {
  const total = bestTotal(block, column);
  if (total < 0) return -1;
  const first = firstBest(env, block, column);
  if (!isExcluded(excluded, first)) {
    store<i32>(result, first);
    store<i32>(result, total, 4);
    return first;
  }
  store<i32>(result, -1);
  store<i32>(result, -1, 4);
  searchBelow(env, block, column, excluded, block.levelCount - 1, 0, result);
  return load<i32>(result);
}

/** As `placeOne`, for a pod of the member, on a node that is not excluded. */
export function placeBeside(env: NodeEnvironment, member: RunMember, result: usize): i32 {
  const block = blockOf(member.column);
  const column = i32(member.column & COLUMN_MASK);
  if (!syncBlock(env, block)) {
    env.stopReason = STOP_STALE;
    return -1;
  }
  if (block.dirty & (1 << column)) {
    env.stopReason = STOP_NORMALIZE;
    return -1;
  }
  const slot = findBeside(env, block, column, changetype<ExcludedNodes>(member.excluded), result);
  if (slot < 0) {
    env.stopReason = STOP_INFEASIBLE;
    return -1;
  }
  store<i32>(result, feasibleNodes(block, column) - heldNodes(member, block, column), 8);
  chargeNode(env, block, column, slot);
  return slot;
}
