/**
 * A run of pods with topology rules: the records that src/engine/topology-run/run-records.ts writes. All fields have
 * four bytes.
 */

/** An entry that no node of the bucket has had yet, so that the host has to make it. */
export const NO_ENTRY: i32 = 65535;
export const NO_DOMAIN: i32 = -1;
/** The bounds of a rule: constant; from the least count of all domains on; or none for the first pod of a group. */
export const BOUND_FIXED: i32 = 0;
export const BOUND_SPREAD: i32 = 1;
export const BOUND_GROUP: i32 = 2;

/** What all pods of a run share. */
@unmanaged
export class TopologyRun {
  /** The records of the pods that are alike, one after the other. */
  members: usize;
  /** f64 logarithms of 2, 3, 4, ... */
  logarithms: usize;
  /** Room for numbers of buckets, and for f64 sums and raw scores of these. */
  candidates: usize;
  sums: usize;
  raws: usize;
  /** The search that finds nodes; 0 if all are compared. */
  search: usize;
}

/** Pods that are alike: their rules and scores, and what they change when they are placed. */
@unmanaged
export class RunMember {
  /** The sorted nodes; 0 for pods without rules or that are searched for, whose totals column is `column`. */
  nodes: usize;
  rules: usize;
  ruleCount: i32;
  spread: usize;
  spreadCount: i32;
  spreadWeight: i32;
  affinity: usize;
  affinityCount: i32;
  affinityWeight: i32;
  /** Counts by node that such a pod raises. */
  raised: usize;
  raisedCount: i32;
  /** Counts by domain. */
  sums: usize;
  sumCount: i32;
  /** Pointers to the sorted nodes among which the pod may move its node to another bucket. */
  followers: usize;
  followerCount: i32;
  /** The reference to a totals column, and the totals in snapshot order for searches. */
  column: u32;
  ordered: usize;
  /** The rules and scores as searches read them, as many as above. */
  foundRules: usize;
  foundSpread: usize;
  foundAffinity: usize;
  /** The nodes that the totals column leaves to be excluded; 0 if there are none. */
  excluded: usize;
  /** How many of the first so many of these would be feasible, as of a number of flips of the block. */
  heldNodes: i32;
  heldLength: i32;
  heldFlips: i32;
  /** The `Excluder` records of the excluded nodes to which a pod may add its node. */
  excluders: usize;
  excluderCount: i32;
}

/** Nodes with a pod that excludes the pods of a member. */
@unmanaged
export class ExcludedNodes {
  /** A bit by slot, set for excluded nodes. */
  bits: usize;
  /** i32 slots of the excluded nodes, each once. */
  slots: usize;
  length: i32;
  /** The most slots of which the list has room. */
  room: i32;
  /** The number of excluded nodes that searches have looked at. */
  skipped: i32;
}

/** Says that pods of a member exclude others from their nodes. */
@unmanaged
export class Excluder {
  nodes: usize;
  /** i32 by slot: the domains of the count; a node without one is not excluded. */
  domains: usize;
}

/** The nodes of a signature, sorted into topology buckets. */
@unmanaged
export class SortedNodes {
  /** u16 by slot: the entry, and the verdict id from which it follows. */
  ids: usize;
  verdictIds: usize;
  bucketCount: i32;
  /** u32 by bucket: the reference to its totals column. */
  columns: usize;
  /** i32 by bucket: a domain for each shared topology key, then the number of pods for each count by node. */
  rows: usize;
  keyCount: i32;
  /** Pointers to the i32 domains of these keys by slot. */
  keys: usize;
  countCount: i32;
  counts: usize;
  /** Counts by node of which any pod rejects the node. */
  exclusionCount: i32;
  exclusions: usize;
  /** u16 by bucket and verdict id: the entry of such nodes, 0 if they are rejected. */
  entries: usize;
  verdictCount: i32;
  /** Pointers to the blocks of the columns. */
  blocks: usize;
  blockCount: i32;
  /** 1: a node belongs into a bucket that the host has to make. */
  isIncomplete: i32;
  /** 1: columns count feasible nodes by entry, because some scores are normalised by feasible nodes. */
  isCounting: i32;
  /** i32 by normalised score, then by verdict id, and the largest of feasible nodes for which the totals hold. */
  raws: usize;
  maxima: usize;
  rawCount: i32;
  /** 1: the maxima were perhaps computed while rules left out some buckets. */
  hadRules: i32;
}

/** A count of pods that differs from node to node. */
@unmanaged
export class NodeCount {
  domains: usize;
  /** i32 by slot if `isByNode`, by domain otherwise. */
  counts: usize;
  isByNode: i32;
}

/** A rule or a score, of the nodes of a bucket. */
@unmanaged
export class RunTerm {
  /** Where the row of a bucket has the domain or the count. */
  place: i32;
  /** i32 by domain; 0 if the row has the count. */
  counts: usize;
  /** The weight of a score, or its maxSkew less 1. */
  weight: i32;
  /** Whether a rule accepts buckets without a domain, and the bounds of the number of pods. */
  absentFits: i32;
  bound: i32;
  least: i32;
  /** With BOUND_SPREAD, how many more pods than in the domain with the fewest. */
  most: i32;
  /** The counts and numbers of members of the domains that are compared; 0 if there are too few domains. */
  compared: usize;
  members: usize;
  domainCount: i32;
  /** Pointers to the totals of the group; there is no bound while all are 0. */
  totals: usize;
  totalCount: i32;
}

@unmanaged
export class RaisedCount {
  counts: usize;
  pods: i32;
}

@unmanaged
export class RaisedSum {
  /** i32 by slot: the domain that counts the pods of the node. */
  homes: usize;
  counts: usize;
  /** The sum of the counts, of this run alone. */
  total: usize;
  pods: i32;
}

export const MEMBER_BYTES: usize = offsetof<RunMember>();
export const TERM_BYTES: usize = offsetof<RunTerm>();
export const EXCLUDER_BYTES: usize = offsetof<Excluder>();
export const COUNT_BYTES: usize = offsetof<NodeCount>();
export const RAISED_BYTES: usize = offsetof<RaisedCount>();
export const SUM_BYTES: usize = offsetof<RaisedSum>();

@inline
export function i32At(list: usize, index: i32): i32 {
  return load<i32>(list + (usize(index) << 2));
}

/** The number of pods of a `NodeCount` on a node; -1 if it is in no domain. */
@inline
export function countOn(at: usize, slot: i32): i32 {
  const count = changetype<NodeCount>(at);
  const domain = i32At(count.domains, slot);
  if (domain == NO_DOMAIN) return -1;
  return i32At(count.counts, count.isByNode ? slot : domain);
}

/** The entry of nodes with a verdict id in a bucket; 0 if they are rejected. */
@inline
export function entryAt(nodes: SortedNodes, bucket: i32, verdictId: i32): i32 {
  return i32(load<u16>(nodes.entries + (usize(bucket * nodes.verdictCount + verdictId) << 1)));
}

@inline
export function pointerAt(list: usize, index: i32): usize {
  return load<usize>(list + (usize(index) << 2));
}
