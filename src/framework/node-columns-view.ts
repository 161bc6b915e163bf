/**
 * Nodes as columns: a row (slot) for each, numbers in typed arrays. Arrays are good for the call in which they were
 * got. Rows without a node hold zeros; what is written of them does not count.
 */
export interface NodeColumnsView {
  /** Rows lie below this. */
  readonly slotCount: number;
  /** What nodes have, and what their pods ask for: `cpu` in milli, `memory` in bytes, `pods`, `nvidia.com/gpu`. */
  resource(name: string): { readonly allocatable: Float64Array; readonly requested: Float64Array };
  /** One of the plugin's own `columns`. */
  own(name: string): Float64Array;
}
