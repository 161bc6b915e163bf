/**
 * Decisions about the part of the nodes that a search finds: scores are normalised over these nodes, and rules of
 * topology spread and inter-pod affinity are counts by domain.
 */
import {
  NodeEnvironment,
  STOP_INFEASIBLE,
  STOP_NONE,
  STOP_NORMALIZE,
  STOP_STALE,
  TotalsBlock,
} from './layout';
import { chooseListed, chooseSeen, countTies } from './search-best';
import { followRows, listFound, look } from './search-look';
import { NodeSearch, OrderedTotals, WindowScores } from './search-record';
import { addAffinity, correctTotals, hasMaxima } from './search-scores';
import { addSpread } from './search-spread';
import { COLUMN_MASK, QUEUED_BYTES, RESULT_BYTES, chargeNode, totalAt } from './place';
import { syncBlock } from './sync';

/** Searches for a pod of the column, whose block must be up to date and normalised, and counts ties. */
export function searchNodes(
  env: NodeEnvironment,
  block: TotalsBlock,
  column: i32,
  ordered: OrderedTotals,
  search: NodeSearch,
): void {
  if (find(env, block, column, ordered, search) && search.isUpstream && search.bestTotal >= 0) countTies(search);
}

/** As `searchNodes`; returns whether the best was chosen by the totals alone, so that ties may not be counted. */
function find(
  env: NodeEnvironment,
  block: TotalsBlock,
  column: i32,
  ordered: OrderedTotals,
  search: NodeSearch,
): bool {
  followRows(env, block, column, ordered, search);
  look(ordered, search);
  // Scores of a single node do not matter.
  const scores = search.foundCount > 1 ? ordered.scores : 0;
  if (search.spreadCount + search.affinityCount == 0) {
    if (scores == 0 || hasMaxima(block, column, search, changetype<WindowScores>(scores))) {
      chooseSeen(env, search);
      return true;
    }
  }
  listFound(search);
  if (search.foundCount > 1) {
    if (scores != 0) correctTotals(block, column, search, changetype<WindowScores>(scores));
    if (search.spreadCount > 0) addSpread(search);
    if (search.affinityCount > 0) addAffinity(search);
  }
  chooseListed(env, search);
  return false;
}

/**
 * Places a pod of the column by a search, or on the slot `only` if it is not -1. Returns the slot; -1 if something has
 * to be decided outside, with the reason in the environment. `result` takes slot, total and number of nodes found.
 */
export function placeFound(
  env: NodeEnvironment,
  reference: u32,
  only: i32,
  ordered: OrderedTotals,
  result: usize,
  search: NodeSearch,
): i32 {
  const block = changetype<TotalsBlock>(usize(reference & ~COLUMN_MASK));
  const column = i32(reference & COLUMN_MASK);
  if (!syncBlock(env, block)) {
    env.stopReason = STOP_STALE;
    return -1;
  }
  // No node that is found may have more than the maxima of the rows.
  if (only < 0 && ordered.scores != 0 && block.dirty & (1 << column)) {
    env.stopReason = STOP_NORMALIZE;
    return -1;
  }
  let slot = only;
  let total: i32;
  if (only >= 0) {
    total = totalAt(block, column, only);
    search.foundCount = 1;
    search.processed = 1;
  } else {
    find(env, block, column, ordered, search);
    total = search.bestTotal;
    slot = search.isUpstream ? search.root : search.first;
  }
  if (total < 0) {
    env.stopReason = STOP_INFEASIBLE;
    return -1;
  }
  store<i32>(result, slot);
  store<i32>(result, total, 4);
  store<i32>(result, search.foundCount, 8);
  search.start = (search.start + search.processed) % search.count;
  chargeNode(env, block, column, slot);
  return slot;
}

/**
 * Places pods one after the other as `placePods` does, each by a search that begins where the one before ended. The
 * third word of a queued pod is the pointer to its totals in snapshot order.
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
    const ordered = changetype<OrderedTotals>(load<u32>(queued, 8));
    const result = out + usize(i) * RESULT_BYTES;
    if (placeFound(env, load<u32>(queued), load<i32>(queued, 4), ordered, result, search) < 0) return i;
  }
  env.stopReason = STOP_NONE;
  return count;
}
