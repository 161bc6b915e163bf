import type { RejectedSlots } from '../../framework/rejected-slots.ts';
import type { Column, ColumnTable } from '../../memory/column-table.ts';

/** More kinds of pods than this have no columns; the one that was used longest ago gives its column up first. */
const MOST_COLUMNS = 32;
const NEVER_FILLED = -1;

interface KeptColumn {
  readonly column: Column<'i32'>;
  cursor: number;
}

/** Columns with 1 for the nodes that a filter rejects, which follow what its plugin keeps from attempt to attempt. */
export class KeptRejections {
  readonly #table: ColumnTable;
  /** In the order in which they were last used. */
  readonly #columns = new Map<RejectedSlots, KeptColumn>();

  constructor(table: ColumnTable) {
    this.#table = table;
  }

  columnOf(rejected: RejectedSlots): Column<'i32'> {
    const kept = this.#columns.get(rejected) ?? this.#newColumn();
    this.#columns.delete(rejected);
    this.#columns.set(rejected, kept);
    const { values } = kept.column;
    const { slots } = rejected;
    const changes = kept.cursor === NEVER_FILLED ? null : rejected.changedSince(kept.cursor);
    if (changes === null) {
      values.fill(0);
      for (const slot of slots) values[slot] = 1;
    } else for (const slot of changes) values[slot] = slots.has(slot) ? 1 : 0;
    kept.cursor = rejected.end;
    return kept.column;
  }

  #newColumn(): KeptColumn {
    if (this.#columns.size >= MOST_COLUMNS) {
      for (const [oldest, { column }] of this.#columns) {
        this.#columns.delete(oldest);
        return { column, cursor: NEVER_FILLED };
      }
    }
    return { column: this.#table.add('i32', 'nodes that a filter rejects'), cursor: NEVER_FILLED };
  }
}
