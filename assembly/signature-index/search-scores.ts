/** The scores that depend on which nodes a search has found: normalised ones, and those that count other pods. */
import { DomainTerm, NodeSearch, SCORE_BYTES, TERM_BYTES, WindowScore, WindowScores, i32At } from './search-record';
import { ROW_BYTES, TotalsBlock, verdictIdOf } from './layout';

const MAX_SCORE: f64 = 100;
/** A correction that is not computed yet, which no correction can be. */
const UNKNOWN_BYTE: u8 = 0x80;
const UNKNOWN: i32 = -0x7f7f7f80;

@inline
function add(search: NodeSearch, rank: i32, score: i32): void {
  const at = search.totals + (usize(rank) << 2);
  store<i32>(at, load<i32>(at) + score);
}

/** A raw score from 0 to `maximum`, or above, as 0..100. */
function normalized(raw: i32, maximum: i32, isReverse: i32): i32 {
  if (maximum == 0) return isReverse ? i32(MAX_SCORE) : min(raw, i32(MAX_SCORE));
  const score = i32(trunc((f64(min(raw, maximum)) * MAX_SCORE) / f64(maximum)));
  return isReverse ? i32(MAX_SCORE) - score : score;
}

/**
 * Whether the nodes from the search's begin on, of which `processed` were looked at, have the maxima of the rows: then
 * the totals in the rows are right.
 */
export function hasMaxima(
  block: TotalsBlock,
  column: i32,
  search: NodeSearch,
  scores: WindowScores,
  processed: i32,
): bool {
  const rows = block.rows + (usize(column) << 1);
  const first = changetype<usize>(scores) + offsetof<WindowScores>();
  const end = first + usize(scores.scoreCount) * SCORE_BYTES;
  const snapshotOrder = search.snapshotOrder;
  const count = search.count;
  for (let at = first; at < end; at += SCORE_BYTES) {
    const score = changetype<WindowScore>(at);
    const raw = score.raw;
    const maximum = score.maximum;
    let position = search.start;
    let left = maximum == 0 ? 0 : processed;
    for (; left > 0; left--) {
      const slot = i32At(snapshotOrder, position);
      position++;
      if (position == count) position = 0;
      if (load<i16>(rows + usize(slot) * ROW_BYTES) < 0) continue;
      if (load<i32>(raw + (verdictIdOf(block, column, slot) << 2)) == maximum) break;
    }
    if (maximum != 0 && left == 0) return false;
  }
  return true;
}

/** Corrects totals whose scores are normalised by the maxima of other nodes than those found. */
export function correctTotals(block: TotalsBlock, column: i32, search: NodeSearch, scores: WindowScores): void {
  const first = changetype<usize>(scores) + offsetof<WindowScores>();
  const end = first + usize(scores.scoreCount) * SCORE_BYTES;
  let isSame = true;
  for (let at = first; at < end; at += SCORE_BYTES) {
    const score = changetype<WindowScore>(at);
    let seen = 0;
    // No node has more than the largest maximum, so that the rest need not be looked at.
    for (let rank = 0; rank < search.foundCount && seen != score.maximum; rank++) {
      const id = verdictIdOf(block, column, i32At(search.found, rank));
      seen = max(seen, load<i32>(score.raw + (id << 2)));
    }
    score.seen = seen;
    if (seen != score.maximum) isSame = false;
  }
  if (isSame) return;
  memory.fill(scores.corrections, UNKNOWN_BYTE, usize(scores.idCount) << 2);
  for (let rank = 0; rank < search.foundCount; rank++) {
    const id = verdictIdOf(block, column, i32At(search.found, rank)) << 2;
    let correction = load<i32>(scores.corrections + id);
    if (correction == UNKNOWN) {
      correction = 0;
      for (let at = first; at < end; at += SCORE_BYTES) {
        const score = changetype<WindowScore>(at);
        const raw = load<i32>(score.raw + id);
        const now = normalized(raw, score.seen, score.isReverse);
        correction += score.weight * (now - normalized(raw, score.maximum, score.isReverse));
      }
      store<i32>(scores.corrections + id, correction);
    }
    add(search, rank, correction);
  }
}

