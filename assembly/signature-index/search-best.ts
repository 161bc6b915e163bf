/** The best of the nodes that a search has found, and the choice among ties. */
import { preOrderKey } from '../select/heap-root';
import { INFEASIBLE, NodeEnvironment } from './layout';
import { NodeSearch, i32At } from './search-record';

/** The key of ranks on the left edge of the heap. */
const LEFTMOST: u32 = 0x80000000;

/** The slot at which a search looks after so many others. */
@inline
function slotAfter(search: NodeSearch, step: i32): i32 {
  const position = search.start + step;
  return i32At(search.snapshotOrder, position < search.count ? position : position - search.count);
}

/**
 * Notes a tie that is the first on its level of the heap, so that it is the leftmost there. Levels come from the root
 * down. Returns the first rank of the next level.
 */
function noteLevel(search: NodeSearch, slot: i32, rank: i32): i32 {
  const key = preOrderKey(rank);
  // Levels come from the root down: of slots with equal keys the one that is noted first is the highest.
  if (search.root < 0 || key < search.rootKey) {
    search.root = slot;
    search.rootKey = key;
  }
  return levelBelow(rank);
}

/** Chooses among the nodes that `look` has found. Upstream's choice is found without a count of ties. */
export function chooseSeen(env: NodeEnvironment, search: NodeSearch): void {
  search.first = -1;
  search.root = -1;
  search.tieCount = 0;
  if (search.bestTotal < 0) return;
  if (search.isUpstream) rootOfSeen(search);
  else listSeen(env, search);
}

/**
 * Whether no node of a rank above this one, on its level of the heap, can be left of the root: keys grow along a level.
 */
@inline
function isPast(search: NodeSearch, rank: i32): bool {
  return search.root >= 0 && preOrderKey(rank + 1) >= search.rootKey;
}

/** The first rank below the level of this one. */
@inline
function levelBelow(rank: i32): i32 {
  return 2 << (31 - clz(rank));
}

/** Ties are only looked for where they can be left of the root that is known: mostly among a few nodes a level. */
function rootOfSeen(search: NodeSearch): void {
  const seen = search.seen;
  const processed = search.processed;
  const best = search.bestTotal;
  let rank = 0;
  let nextLevel = 1;
  let i = 0;
  if (ASC_FEATURE_SIMD) {
    const bests = i16x8.splat(i16(best));
    for (; i + 16 <= processed; i += 16) {
      const low = v128.load(seen + (usize(i) << 1));
      const high = v128.load(seen + (usize(i) << 1), 16);
      const found = ~i8x16.bitmask(i8x16.narrow_i16x8_s(low, high)) & 0xffff;
      const before = rank;
      rank += popcnt(found);
      if (rank < nextLevel) continue;
      let hits = i8x16.bitmask(i8x16.narrow_i16x8_s(i16x8.eq(low, bests), i16x8.eq(high, bests)));
      for (; hits != 0; hits &= hits - 1) {
        const rankOfTie = before + popcnt(found & (hits ^ (hits - 1)));
        if (rankOfTie >= nextLevel) nextLevel = noteLevel(search, slotAfter(search, i + ctz(hits)), rankOfTie);
      }
      if (search.root >= 0 && search.rootKey == LEFTMOST) return;
      if (isPast(search, rank)) nextLevel = max(nextLevel, levelBelow(rank + 1));
    }
  }
  for (; i < processed; i++) {
    const total = i32(load<i16>(seen + (usize(i) << 1)));
    rank += i32(total >= 0);
    if (total == best && rank >= nextLevel) nextLevel = noteLevel(search, slotAfter(search, i), rank);
  }
}

