/**
 * The records of a run of pods with topology rules, which run-records.ts writes; assembly/topology-run/records.ts reads
 * the same ones, and test/kernels/layout.test.ts compares them. All fields have four bytes, so that these are numbers
 * of words.
 */
export const RUN = { members: 0, logarithms: 1, candidates: 2, sums: 3, raws: 4, search: 5 } as const;
export const RUN_WORDS = 6;

export const MEMBER = {
  ...{ nodes: 0, rules: 1, ruleCount: 2 },
  ...{ spread: 3, spreadCount: 4, spreadWeight: 5 },
  ...{ affinity: 6, affinityCount: 7, affinityWeight: 8 },
  ...{ raised: 9, raisedCount: 10, sums: 11, sumCount: 12, followers: 13, followerCount: 14 },
  ...{ column: 15, ordered: 16, foundRules: 17, foundSpread: 18, foundAffinity: 19 },
  ...{ excluded: 20, heldNodes: 21, heldLength: 22, heldFlips: 23, excluders: 24, excluderCount: 25 },
} as const;
export const MEMBER_WORDS = 26;

export const EXCLUDED = { bits: 0, slots: 1, length: 2, room: 3, skipped: 4 } as const;
export const EXCLUDED_WORDS = 5;
export const EXCLUDER = { nodes: 0, domains: 1 } as const;
export const EXCLUDER_WORDS = 2;

export const NODES = {
  ...{ ids: 0, verdictIds: 1, bucketCount: 2, columns: 3, rows: 4, keyCount: 5, keys: 6 },
  ...{ countCount: 7, counts: 8, exclusionCount: 9, exclusions: 10, entries: 11, verdictCount: 12 },
  ...{ blocks: 13, blockCount: 14, isIncomplete: 15 },
  ...{ isCounting: 16, raws: 17, maxima: 18, rawCount: 19, hadRules: 20 },
} as const;
export const NODES_WORDS = 21;

export const COUNT = { domains: 0, counts: 1, isByNode: 2 } as const;
export const COUNT_WORDS = 3;

export const RUN_TERM = {
  ...{ place: 0, counts: 1, weight: 2, absentFits: 3, bound: 4, least: 5, most: 6 },
  ...{ compared: 7, members: 8, domainCount: 9, totals: 10, totalCount: 11 },
} as const;
export const RUN_TERM_WORDS = 12;

export const RAISED = { counts: 0, pods: 1 } as const;
export const RAISED_WORDS = 2;
export const RAISED_SUM = { homes: 0, counts: 1, total: 2, pods: 3 } as const;
export const RAISED_SUM_WORDS = 4;

/** The entry of a node that the host has to make. */
export const NO_ENTRY = 65_535;
/** What the bounds of a rule follow from. */
export const BOUND = { fixed: 0, spread: 1, group: 2 } as const;
