/**
 * Nodes as columns: each node has a row (slot), and numbers are in typed arrays, which are valid during the call in
 * which they were read. Rows without a node hold zeros; results for such rows are ignored.
 */
export interface NodeColumnsView {
  /** The number of rows. */
  readonly slotCount: number;
  /**
   * The allocatable and requested amounts of a resource: `cpu` in milli, `memory` in bytes, `pods`, `nvidia.com/gpu`.
   */
  resource(name: string): { readonly allocatable: Float64Array; readonly requested: Float64Array };
  /** A column of the plugin's own `columns`. */
  own(name: string): Float64Array;
}
