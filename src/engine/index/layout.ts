/**
 * The layout of the signature index in shared memory; assembly/signature-index/layout.ts reads the same
 * numbers, and test/kernels/layout.test.ts compares them.
 *
 * The *environment*, one per cluster: where the node columns are, and the log of nodes that changed.
 *
 *   byte 0   u32 x 13   pointers: allocatable and requested pods, cpu, memory; non-zero cpu, memory; headroom;
 *                       100 / cpu, 100 / memory; order; log
 *   byte 52  u32        log capacity - 1 (a power of two less one)
 *   byte 56  i64        entries ever written to the log
 *   byte 64  f64 x 3    LeastAllocated weights of cpu and memory, 1 / their sum
 *   byte 88  i32        slots in use lie below this
 *   byte 92  i32        1: slots stand in the order in which their nodes were added
 *   byte 96  i32        scoring strategy; byte 100 u32 pointer to its table of 101 scores
 *   byte 104 i32        why `placePods` stopped; byte 108 1: some slot was ever without cpu or memory
 *   byte 112 u32 x 5    pointers: free cpu, memory; spare cpu, memory (less non-zero requests); skew
 *
 * A *block* holds eight totals columns, each the totals of one pod signature:
 *
 *   byte 0   u32        pointer to the rows, i16 x 8 per node
 *   byte 4   i32        levels of the tree above them; byte 36 u32 x 6 pointers to those
 *   byte 8   i64        how far in the log the rows are
 *   byte 16  u32        a bit a column: in use; byte 20 counted by id; byte 24 to be normalised anew; byte 28 extras
 *   byte 32  i32        1: all totals columns are of the standard form, 3: and tight: what is balanced has to fit
 *   byte 60  i32        1: the numbers of all totals columns in use are the same
 *   byte 64  f64 x 8    then five more such rows: requests filtered (cpu, memory), scored, balanced
 *   byte 448 i32 x 8    verdict ids of the nodes; byte 480 feasible nodes
 *   byte 512 u32 x 8    pointer to verdict ids by slot; byte 544 to totals by id; byte 576 to counts by id
 *   byte 608 u32 x 8, i32 x 8   pointers and lengths of lists: filter, fit, balanced, extra entries, charges
 *   byte 928 i32        how often a node has become feasible or infeasible for a column
 *   byte 960 i16 x 8    weight of NodeResourcesFit; byte 976 of BalancedAllocation
 */
export const ENVIRONMENT_BYTES = 144;
export const BLOCK_BYTES = 992;
export const COLUMNS = 8;
/** A charge: u32 pointer to an f64 column, 4 bytes of nothing, f64 amount. */
export const CHARGE_BYTES = 16;
/** The number of rows below one row of the next level of the tree. */
export const FAN = 16;
/** The most levels of the tree above the rows, which suffices for 16 million rows. */
export const MAX_LEVELS = 6;
/** The largest total of a signature with i16 totals, with room to spare for arithmetic. */
export const MAX_INDEXED_TOTAL = 32_000;
/** The largest amount for which scores are computed without divisions (assembly/arithmetic/integral.ts). */
export const LARGEST_INVERTIBLE = Math.floor(2 ** 50 / 100);

/** The reasons for which `placePods` stops before the last pod. */
export const STOP = { none: 0, infeasible: 1, stale: 2, normalize: 3 } as const;

export const FIELD = {
  isOrdered: 92,
  stopReason: 104,
  hasLacking: 108,
  derived: 112,
  logEnd: 56,
  rows: 0,
  levelCount: 4,
  cursor: 8,
  used: 16,
  tracked: 20,
  dirty: 24,
  extras: 28,
  isStandard: 32,
  levels: 36,
  isAlike: 60,
  requests: 64,
  idCount: 448,
  feasible: 480,
  ids: 512,
  totals: 544,
  counts: 576,
  filterEntries: 608,
  fitEntries: 672,
  balancedEntries: 736,
  extraEntries: 800,
  charges: 864,
  fitWeights: 960,
  balancedWeights: 976,
} as const;
