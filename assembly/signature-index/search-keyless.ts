/** The scores of PodTopologySpread where some nodes lack the topology key of a constraint. */
import { DomainTerm, KEYLESS_IGNORED, KEYLESS_SCORED, NodeSearch, TERM_BYTES, i32At } from './search-record';
import { add, rounded, spreadScore } from './search-scores';

@inline
function rawAt(search: NodeSearch, rank: i32): f64 {
  return load<f64>(search.raw + (usize(rank) << 3));
}

@inline
function setRaw(search: NodeSearch, rank: i32, raw: f64): void {
  store<f64>(search.raw + (usize(rank) << 3), raw);
}

/** Whether the node at the rank is scored; NaN stands for the raw score of one that is not. */
@inline
function isScored(search: NodeSearch, rank: i32): bool {
  const raw = rawAt(search, rank);
  return raw == raw;
}

/** Stores 0 as the raw score of the nodes that are scored. Returns their number. */
function markScored(search: NodeSearch): i32 {
  const found = search.foundCount;
  const end = search.spread + usize(search.spreadCount) * TERM_BYTES;
  let scored = 0;
  for (let rank = 0; rank < found; rank++) {
    const slot = i32At(search.found, rank);
    let hasKeys = true;
    if (search.keyless == KEYLESS_IGNORED) {
      for (let at = search.spread; at < end; at += TERM_BYTES) {
        if (i32At(changetype<DomainTerm>(at).domains, slot) < 0) hasKeys = false;
      }
    }
    setRaw(search, rank, hasKeys ? 0 : NaN);
    scored += i32(hasKeys);
  }
  return scored;
}

/** The number of domains of scored nodes, among which nodes without the key are one. */
function domainsScored(search: NodeSearch, term: DomainTerm): i32 {
  const found = search.foundCount;
  memory.fill(search.marks, 0, usize(term.domainCount));
  let domains = 0;
  let hasKeyless = false;
  for (let rank = 0; rank < found; rank++) {
    if (!isScored(search, rank)) continue;
    const domain = i32At(term.domains, i32At(search.found, rank));
    if (domain < 0) {
      hasKeyless = true;
      continue;
    }
    const mark = search.marks + usize(domain);
    if (load<u8>(mark) != 0) continue;
    store<u8>(mark, 1);
    domains++;
  }
  return domains + i32(hasKeyless && search.keyless == KEYLESS_SCORED);
}

/** As `addSpread`. A constraint adds nothing to nodes without its key. */
export function addSpreadWhereKeysLack(search: NodeSearch): void {
  const found = search.foundCount;
  const scored = markScored(search);
  let at = search.spread;
  for (let left = search.spreadCount; left > 0; left--, at += TERM_BYTES) {
    const term = changetype<DomainTerm>(at);
    const domains = term.domains;
    const counts = term.counts;
    const isByNode = term.isByNode;
    const size = isByNode ? scored : domainsScored(search, term);
    const logarithm = load<f64>(search.logarithms + (usize(size) << 3));
    const skew = f64(term.least);
    for (let rank = 0; rank < found; rank++) {
      const slot = i32At(search.found, rank);
      const domain = i32At(domains, slot);
      if (domain < 0) continue;
      const pods = i32At(counts, isByNode ? slot : domain);
      // What is added to NaN stays NaN.
      setRaw(search, rank, rawAt(search, rank) + (f64(pods) * logarithm + skew));
    }
  }
  let least = f64.MAX_VALUE;
  let most: f64 = 0;
  for (let rank = 0; rank < found; rank++) {
    if (!isScored(search, rank)) continue;
    const raw = rounded(rawAt(search, rank));
    setRaw(search, rank, raw);
    least = min(least, raw);
    most = max(most, raw);
  }
  const weight = search.spreadWeight;
  let last = least;
  let score = weight * spreadScore(least, least, most);
  for (let rank = 0; rank < found; rank++) {
    if (!isScored(search, rank)) continue;
    const raw = rawAt(search, rank);
    // Few raw scores differ, and a division costs more than to look.
    if (raw != last) {
      last = raw;
      score = weight * spreadScore(raw, least, most);
    }
    add(search, rank, score);
  }
}
