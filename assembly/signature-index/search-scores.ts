/** The scores that depend on which nodes a search has found: normalised ones, and those of inter-pod affinity. */
import { DomainTerm, NodeSearch, SCORE_BYTES, TERM_BYTES, WindowScore, WindowScores, i32At } from './search-record';
import { TotalsBlock, verdictIdOf } from './layout';

export const MAX_SCORE: f64 = 100;
/** A correction that is not computed yet, which no correction can be. */
const UNKNOWN_BYTE: u8 = 0x80;
const UNKNOWN: i32 = -0x7f7f7f80;

@inline
export function add(search: NodeSearch, rank: i32, score: i32): void {
  const at = search.totals + (usize(rank) << 2);
  store<i32>(at, load<i32>(at) + score);
}

/** PodTopologySpread's raw score, of which the least is best. */
@inline
export function rounded(raw: f64): f64 {
  const whole = trunc(raw);
  // Halves are rounded away from 0, and no raw score is negative.
  return raw - whole >= 0.5 ? whole + 1 : whole;
}

@inline
export function spreadScore(raw: f64, least: f64, most: f64): i32 {
  return most == 0 ? i32(MAX_SCORE) : i32(trunc((MAX_SCORE * (most + least - raw)) / most));
}

/** A raw score from 0 to `maximum`, or above, as 0..100. */
function normalized(raw: i32, maximum: i32, isReverse: i32): i32 {
  if (maximum == 0) return isReverse ? i32(MAX_SCORE) : min(raw, i32(MAX_SCORE));
  const score = i32(trunc((f64(min(raw, maximum)) * MAX_SCORE) / f64(maximum)));
  return isReverse ? i32(MAX_SCORE) - score : score;
}

/** Whether the nodes that `look` has found have the maxima of the rows: then the totals in the rows are right. */
export function hasMaxima(block: TotalsBlock, column: i32, search: NodeSearch, scores: WindowScores): bool {
  const first = changetype<usize>(scores) + offsetof<WindowScores>();
  const end = first + usize(scores.scoreCount) * SCORE_BYTES;
  const snapshotOrder = search.snapshotOrder;
  const seen = search.seen;
  const count = search.count;
  const processed = search.processed;
  for (let at = first; at < end; at += SCORE_BYTES) {
    const score = changetype<WindowScore>(at);
    const raw = score.raw;
    const maximum = score.maximum;
    if (maximum == 0) continue;
    let position = search.start;
    let i = 0;
    for (; i < processed; i++) {
      const slot = i32At(snapshotOrder, position);
      position++;
      if (position == count) position = 0;
      if (load<i16>(seen + (usize(i) << 1)) < 0) continue;
      if (load<i32>(raw + (verdictIdOf(block, column, slot) << 2)) == maximum) break;
    }
    if (i == processed) return false;
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

/** InterPodAffinity's scores, where the most raw score is best. */
export function addAffinity(search: NodeSearch): void {
  if (!addAffinityByDomain(search)) addAffinityByNode(search);
}

/**
 * The scores by terms with one topology key, where the nodes of a domain have the same score. Returns false if the
 * terms are others, or if there are as many domains as nodes.
 */
function addAffinityByDomain(search: NodeSearch): bool {
  const found = search.foundCount;
  const terms = search.affinity;
  const end = terms + usize(search.affinityCount) * TERM_BYTES;
  const domains = changetype<DomainTerm>(terms).domains;
  const domainCount = changetype<DomainTerm>(terms).domainCount;
  if (domainCount >= found) return false;
  for (let at = terms; at < end; at += TERM_BYTES) {
    const term = changetype<DomainTerm>(at);
    if (term.isByNode || term.domains != domains) return false;
  }
  // Place 0 is that of nodes without a domain, whose raw score is 0. NaN stands where no node was found.
  const raws = search.raw;
  const places = search.ties;
  memory.fill(raws, 0xff, usize(domainCount + 1) << 3);
  const slots = search.found;
  let least = f64.MAX_VALUE;
  let most = -f64.MAX_VALUE;
  for (let rank = 0; rank < found; rank++) {
    const place = i32At(domains, i32At(slots, rank)) + 1;
    store<i32>(places + (usize(rank) << 2), place);
    const at = raws + (usize(place) << 3);
    const known = load<f64>(at);
    if (known == known) continue;
    const raw = place == 0 ? 0 : rawOfDomain(terms, end, place - 1);
    store<f64>(at, raw);
    least = min(least, raw);
    most = max(most, raw);
  }
  const span = most - least;
  if (!(span > 0)) return true;
  const weight = search.affinityWeight;
  for (let place = 0; place <= domainCount; place++) {
    const at = raws + (usize(place) << 3);
    const raw = load<f64>(at);
    if (raw == raw) store<i32>(at, weight * i32(trunc(MAX_SCORE * ((raw - least) / span))));
  }
  for (let rank = 0; rank < found; rank++) {
    add(search, rank, load<i32>(raws + (usize(i32At(places, rank)) << 3)));
  }
  return true;
}

function rawOfDomain(terms: usize, end: usize, domain: i32): f64 {
  let raw: f64 = 0;
  for (let at = terms; at < end; at += TERM_BYTES) {
    const term = changetype<DomainTerm>(at);
    const pods = i32At(term.counts, domain);
    if (pods > 0) raw += f64(pods) * f64(term.least);
  }
  return raw;
}

function addAffinityByNode(search: NodeSearch): void {
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
