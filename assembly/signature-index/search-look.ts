/** The walk of a search over the nodes: how far it goes, and the totals of the nodes that it meets. */
import { INFEASIBLE, NodeEnvironment, ROW_BYTES, TotalsBlock } from './layout';
import { DomainTerm, NodeSearch, OrderedTotals, TERM_BYTES, i32At } from './search-record';

/** The inverse of the share of nodes for which following the log costs as much as reading all rows. */
const REREAD_SHARE: i64 = 2;
const LANES: i32 = 8;

@inline
function i16At(list: usize, index: i32): i32 {
  return i32(load<i16>(list + (usize(index) << 1)));
}

/** Brings the totals in snapshot order up to date with the rows, which must be up to date themselves. */
export function followRows(
  env: NodeEnvironment,
  block: TotalsBlock,
  column: i32,
  ordered: OrderedTotals,
  search: NodeSearch,
): void {
  const end = env.logEnd;
  const cursor = ordered.cursor;
  if (cursor == end) return;
  const rows = block.rows + (usize(column) << 1);
  const totals = ordered.totals;
  const lag = end - cursor;
  ordered.cursor = end;
  if (cursor < 0 || lag > i64(env.logMask) || lag * REREAD_SHARE > i64(search.count)) {
    const snapshotOrder = search.snapshotOrder;
    for (let position = 0, count = search.count; position < count; position++) {
      const slot = usize(i32At(snapshotOrder, position));
      store<i16>(totals + (usize(position) << 1), load<i16>(rows + slot * ROW_BYTES));
    }
    return;
  }
  const log = env.log;
  const mask = i64(env.logMask);
  const positions = search.positions;
  for (let at = cursor; at < end; at++) {
    const slot = load<i32>(log + (usize(at & mask) << 2));
    const position = i32At(positions, slot);
    if (position >= 0) store<i16>(totals + (usize(position) << 1), load<i16>(rows + usize(slot) * ROW_BYTES));
  }
}

function accepts(rule: DomainTerm, slot: i32): bool {
  const domain = i32At(rule.domains, slot);
  if (domain < 0) return rule.flag != 0;
  const pods = i32At(rule.counts, rule.isByNode ? slot : domain);
  return pods >= rule.least && pods <= rule.most;
}

@inline
function fulfils(rules: usize, ruleCount: i32, slot: i32): bool {
  for (let rule = rules, left = ruleCount; left > 0; left--, rule += TERM_BYTES) {
    if (!accepts(changetype<DomainTerm>(rule), slot)) return false;
  }
  return true;
}

@inline
function domainAt(domains: usize, slots: usize, lane: i32): i32 {
  return i32At(domains, i32At(slots, lane));
}

/** Four i32 of a list. */
@inline
function gather(list: usize, one: i32, two: i32, three: i32, four: i32): v128 {
  let lanes = v128.load32_lane(list + (usize(one) << 2), i32x4.splat(0), 0);
  lanes = v128.load32_lane(list + (usize(two) << 2), lanes, 1);
  lanes = v128.load32_lane(list + (usize(three) << 2), lanes, 2);
  return v128.load32_lane(list + (usize(four) << 2), lanes, 3);
}

@inline
function outside(pods: v128, least: v128, most: v128): v128 {
  return v128.or(i32x4.lt_s(pods, least), i32x4.gt_s(pods, most));
}

/** All bits are set in the lanes of those of eight slots in a list that the rule rejects. */
@inline
function rejectedOf(rule: DomainTerm, slots: usize): v128 {
  const domains = rule.domains;
  let d0 = domainAt(domains, slots, 0);
  let d1 = domainAt(domains, slots, 1);
  let d2 = domainAt(domains, slots, 2);
  let d3 = domainAt(domains, slots, 3);
  let d4 = domainAt(domains, slots, 4);
  let d5 = domainAt(domains, slots, 5);
  let d6 = domainAt(domains, slots, 6);
  let d7 = domainAt(domains, slots, 7);
  if ((d0 | d1 | d2 | d3 | d4 | d5 | d6 | d7) < 0) return rejectedOneByOne(rule, slots);
  if (rule.isByNode) {
    d0 = i32At(slots, 0);
    d1 = i32At(slots, 1);
    d2 = i32At(slots, 2);
    d3 = i32At(slots, 3);
    d4 = i32At(slots, 4);
    d5 = i32At(slots, 5);
    d6 = i32At(slots, 6);
    d7 = i32At(slots, 7);
  }
  const counts = rule.counts;
  const least = i32x4.splat(rule.least);
  const most = i32x4.splat(rule.most);
  return i16x8.narrow_i32x4_s(
    outside(gather(counts, d0, d1, d2, d3), least, most),
    outside(gather(counts, d4, d5, d6, d7), least, most),
  );
}

function rejectedOneByOne(rule: DomainTerm, slots: usize): v128 {
  let bits = 0;
  for (let lane = 0; lane < LANES; lane++) bits |= i32(!accepts(rule, i32At(slots, lane))) << lane;
  const lanes = v128.and(i16x8.splat(i16(bits)), i16x8(1, 2, 4, 8, 16, 32, 64, 128));
  return i16x8.ne(lanes, i16x8.splat(0));
}

