/**
 * Decisions about the part of the nodes that a search finds: scores are normalised over these nodes, and rules of
 * topology spread and inter-pod affinity are counts by domain.
 */
import { isBeforeInPreOrder } from '../select/heap-root';
import {
  INFEASIBLE,
  NodeEnvironment,
  ROW_BYTES,
  STOP_INFEASIBLE,
  STOP_NONE,
  STOP_NORMALIZE,
  STOP_STALE,
  TotalsBlock,
} from './layout';
import { addAffinity, addSpread, correctTotals, hasMaxima } from './search-scores';
import { DomainTerm, NodeSearch, TERM_BYTES, WindowScores, i32At } from './search-record';
import { COLUMN_MASK, QUEUED_BYTES, RESULT_BYTES, chargeNode, syncBlock } from './place';

/** The pods that a term counts where the slot is; -1 for a slot in no domain. */
@inline
function podsAt(term: DomainTerm, slot: i32): i32 {
  const domain = i32At(term.domains, slot);
  if (domain < 0) return -1;
  return i32At(term.counts, term.isByNode ? slot : domain);
}

@inline
function fulfils(rules: usize, ruleCount: i32, slot: i32): bool {
  for (let rule = rules, left = ruleCount; left > 0; left--, rule += TERM_BYTES) {
    const term = changetype<DomainTerm>(rule);
    const pods = podsAt(term, slot);
    if (pods < 0 ? term.flag == 0 : pods < term.least || pods > term.most) return false;
  }
  return true;
}

/**
 * Lists the nodes that the search finds, and their totals as they stand in the rows. `hasRules`, a constant at every
 * call: the first rule is read once, the others at every node.
 */
@inline
function findNodes(hasRules: bool, block: TotalsBlock, column: i32, search: NodeSearch): void {
  const rows = block.rows + (usize(column) << 1);
  const snapshotOrder = search.snapshotOrder;
  const list = search.found;
  const totals = search.totals;
  const count = search.count;
  const wanted = search.wanted;
  const rule = changetype<DomainTerm>(search.rules);
  const others = search.rules + TERM_BYTES;
  const otherCount = hasRules ? search.ruleCount - 1 : 0;
  const domains = hasRules ? rule.domains : 0;
  const counts = hasRules ? rule.counts : 0;
  const isByNode = hasRules ? rule.isByNode : 0;
  const least = hasRules ? rule.least : 0;
  const most = hasRules ? rule.most : 0;
  const absentFits = hasRules ? rule.flag : 0;
  let found = 0;
  let position = search.start;
  let i = 0;
  for (; i < count; i++) {
    const slot = i32At(snapshotOrder, position);
    position++;
    if (position == count) position = 0;
    // The first rule comes before the total, because a processor foresees what it answers for zones that take turns.
    if (hasRules) {
      const domain = i32At(domains, slot);
      if (domain < 0) {
        if (!absentFits) continue;
      } else {
        const pods = i32At(counts, isByNode ? slot : domain);
        if (pods < least || pods > most) continue;
      }
    }
    const total = i32(load<i16>(rows + usize(slot) * ROW_BYTES));
    if (total < 0) continue;
    if (hasRules && otherCount > 0 && !fulfils(others, otherCount, slot)) continue;
    if (found == wanted) break;
    store<i32>(list + (usize(found) << 2), slot);
    store<i32>(totals + (usize(found) << 2), total);
    found++;
  }
  search.foundCount = found;
  search.processed = i;
}

function find(block: TotalsBlock, column: i32, search: NodeSearch): void {
  if (search.ruleCount > 0) findNodes(true, block, column, search);
  else findNodes(false, block, column, search);
}

/** Finds the best of the nodes found, and lists them. */
function chooseBest(env: NodeEnvironment, search: NodeSearch): void {
  const found = search.foundCount;
  const slots = search.found;
  const totals = search.totals;
  const list = search.ties;
  const order = env.order;
  let bestTotal = INFEASIBLE;
  let ties = 0;
  let first = -1;
  let root = -1;
  let rootRank = 0;
  for (let rank = 0; rank < found; rank++) {
    const total = i32At(totals, rank);
    if (total < bestTotal) continue;
    const slot = i32At(slots, rank);
    if (total > bestTotal) {
      bestTotal = total;
      ties = 0;
      first = slot;
      root = slot;
      rootRank = rank + 1;
    } else {
      if (i32At(order, slot) < i32At(order, first)) first = slot;
      if (isBeforeInPreOrder(rank + 1, rootRank)) {
        root = slot;
        rootRank = rank + 1;
      }
    }
    store<i32>(list + (usize(ties) << 2), slot);
    ties++;
  }
  search.bestTotal = bestTotal;
  search.tieCount = ties;
  search.first = first;
  search.root = root;
}

