/**
 * The records of searches in shared memory; assembly/signature-index/search-record.ts reads the same ones, and
 * test/kernels/layout.test.ts compares them. All fields have four bytes, so that these are numbers of words.
 */
export const SEARCH = {
  ...{ snapshotOrder: 0, count: 1, start: 2, wanted: 3, isUpstream: 4 },
  ...{ ties: 5, found: 6, totals: 7, raw: 8, seen: 9, positions: 10, logarithms: 11, marks: 12 },
  ...{ rules: 13, ruleCount: 14, spread: 15, spreadCount: 16, spreadWeight: 17 },
  ...{ affinity: 18, affinityCount: 19, affinityWeight: 20 },
  ...{
    bestTotal: 21,
    tieCount: 22,
    first: 23,
    root: 24,
    foundCount: 25,
    processed: 26,
    rootKey: 27,
    keyless: 28,
    scored: 29,
  },
} as const;
export const SEARCH_WORDS = 30;
/** What becomes of nodes without a topology key, by its number. */
export const KEYLESS = ['none', 'scored', 'ignored'] as const;

/** The head of totals in snapshot order; the cursor has two words. */
export const ORDERED = { totals: 0, scores: 1, cursor: 2 } as const;
export const ORDERED_WORDS = 4;

export const TERM = { domains: 0, counts: 1, isByNode: 2, least: 3, most: 4, flag: 5, domainCount: 6 } as const;
export const TERM_WORDS = 7;

/** The head of window scores, behind which the scores stand. */
export const SCORES = { scoreCount: 0, corrections: 1, idCount: 2 } as const;
export const SCORES_WORDS = 3;
export const SCORE = { raw: 0, weight: 1, isReverse: 2, maximum: 3, seen: 4 } as const;
export const SCORE_WORDS = 5;
