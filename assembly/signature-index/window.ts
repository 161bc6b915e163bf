/** Decisions that depend on the order in which a search meets the nodes: sampling, and upstream's choice among ties. */
import { isBeforeInPreOrder } from '../select/heap-root';
import { INFEASIBLE, NodeEnvironment, TotalsBlock } from './layout';
import { totalOn } from './row';
import { scanTotals } from './scan';

/** Totals side by side are computed on the way; in a totals block they stand already. */
const SCAN_STRIDE: i32 = 2;
/** Totals that nobody has computed: neither a total nor INFEASIBLE. */
const UNKNOWN_BYTE: u8 = 0x80;
const UNKNOWN: i16 = -0x7f80;
/** Totals are computed in spans of so many neighbours, a power of two. */
const SPAN_MIN: i32 = 8;
const SPAN_MAX: i32 = 128;

/** Computes the total of a slot that a search has come to, and those of its span; returns how many. */
function scanSpan(
  env: NodeEnvironment,
  block: TotalsBlock,
  column: i32,
  totals: usize,
  slot: i32,
  span: i32,
  slots: i32,
): i32 {
  if (ASC_FEATURE_SIMD) {
    if (block.isStandard) {
      const from = slot & -span;
      scanTotals(env, block, column, totals, SCAN_STRIDE, from, min(from + span, slots));
      return span;
    }
  }
  store<i16>(totals + (usize(slot) << 1), i16(totalOn(env, block, column, slot)));
  return 1;
}

/**
 * The best of the nodes that a search sees: of the slots in `snapshotOrder` from position `start` on, until one
 * feasible node more than `wanted` is met. i32 at `out`: best total, number of ties, the earliest of them, how many
 * nodes were found, how many were looked at, and upstream's choice among the ties; these at `list`, as they were met.
 */
export function selectInWindow(
  env: NodeEnvironment,
  block: TotalsBlock,
  column: i32,
  totals: usize,
  stride: i32,
  snapshotOrder: usize,
  count: i32,
  start: i32,
  wanted: i32,
  order: usize,
  slots: i32,
  list: usize,
  out: usize,
): void {
  const isScan = stride == SCAN_STRIDE;
  if (isScan) memory.fill(totals, UNKNOWN_BYTE, usize(slots) << 1);
  let span = SPAN_MIN;
  let computed = 0;
  let bestTotal = INFEASIBLE;
  let ties = 0;
  let first = -1;
  let root = -1;
  let rootRank = 0;
  let found = 0;
  let position = start;
  let i = 0;
  for (; i < count; i++) {
    const slot = load<i32>(snapshotOrder + (usize(position) << 2));
    const at = totals + usize(slot) * usize(stride);
    if (isScan && load<i16>(at) == UNKNOWN) {
      // Many at once are several times faster, where the search meets them all.
      const isWorth = computed <= 2 * i;
      span = isWorth ? min(span << 1, SPAN_MAX) : max(span >> 1, SPAN_MIN);
      computed += scanSpan(env, block, column, totals, slot, span, slots);
    }
    const total = i32(load<i16>(at));
    if (total >= 0) {
      if (found == wanted) break;
      found++;
      if (total > bestTotal) {
        bestTotal = total;
        ties = 0;
      }
      if (total == bestTotal) {
        if (ties == 0 || isEarlier(order, slot, first)) first = slot;
        if (ties == 0 || isBeforeInPreOrder(found, rootRank)) {
          root = slot;
          rootRank = found;
        }
        store<i32>(list + (usize(ties) << 2), slot);
        ties++;
      }
    }
    position++;
    if (position == count) position = 0;
  }
  store<i32>(out, bestTotal);
  store<i32>(out, ties, 4);
  store<i32>(out, first, 8);
  store<i32>(out, found, 12);
  store<i32>(out, i, 16);
  store<i32>(out, root, 20);
}

@inline
function isEarlier(order: usize, slot: i32, other: i32): bool {
  return load<i32>(order + (usize(slot) << 2)) < load<i32>(order + (usize(other) << 2));
}

/** Upstream's choice among the nodes with the `best` of all totals, which stand `stride` bytes apart. */
export function rootOfTies(
  totals: usize,
  stride: i32,
  snapshotOrder: usize,
  count: i32,
  start: i32,
  best: i32,
): i32 {
  let root = -1;
  let rootRank = 0;
  let rank = 0;
  let position = start;
  for (let i = 0; i < count; i++) {
    const slot = load<i32>(snapshotOrder + (usize(position) << 2));
    const total = i32(load<i16>(totals + usize(slot) * usize(stride)));
    if (total >= 0) rank++;
    if (total == best && (root < 0 || isBeforeInPreOrder(rank, rootRank))) {
      root = slot;
      rootRank = rank;
    }
    position++;
    if (position == count) position = 0;
  }
  return root;
}
