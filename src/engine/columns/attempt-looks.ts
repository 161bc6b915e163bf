import type { ClusterState } from '../../framework/cluster/cluster-state.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { NodeParts } from '../../framework/plugin.ts';
import type { Column, ColumnTable } from '../../memory/column-table.ts';
import type { NodeAttributes } from '../verdicts/node-attributes.ts';
import type { NodeLooks } from '../verdicts/node-looks.ts';

/** With more looks a cycle is better, which asks only about nodes that its search reaches. */
const MOST_LOOKS = 256;
const NO_SLOT = -1;

export interface AttemptLooksModules {
  readonly cluster: ClusterState;
  readonly table: ColumnTable;
  readonly attributes: NodeAttributes;
}

/**
 * The looks of nodes for one attempt, by the values of labels that its filter tells apart. `NodeLookSets` follows all
 * values of labels from attempt to attempt; those of a label such as the host name are too many, of which the volumes
 * of a pod name a few.
 */
export class AttemptLooks {
  readonly #modules: AttemptLooksModules;
  /** A column for each filter of an attempt. */
  readonly #columns: Column<'i32'>[] = [];

  constructor(modules: AttemptLooksModules) {
    this.#modules = modules;
  }

  /**
   * Returns the looks for the filter with this number in the attempt, until it is asked for other looks; null if they
   * are too many.
   */
  of(parts: NodeParts, number: number): NodeLooks | null {
    const { cluster, table, attributes } = this.#modules;
    if (!parts.values?.size) return null;
    const combinations = attributes.combinationsOf(parts);
    if (combinations === null) return null;
    const numbers = combinations.bySlot();
    const column = this.#columns[number] ?? table.add('i32', 'looks of an attempt');
    this.#columns[number] = column;
    const { slotCount } = cluster;
    const lookOf = new Int32Array(combinations.count).fill(NO_SLOT);
    const slots: number[] = [];
    for (let slot = 0; slot < slotCount; slot++) {
      if (cluster.nodeAt(slot) === undefined) {
        column.values[slot] = 0;
        continue;
      }
      const combination = numbers[slot] as number;
      let look = lookOf[combination] as number;
      if (look === NO_SLOT) {
        if (slots.length === MOST_LOOKS) return null;
        look = slots.length;
        lookOf[combination] = look;
        slots.push(slot);
      }
      column.values[slot] = look;
    }
    return {
      column,
      count: slots.length,
      nodeWith: (look): NodeInfo | undefined => cluster.nodeAt(slots[look] ?? NO_SLOT),
    };
  }
}
