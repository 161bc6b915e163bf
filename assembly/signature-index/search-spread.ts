/** The scores of PodTopologySpread for the nodes that a search has found. */
import { DomainTerm, KEYLESS_IGNORED, KEYLESS_NONE, NodeSearch, TERM_BYTES, i32At } from './search-record';
import { addSpreadWhereKeysLack } from './search-keyless';
import { add, rounded, spreadScore } from './search-scores';

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
function logarithmOf(search: NodeSearch, term: DomainTerm): f64 {
  return load<f64>(search.logarithms + (usize(domainsFound(search, term)) << 3));
}

/** PodTopologySpread's scores. */
export function addSpread(search: NodeSearch): void {
  const first = changetype<DomainTerm>(search.spread);
  const second = changetype<DomainTerm>(search.spread + TERM_BYTES);
  const hasKeys = search.keyless == KEYLESS_NONE;
  if (search.spreadCount == 1 && hasKeys && addSpreadByCount(search, first)) return;
  if (search.spreadCount == 2 && addSpreadByPair(search, first, second)) return;
  if (hasKeys) addSpreadByNode(search);
  else addSpreadWhereKeysLack(search);
}

/**
 * The scores by one constraint: as raw scores grow with the number of pods, each number has its score, which is
 * computed once. Returns false if there are too many numbers.
 */
function addSpreadByCount(search: NodeSearch, term: DomainTerm): bool {
  const found = search.foundCount;
  const slots = search.found;
  const numbers = search.ties;
  const domains = term.domains;
  const counts = term.counts;
  const isByNode = term.isByNode;
  let fewest = i32.MAX_VALUE;
  let largest = i32.MIN_VALUE;
  for (let rank = 0; rank < found; rank++) {
    const slot = i32At(slots, rank);
    const pods = i32At(counts, isByNode ? slot : i32At(domains, slot));
    store<i32>(numbers + (usize(rank) << 2), pods);
    fewest = min(fewest, pods);
    largest = max(largest, pods);
  }
  if (i64(largest) - i64(fewest) >= i64(found)) return false;
  const logarithm = logarithmOf(search, term);
  const skew = f64(term.least);
  const least = rounded(f64(fewest) * logarithm + skew);
  const most = rounded(f64(largest) * logarithm + skew);
  const weight = search.spreadWeight;
  const scores = search.raw;
  for (let pods = fewest; pods <= largest; pods++) {
    const raw = rounded(f64(pods) * logarithm + skew);
    store<i32>(scores + (usize(pods - fewest) << 2), weight * spreadScore(raw, least, most));
  }
  for (let rank = 0; rank < found; rank++) {
    add(search, rank, i32At(scores, i32At(numbers, rank) - fewest));
  }
  return true;
}

/** Whether nodes share the domains of a constraint. */
@inline
function isShared(term: DomainTerm): bool {
  return !term.isByNode && !term.flag;
}

/**
 * The scores by two constraints, such as hosts and zones: few nodes differ in both numbers of pods, and each pair of
 * numbers has its score, which is computed once. Of a constraint with shared domains the number is that of the domain.
 * Returns false if neither is such a constraint, or if there are too many pairs.
 */
function addSpreadByPair(search: NodeSearch, first: DomainTerm, second: DomainTerm): bool {
  const isReversed = !isShared(second);
  if (isReversed && !isShared(first)) return false;
  const high = isReversed ? second : first;
  const low = isReversed ? first : second;
  const end = numberPairs(search, high, low);
  if (end < 0) return false;
  const highLogarithm = logarithmOfPairs(search, high, low, end, true);
  const lowLogarithm = logarithmOfPairs(search, high, low, end, false);
  const size = placesOf(search, low);
  const raws = search.raw;
  let least = f64.MAX_VALUE;
  let most: f64 = 0;
  for (let pair = 0; pair < end; pair++) {
    const at = raws + (usize(pair) << 3);
    const known = load<f64>(at);
    if (known != known) continue;
    const number = pair % size;
    const highScore = f64(podsOf(high, pair / size)) * highLogarithm + f64(high.least);
    // The last place is that of nodes without the key, to which the constraint adds nothing.
    const lowScore = number == low.domainCount ? 0 : f64(podsOf(low, number)) * lowLogarithm + f64(low.least);
    const raw = rounded(highScore + lowScore);
    store<f64>(at, raw);
    least = min(least, raw);
    most = max(most, raw);
  }
  const weight = search.spreadWeight;
  for (let pair = 0; pair < end; pair++) {
    const at = raws + (usize(pair) << 3);
    const raw = load<f64>(at);
    if (raw == raw) store<i32>(at, weight * spreadScore(raw, least, most));
  }
  const found = search.foundCount;
  const numbers = search.ties;
  for (let rank = 0; rank < found; rank++) {
    const pair = i32At(numbers, rank);
    if (pair >= 0) add(search, rank, load<i32>(raws + (usize(pair) << 3)));
  }
  return true;
}

