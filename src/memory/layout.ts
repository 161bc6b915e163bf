import type { ElementType } from './column-table.ts';

/**
 * The node columns: one row per slot. This table is the only place that says what there is and how wide it is; offsets
 * follow from it. Amounts are whole units (milli-cpu, bytes, pieces) as doubles, exact below 2^53.
 */
export const NODE_COLUMNS = {
  /** Position of the node in the order in which nodes were learned of, which decides ties. */
  order: 'i32',
  /** The slot that is searched at this position: the only column that is not indexed by slot. */
  snapshotOrder: 'i32',
  /** What NodeResourcesFit scores: requests, with upstream's defaults for containers that request nothing. */
  nonZeroMilliCPU: 'f64',
  nonZeroMemoryBytes: 'f64',
  /** Derived by `touchNode`: 50 less the balance of cpu and memory without another pod, and 100 / allocatable. */
  headroom: 'f64',
  inverseMilliCPU: 'f64',
  inverseMemoryBytes: 'f64',
} as const satisfies Record<string, ElementType>;

/**
 * Each resource has two more columns, `allocatable` and `requested`. Those of these resources exist from the start; all
 * others get theirs when a node or a pod first mentions them.
 */
export const STANDARD_RESOURCES = ['pods', 'cpu', 'memory'] as const;

/**
 * Above this, `(allocatable - requested) * 100` leaves the range in which doubles are exact: floor(2^53 / 100).
 * Kernels then compute with 64-bit integers.
 */
export const LARGEST_EXACT_SCORE_OPERAND = 90_071_992_547_409;
