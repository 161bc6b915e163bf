/**
 * A search of a part of the nodes: the records that src/engine/index/node-search-record.ts and window-scores.ts write.
 */

/** A search, and what it found. */
@unmanaged
export class NodeSearch {
  snapshotOrder: usize;
  /** The number of slots in snapshot order. */
  count: i32;
  /** The position in snapshot order where the search begins. */
  start: i32;
  /** The search ends at the next feasible node after so many. */
  wanted: i32;
  /** 1: upstream's choice among ties, 0: the earliest, in a run. */
  isUpstream: i32;
  /** i32 lists with room for all slots: ties, nodes found, and their totals; f64 raw scores of these. */
  ties: usize;
  found: usize;
  totals: usize;
  raw: usize;
  /** i16 totals of the nodes that were looked at, INFEASIBLE where a rule rejects the node. */
  seen: usize;
  /** i32 position in snapshot order by slot; -1 for a slot without a node. */
  positions: usize;
  /** f64 logarithms of 2, 3, 4, ... */
  logarithms: usize;
  /** Room for a byte by domain. */
  marks: usize;
  /** Lists of records, and their lengths. */
  rules: usize;
  ruleCount: i32;
  spread: usize;
  spreadCount: i32;
  spreadWeight: i32;
  affinity: usize;
  affinityCount: i32;
  affinityWeight: i32;
  /** Results: the best total, the number of ties, the earliest tie and upstream's choice. */
  bestTotal: i32;
  tieCount: i32;
  first: i32;
  root: i32;
  /** Results: the number of nodes found, and of those looked at. */
  foundCount: i32;
  processed: i32;
  /** Where the root of the ties stands in pre-order. */
  rootKey: u32;
  /** What becomes of nodes that lack the topology key of a spread constraint: one of the KEYLESS numbers. */
  keyless: i32;
  /** The number of nodes that PodTopologySpread scores, as it counts them. */
  scored: i32;
}

/** There are no such nodes; they are scored by the other constraints; they are not scored. */
export const KEYLESS_NONE: i32 = 0;
export const KEYLESS_SCORED: i32 = 1;
export const KEYLESS_IGNORED: i32 = 2;

/** A count of pods by domain, or by node, with what a rule or a score makes of it. */
@unmanaged
export class DomainTerm {
  /** i32 domain of each slot, -1 for none. */
  domains: usize;
  /** i32 pods by domain; by slot if `isByNode`. */
  counts: usize;
  isByNode: i32;
  /** `least` and `most` are the bounds of a rule; `least` of a score is its weight, or its maxSkew less 1. */
  least: i32;
  most: i32;
  /** The flag of a rule says if nodes without a domain fit; that of a spread constraint, if no two share a domain. */
  flag: i32;
  /** Domain numbers are below this. */
  domainCount: i32;
}

/** The totals of a signature in snapshot order, which follow its rows when they are searched. */
@unmanaged
export class OrderedTotals {
  /** i16 by position; INFEASIBLE as in the rows. */
  totals: usize;
  /** The signature's window scores; 0 if no score is normalised. */
  scores: usize;
  /** How far in the log of nodes the totals are; -1 if all of them have to be read from the rows. */
  cursor: i64;
}

/** The plugins of a signature whose scores are normalised by the maximum of the nodes found. */
@unmanaged
export class WindowScores {
  scoreCount: i32;
  /** i32 by verdict id: what a search adds to totals. */
  corrections: usize;
  /** Verdict ids are below this number. */
  idCount: i32;
}

/** One of these plugins. */
@unmanaged
export class WindowScore {
  /** i32 raw scores by verdict id. */
  raw: usize;
  weight: i32;
  isReverse: i32;
  /** The maximum by which the totals in the rows are normalised. */
  maximum: i32;
  /** The maximum of the nodes found. */
  seen: i32;
}

/** A `WindowScores` is followed by its records. */
export const TERM_BYTES: usize = offsetof<DomainTerm>();
export const SCORE_BYTES: usize = offsetof<WindowScore>();

@inline
export function i32At(list: usize, index: i32): i32 {
  return load<i32>(list + (usize(index) << 2));
}