/** The number of domains in which nodes were found. */
function domainsFound(search: NodeSearch, term: DomainTerm): i32 {
  if (term.isByNode || term.flag) return search.foundCount;
  memory.fill(search.marks, 0, usize(term.domainCount));
  let domains = 0;
  for (let rank = 0; rank < search.foundCount; rank++) {
    const mark = search.marks + usize(i32At(term.domains, i32At(search.found, rank)));
    if (load<u8>(mark) != 0) continue;
    store<u8>(mark, 1);
    domains++;
  }
  return domains;
}

@inline
function rawPointer(search: NodeSearch, rank: i32): usize {
  return search.raw + (usize(rank) << 3);
}

/** PodTopologySpread's scores, where the least raw score is best. */
export function addSpread(search: NodeSearch): void {
  const found = search.foundCount;
  const list = search.found;
  const raws = search.raw;
  let at = search.spread;
  for (let index = 0; index < search.spreadCount; index++, at += TERM_BYTES) {
    const term = changetype<DomainTerm>(at);
    const logarithm = load<f64>(search.logarithms + (usize(domainsFound(search, term)) << 3));
    const domains = term.domains;
    const counts = term.counts;
    const isByNode = term.isByNode;
    const skew = f64(term.least);
    for (let rank = 0; rank < found; rank++) {
      const raw = raws + (usize(rank) << 3);
      const slot = i32At(list, rank);
      const pods = i32At(counts, isByNode ? slot : i32At(domains, slot));
      const score = f64(pods) * logarithm + skew;
      store<f64>(raw, index == 0 ? score : load<f64>(raw) + score);
    }
  }
  let least = f64.MAX_VALUE;
  let most: f64 = 0;
  for (let rank = 0; rank < found; rank++) {
    const raw = load<f64>(raws + (usize(rank) << 3));
    let whole = trunc(raw);
    // Halves are rounded away from 0, and no raw score is negative.
    if (raw - whole >= 0.5) whole += 1;
    store<f64>(raws + (usize(rank) << 3), whole);
    least = min(least, whole);
    most = max(most, whole);
  }
  const weight = search.spreadWeight;
  const totals = search.totals;
  for (let rank = 0; rank < found; rank++) {
    const raw = load<f64>(raws + (usize(rank) << 3));
    const score = most == 0 ? MAX_SCORE : trunc((MAX_SCORE * (most + least - raw)) / most);
    const total = totals + (usize(rank) << 2);
    store<i32>(total, load<i32>(total) + weight * i32(score));
  }
}

/** InterPodAffinity's scores, where the most raw score is best. */
export function addAffinity(search: NodeSearch): void {
  const found = search.foundCount;
  const list = search.found;
  const raws = search.raw;
  memory.fill(raws, 0, usize(found) << 3);
  let at = search.affinity;
  for (let left = search.affinityCount; left > 0; left--, at += TERM_BYTES) {
    const term = changetype<DomainTerm>(at);
    const domains = term.domains;
    const counts = term.counts;
    const isByNode = term.isByNode;
    const weight = f64(term.least);
    for (let rank = 0; rank < found; rank++) {
      const slot = i32At(list, rank);
      const domain = i32At(domains, slot);
      if (domain < 0) continue;
      const pods = i32At(counts, isByNode ? slot : domain);
      if (pods <= 0) continue;
      const raw = raws + (usize(rank) << 3);
      store<f64>(raw, load<f64>(raw) + f64(pods) * weight);
    }
  }
  let least = f64.MAX_VALUE;
  let most = -f64.MAX_VALUE;
  for (let rank = 0; rank < found; rank++) {
    const raw = load<f64>(raws + (usize(rank) << 3));
    least = min(least, raw);
    most = max(most, raw);
  }
  const span = most - least;
  if (!(span > 0)) return;
  const weight = search.affinityWeight;
  const totals = search.totals;
  let last = least;
  let score = 0;
  for (let rank = 0; rank < found; rank++) {
    const raw = load<f64>(raws + (usize(rank) << 3));
    // Few raw scores differ, and a division costs more than to look.
    if (raw != last) {
      last = raw;
      score = weight * i32(trunc(MAX_SCORE * ((raw - least) / span)));
    }
    const total = totals + (usize(rank) << 2);
    store<i32>(total, load<i32>(total) + score);
  }
}
