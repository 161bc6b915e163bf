import type { ElementType } from './column-table.ts';

/**
 * The node columns, with one row per slot. Their types are defined only here, and offsets follow from them. Amounts are
 * whole units (milli-cpu, bytes, pieces) as doubles, exact below 2^53.
 */
export const NODE_COLUMNS = {
  /** The position of the node in the order in which nodes were added, which decides ties. */
  order: 'i32',
  /** The slots in snapshot order: the only column that is not indexed by slot. */
  snapshotOrder: 'i32',
  /** The non-zero requests: those with upstream's defaults for containers that request nothing. */
  nonZeroMilliCPU: 'f64',
  nonZeroMemoryBytes: 'f64',
} as const satisfies Record<string, ElementType>;

/** The node columns that kernels derive from the others. There are none before the signature index is first used. */
export const DERIVED_COLUMNS = {
  /** 50 less the balance of cpu and memory without another pod. */
  headroom: 'i16',
  /** 100 / allocatable. */
  inverseMilliCPU: 'f64',
  inverseMemoryBytes: 'f64',
  /** Allocatable less requests, and less non-zero requests; percents of cpu less of memory in use. */
  freeMilliCPU: 'f64',
  freeMemoryBytes: 'f64',
  spareMilliCPU: 'f64',
  spareMemoryBytes: 'f64',
  skew: 'f64',
} as const satisfies Record<string, ElementType>;

/**
 * The resources whose two columns, `allocatable` and `requested`, exist from the start. The columns of other resources
 * are added when a node or a pod first names them.
 */
export const STANDARD_RESOURCES = ['pods', 'cpu', 'memory'] as const;

/**
 * The largest operand for which `(allocatable - requested) * 100` is exact as a double: floor(2^53 / 100). Above it
 * kernels compute with 64-bit integers.
 */
export const LARGEST_EXACT_SCORE_OPERAND = 90_071_992_547_409;