/** The number of domains, and of the place behind them for nodes without the key. */
@inline
function placesOf(search: NodeSearch, term: DomainTerm): i32 {
  return term.domainCount + i32(search.keyless != KEYLESS_NONE);
}

/**
 * Lists the pair of each node that was found, and stores 0 as the raw score of each pair, NaN for those that no node
 * has, and -1 instead of a pair for nodes that are not scored. Returns the number above all pairs; -1 if they are too
 * many, or if a node lacks the key of the first constraint.
 */
function numberPairs(search: NodeSearch, high: DomainTerm, low: DomainTerm): i32 {
  const found = search.foundCount;
  const slots = search.found;
  const numbers = search.ties;
  const size = placesOf(search, low);
  const keyless = search.keyless;
  const lowDomains = low.domains;
  const highDomains = high.domains;
  const counts = high.counts;
  const isByNode = high.isByNode;
  const isByDomain = isShared(high);
  // With more pairs, it costs less to compute the score of each node.
  const most = found >> 1;
  let largest = 0;
  let scored = found;
  for (let rank = 0; rank < found; rank++) {
    const slot = i32At(slots, rank);
    let lowDomain = i32At(lowDomains, slot);
    if (keyless != KEYLESS_NONE) {
      if (i32At(highDomains, slot) < 0) return -1;
      if (lowDomain < 0 && keyless == KEYLESS_IGNORED) {
        store<i32>(numbers + (usize(rank) << 2), -1);
        scored--;
        continue;
      }
      if (lowDomain < 0) lowDomain = low.domainCount;
    }
    const domain = isByNode ? slot : i32At(highDomains, slot);
    const number = isByDomain ? domain : i32At(counts, domain);
    const pair = i64(number) * i64(size) + i64(lowDomain);
    if (pair >= i64(most)) return -1;
    store<i32>(numbers + (usize(rank) << 2), i32(pair));
    largest = max(largest, i32(pair));
  }
  search.scored = scored;
  const raws = search.raw;
  memory.fill(raws, 0xff, usize(largest + 1) << 3);
  for (let rank = 0; rank < found; rank++) {
    const pair = i32At(numbers, rank);
    if (pair >= 0) store<f64>(raws + (usize(pair) << 3), 0);
  }
  return largest + 1;
}

/** The number of pods for which a number of a pair stands. */
@inline
function podsOf(term: DomainTerm, number: i32): i32 {
  return isShared(term) ? i32At(term.counts, number) : number;
}

/** As `logarithmOf`, for one of two constraints whose pairs have numbers. */
function logarithmOfPairs(search: NodeSearch, high: DomainTerm, low: DomainTerm, end: i32, isHigh: bool): f64 {
  const term = isHigh ? high : low;
  // No two nodes share a domain.
  if (!isShared(term)) return load<f64>(search.logarithms + (usize(search.scored) << 3));
  const marks = search.marks;
  const size = placesOf(search, low);
  memory.fill(marks, 0, usize(placesOf(search, term)));
  let domains = 0;
  for (let pair = 0; pair < end; pair++) {
    const raw = load<f64>(search.raw + (usize(pair) << 3));
    if (raw != raw) continue;
    const mark = marks + usize(isHigh ? pair / size : pair % size);
    if (load<u8>(mark) != 0) continue;
    store<u8>(mark, 1);
    domains++;
  }
  return load<f64>(search.logarithms + (usize(domains) << 3));
}

function addSpreadByNode(search: NodeSearch): void {
  const found = search.foundCount;
  const list = search.found;
  const raws = search.raw;
  let at = search.spread;
  for (let index = 0; index < search.spreadCount; index++, at += TERM_BYTES) {
    const term = changetype<DomainTerm>(at);
    const logarithm = logarithmOf(search, term);
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
    const at = raws + (usize(rank) << 3);
    const raw = rounded(load<f64>(at));
    store<f64>(at, raw);
    least = min(least, raw);
    most = max(most, raw);
  }
  const weight = search.spreadWeight;
  for (let rank = 0; rank < found; rank++) {
    add(search, rank, weight * spreadScore(load<f64>(raws + (usize(rank) << 3)), least, most));
  }
}