@inline
function largest(totals: v128): i32 {
  let lanes = i16x8.max_s(totals, i8x16.shuffle(totals, totals, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
  lanes = i16x8.max_s(lanes, i8x16.shuffle(lanes, lanes, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3));
  return max(i32(i16x8.extract_lane_s(lanes, 0)), i32(i16x8.extract_lane_s(lanes, 1)));
}

/** The largest total, the number of nodes found, and that of those looked at, as far as a walk has come. */
@inline
function noteSeen(search: NodeSearch, best: i32, found: i32, processed: i32): void {
  search.bestTotal = best;
  search.foundCount = found;
  search.processed = processed;
}

/** As `look` without rules, as long as 32 neighbours at a time are all to be looked at. */
@inline
function lookAtMany(ordered: OrderedTotals, search: NodeSearch): void {
  const count = search.count;
  const wanted = search.wanted;
  const processed = search.processed;
  let position = search.start + processed;
  if (position >= count) position -= count;
  const from = ordered.totals + (usize(position) << 1);
  const to = search.seen + (usize(processed) << 1);
  const end = usize(((count - max(position, processed)) >> 5) << 6);
  let found = search.foundCount;
  let bests = i16x8.splat(i16(search.bestTotal));
  let at: usize = 0;
  for (; at < end && found + 4 * LANES <= wanted; at += 64) {
    const first = v128.load(from + at);
    const second = v128.load(from + at, 16);
    const third = v128.load(from + at, 32);
    const fourth = v128.load(from + at, 48);
    v128.store(to + at, first);
    v128.store(to + at, second, 16);
    v128.store(to + at, third, 32);
    v128.store(to + at, fourth, 48);
    bests = i16x8.max_s(bests, i16x8.max_s(i16x8.max_s(first, second), i16x8.max_s(third, fourth)));
    const rejected =
      i8x16.bitmask(i8x16.narrow_i16x8_s(first, second)) | (i8x16.bitmask(i8x16.narrow_i16x8_s(third, fourth)) << 16);
    found += 4 * LANES - popcnt(rejected);
  }
  noteSeen(search, largest(bests), found, processed + i32(at >> 1));
}

/** As `look`, as long as eight neighbours at a time are all to be looked at. */
@inline
function lookAtEights(ordered: OrderedTotals, search: NodeSearch): void {
  const rules = search.rules;
  const rulesEnd = rules + usize(search.ruleCount) * TERM_BYTES;
  const count = search.count;
  const wanted = search.wanted;
  let to = search.seen;
  let position = search.start;
  let processed = search.processed;
  let found = search.foundCount;
  position += processed;
  if (position >= count) position -= count;
  to += usize(processed) << 1;
  let from = ordered.totals + (usize(position) << 1);
  let slots = search.snapshotOrder + (usize(position) << 2);
  let bests = i16x8.splat(i16(search.bestTotal));
  for (let eights = (count - max(position, processed)) >> 3; eights > 0; eights--) {
    let totals = v128.load(from);
    for (let rule = rules; rule < rulesEnd; rule += TERM_BYTES) {
      totals = v128.or(totals, rejectedOf(changetype<DomainTerm>(rule), slots));
    }
    const fits = LANES - popcnt(i16x8.bitmask(totals));
    if (found + fits > wanted) break;
    v128.store(to, totals);
    bests = i16x8.max_s(bests, totals);
    found += fits;
    processed += LANES;
    from += 2 * LANES;
    to += 2 * LANES;
    slots += 4 * LANES;
  }
  noteSeen(search, largest(bests), found, processed);
}

/** As `look`, for so many nodes at most; returns whether the search is over. */
@inline
function lookAtSome(ordered: OrderedTotals, search: NodeSearch, most: i32): bool {
  const from = ordered.totals;
  const to = search.seen;
  const snapshotOrder = search.snapshotOrder;
  const rules = search.rules;
  const ruleCount = search.ruleCount;
  const wanted = search.wanted;
  const count = search.count;
  let best = search.bestTotal;
  let found = search.foundCount;
  let processed = search.processed;
  let position = search.start + processed;
  if (position >= count) position -= count;
  const end = min(processed + most, count);
  let isOver = false;
  for (; processed < end; processed++) {
    let total = i16At(from, position);
    if (total >= 0) {
      if (ruleCount > 0 && !fulfils(rules, ruleCount, i32At(snapshotOrder, position))) {
        total = INFEASIBLE;
      } else {
        isOver = found == wanted;
        if (isOver) break;
        found++;
        if (total > best) best = total;
      }
    }
    store<i16>(to + (usize(processed) << 1), i16(total));
    position++;
    if (position == count) position = 0;
  }
  noteSeen(search, best, found, processed);
  return isOver || processed == count;
}

/**
 * Looks at the nodes in search order, and writes their totals into the list of those seen. Sets the largest of these,
 * and how many nodes were found and looked at.
 */
export function look(ordered: OrderedTotals, search: NodeSearch): void {
  noteSeen(search, INFEASIBLE, 0, 0);
  if (ASC_FEATURE_SIMD) {
    do {
      if (search.ruleCount == 0) lookAtMany(ordered, search);
      lookAtEights(ordered, search);
    } while (!lookAtSome(ordered, search, LANES));
  } else {
    lookAtSome(ordered, search, search.count);
  }
}

/** Lists the slots and the totals of the nodes that `look` has found. */
export function listFound(search: NodeSearch): void {
  const seen = search.seen;
  const list = search.found;
  const totals = search.totals;
  const snapshotOrder = search.snapshotOrder;
  const count = search.count;
  let position = search.start;
  let rank = 0;
  for (let i = 0, processed = search.processed; i < processed; i++) {
    if (position == count) position = 0;
    const total = i16At(seen, i);
    if (total >= 0) {
      store<i32>(list + (usize(rank) << 2), i32At(snapshotOrder, position));
      store<i32>(totals + (usize(rank) << 2), total);
      rank++;
    }
    position++;
  }
}
