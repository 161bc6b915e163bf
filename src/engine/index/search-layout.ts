/**
 * The records of searches in shared memory; assembly/signature-index/search-record.ts reads the same ones, and
 * test/kernels/layout.test.ts compares them. All fields have four bytes, so that these are numbers of words.
 */
export const SEARCH = {
  ...{ snapshotOrder: 0, count: 1, start: 2, wanted: 3, isUpstream: 4 },
  ...{ ties: 5, found: 6, totals: 7, raw: 8, logarithms: 9, marks: 10 },
  ...{ rules: 11, ruleCount: 12, spread: 13, spreadCount: 14, spreadWeight: 15 },
  ...{ affinity: 16, affinityCount: 17, affinityWeight: 18 },
  ...{ bestTotal: 19, tieCount: 20, first: 21, root: 22, foundCount: 23, processed: 24 },
} as const;
export const SEARCH_WORDS = 25;

export const TERM = { domains: 0, counts: 1, isByNode: 2, least: 3, most: 4, flag: 5, domainCount: 6 } as const;
export const TERM_WORDS = 7;

/** The head of window scores, behind which the scores stand. */
export const SCORES = { scoreCount: 0, corrections: 1, idCount: 2 } as const;
export const SCORES_WORDS = 3;
export const SCORE = { raw: 0, weight: 1, isReverse: 2, maximum: 3, seen: 4 } as const;
export const SCORE_WORDS = 5;