/** Counts the nodes with the best total among those that `look` has found. */
export function countTies(search: NodeSearch): void {
  const seen = search.seen;
  const processed = search.processed;
  const best = search.bestTotal;
  let ties = 0;
  let i = 0;
  if (ASC_FEATURE_SIMD) {
    const bests = i16x8.splat(i16(best));
    for (; i + 8 <= processed; i += 8) {
      ties += popcnt(i16x8.bitmask(i16x8.eq(v128.load(seen + (usize(i) << 1)), bests)));
    }
  }
  for (; i < processed; i++) ties += i32(i32(load<i16>(seen + (usize(i) << 1))) == best);
  search.tieCount = ties;
}

function listSeen(env: NodeEnvironment, search: NodeSearch): void {
  const seen = search.seen;
  const processed = search.processed;
  const best = search.bestTotal;
  let i = 0;
  if (ASC_FEATURE_SIMD) {
    const bests = i16x8.splat(i16(best));
    for (; i + 8 <= processed; i += 8) {
      let hits = i16x8.bitmask(i16x8.eq(v128.load(seen + (usize(i) << 1)), bests));
      for (; hits != 0; hits &= hits - 1) addTie(env, search, slotAfter(search, i + ctz(hits)));
    }
  }
  for (; i < processed; i++) {
    if (i32(load<i16>(seen + (usize(i) << 1))) == best) addTie(env, search, slotAfter(search, i));
  }
}

@inline
function addTie(env: NodeEnvironment, search: NodeSearch, slot: i32): void {
  const ties = search.tieCount;
  store<i32>(search.ties + (usize(ties) << 2), slot);
  search.tieCount = ties + 1;
  if (ties == 0 || i32At(env.order, slot) < i32At(env.order, search.first)) search.first = slot;
}

@inline
function largest(totals: v128): i32 {
  const half = i8x16.shuffle(totals, totals, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
  const lanes = i32x4.max_s(totals, half);
  return max(i32x4.extract_lane(lanes, 0), i32x4.extract_lane(lanes, 1));
}

/** Chooses among the nodes that are listed as found. */
export function chooseListed(env: NodeEnvironment, search: NodeSearch): void {
  const found = search.foundCount;
  const totals = search.totals;
  let best = INFEASIBLE;
  let i = 0;
  if (ASC_FEATURE_SIMD) {
    let bests = i32x4.splat(INFEASIBLE);
    for (; i + 4 <= found; i += 4) bests = i32x4.max_s(bests, v128.load(totals + (usize(i) << 2)));
    best = largest(bests);
  }
  for (; i < found; i++) best = max(best, i32At(totals, i));
  search.bestTotal = best;
  search.first = -1;
  search.root = -1;
  search.tieCount = 0;
  if (search.isUpstream) rootOfListed(search);
  else listTies(env, search);
}

function rootOfListed(search: NodeSearch): void {
  const found = search.foundCount;
  const slots = search.found;
  const totals = search.totals;
  const best = search.bestTotal;
  let ties = 0;
  let nextLevel = 1;
  let i = 0;
  if (ASC_FEATURE_SIMD) {
    const bests = i32x4.splat(best);
    for (; i + 4 <= found; i += 4) {
      let hits = i32x4.bitmask(i32x4.eq(v128.load(totals + (usize(i) << 2)), bests));
      ties += popcnt(hits);
      for (hits = i + 4 < nextLevel ? 0 : hits; hits != 0; hits &= hits - 1) {
        const rank = i + ctz(hits) + 1;
        if (rank >= nextLevel) nextLevel = noteLevel(search, i32At(slots, rank - 1), rank);
      }
    }
  }
  for (; i < found; i++) {
    if (i32At(totals, i) != best) continue;
    ties++;
    if (i + 1 >= nextLevel) nextLevel = noteLevel(search, i32At(slots, i), i + 1);
  }
  search.tieCount = ties;
}

function listTies(env: NodeEnvironment, search: NodeSearch): void {
  const found = search.foundCount;
  const best = search.bestTotal;
  for (let i = 0; i < found; i++) if (i32At(search.totals, i) == best) addTie(env, search, i32At(search.found, i));
}
