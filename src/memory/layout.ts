import type { ElementType } from './column-table.ts';

/**
 * The node columns: one row per slot. This table is the only place that says what there is and how wide it is; offsets
 * follow from it. Amounts are whole units (milli-cpu, bytes, pieces) as doubles, exact below 2^53.
 */
export const NODE_COLUMNS = {
  /** Position in the order in which nodes were learned of; decides ties. */
  order: 'i32',
  /** Not by slot but by position: the slot that is searched at this place. */
  snapshotOrder: 'i32',
  /** Requested with the defaults for containers that ask for nothing: what NodeResourcesFit scores. */
  nonZeroMilliCPU: 'f64',
  nonZeroMemoryBytes: 'f64',
  /** Derived by `touchNode`: 50 less the balance of cpu and memory without another pod, and 1 / allocatable. */
  headroom: 'f64',
  inverseMilliCPU: 'f64',
  inverseMemoryBytes: 'f64',
} as const satisfies Record<string, ElementType>;

/** Per resource there are two more columns, `allocatable` and `requested`. These exist from the start ... */
export const STANDARD_RESOURCES = ['pods', 'cpu', 'memory'] as const;
// ... and all others get theirs when a node or a pod first mentions them.

/**
 * Above this, `(allocatable - requested) * 100` leaves the range in which doubles are exact: floor(2^53 / 100).
 * Kernels then compute with 64-bit integers.
 */
export const LARGEST_EXACT_SCORE_OPERAND = 90_071_992_547_409;