/** The best of the nodes that a search finds by the totals in the rows, without a list of all of them. */
function searchRows(env: NodeEnvironment, block: TotalsBlock, column: i32, search: NodeSearch): void {
  const rows = block.rows + (usize(column) << 1);
  const snapshotOrder = search.snapshotOrder;
  const order = env.order;
  const list = search.ties;
  const count = search.count;
  const wanted = search.wanted;
  let bestTotal = 0;
  let ties = 0;
  let first = -1;
  let root = -1;
  let rootRank = 0;
  let found = 0;
  let position = search.start;
  let i = 0;
  for (; i < count; i++) {
    const slot = i32At(snapshotOrder, position);
    position++;
    if (position == count) position = 0;
    const total = i32(load<i16>(rows + usize(slot) * ROW_BYTES));
    if (total < 0) continue;
    if (found == wanted) break;
    found++;
    if (total < bestTotal) continue;
    if (total > bestTotal || ties == 0) {
      bestTotal = total;
      ties = 0;
      first = slot;
      root = slot;
      rootRank = found;
    } else {
      if (i32At(order, slot) < i32At(order, first)) first = slot;
      if (isBeforeInPreOrder(found, rootRank)) {
        root = slot;
        rootRank = found;
      }
    }
    store<i32>(list + (usize(ties) << 2), slot);
    ties++;
  }
  search.bestTotal = found == 0 ? INFEASIBLE : bestTotal;
  search.tieCount = ties;
  search.first = first;
  search.root = root;
  search.foundCount = found;
  search.processed = i;
}

/**
 * Searches for a pod of the column, whose block must be up to date and normalised. `scores` is 0 if no score is
 * normalised; scores of a single node do not matter.
 */
export function searchNodes(
  env: NodeEnvironment,
  block: TotalsBlock,
  column: i32,
  scores: usize,
  search: NodeSearch,
): void {
  if (search.ruleCount + search.spreadCount + search.affinityCount == 0) {
    searchRows(env, block, column, search);
    if (scores == 0 || search.foundCount < 2) return;
    if (hasMaxima(block, column, search, changetype<WindowScores>(scores), search.processed)) return;
  }
  find(block, column, search);
  if (search.foundCount > 1) {
    if (scores != 0) correctTotals(block, column, search, changetype<WindowScores>(scores));
    if (search.spreadCount > 0) addSpread(search);
    if (search.affinityCount > 0) addAffinity(search);
  }
  chooseBest(env, search);
}

/**
 * Places pods one after the other as `placePods` does, each by a search that begins where the one before ended. The
 * third word of a queued pod is the pointer to its window scores.
 */
export function placeBySearch(
  env: NodeEnvironment,
  pods: usize,
  count: i32,
  out: usize,
  search: NodeSearch,
): i32 {
  for (let i = 0; i < count; i++) {
    const queued = pods + usize(i) * QUEUED_BYTES;
    const pod = load<u32>(queued);
    const block = changetype<TotalsBlock>(usize(pod & ~COLUMN_MASK));
    const column = i32(pod & COLUMN_MASK);
    const only = load<i32>(queued, 4);
    if (!syncBlock(env, block)) {
      env.stopReason = STOP_STALE;
      return i;
    }
    const scores = load<u32>(queued, 8);
    // No node that is found may have more than the maxima of the rows.
    if (only < 0 && scores != 0 && block.dirty & (1 << column)) {
      env.stopReason = STOP_NORMALIZE;
      return i;
    }
    let slot = only;
    let total: i32;
    if (only >= 0) {
      total = i32(load<i16>(block.rows + usize(only) * ROW_BYTES + (usize(column) << 1)));
      search.foundCount = 1;
      search.processed = 1;
    } else {
      searchNodes(env, block, column, scores, search);
      total = search.bestTotal;
      slot = search.isUpstream ? search.root : search.first;
    }
    if (total < 0) {
      env.stopReason = STOP_INFEASIBLE;
      return i;
    }
    const result = out + usize(i) * RESULT_BYTES;
    store<i32>(result, slot);
    store<i32>(result, total, 4);
    store<i32>(result, search.foundCount, 8);
    search.start = (search.start + search.processed) % search.count;
    chargeNode(env, block, column, slot);
  }
  env.stopReason = STOP_NONE;
  return count;
}
