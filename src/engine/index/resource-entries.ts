import { RESOURCE_ENTRY_BYTES } from '../../kernels/abi.ts';
import type { Int64 } from '../../lib/int64.ts';
import type { Column } from '../../memory/column-table.ts';
import type { SharedMemory } from '../../memory/shared-memory.ts';
import type { CountedColumns } from './counted-columns.ts';

/** One resource as a kernel reads it. */
export interface ResourceEntry {
  /** The columns, if the amounts are counted elsewhere than in nodes and pods. */
  readonly counted?: CountedColumns;
  readonly allocatable: Column<'f64'>;
  readonly requested: Column<'f64'>;
  readonly podRequest: Int64;
  readonly weight: number;
}

const NOT_COUNTED: readonly CountedColumns[] = [];

/** An array of resource entries in shared memory, in the form that src/kernels/abi.ts draws. */
export class ResourceEntries {
  readonly count: number;
  readonly pointer: number;
  readonly entries: readonly ResourceEntry[];
  readonly #memory: SharedMemory;
  readonly #counted: readonly CountedColumns[];

  constructor(memory: SharedMemory, entries: readonly ResourceEntry[]) {
    this.#memory = memory;
    this.entries = entries;
    let counted = NOT_COUNTED;
    for (let i = 0; i < entries.length; i++) {
      const columns = (entries[i] as ResourceEntry).counted;
      if (columns !== undefined) counted = [...counted, columns];
    }
    this.#counted = counted;
    this.count = entries.length;
    this.pointer =
      entries.length === 0 ? 0 : memory.allocate(entries.length * RESOURCE_ENTRY_BYTES, 'resource entries');
    this.write();
  }

  /** Whether some request is beyond 2^53, so that kernels cannot compute with it. */
  get isInexact(): boolean {
    for (let i = 0; i < this.count; i++) if (typeof this.entries[i]?.podRequest === 'bigint') return true;
    return false;
  }

  /** Brings the amounts up to date that are counted; returns whether there are such. */
  syncCounted(): boolean {
    for (const columns of this.#counted) columns.sync();
    return this.#counted.length > 0;
  }

  /** Frees the memory; the entries must not be used afterwards. */
  release(): void {
    if (this.count > 0) this.#memory.free(this.pointer, this.count * RESOURCE_ENTRY_BYTES);
  }

  /** Writes the entries; called again after columns have moved. */
  write(): void {
    if (this.count === 0) return;
    const view = new DataView(this.#memory.memory.buffer, this.pointer, this.count * RESOURCE_ENTRY_BYTES);
    for (let i = 0, at = 0; i < this.count; i++, at += RESOURCE_ENTRY_BYTES) {
      const { allocatable, requested, podRequest, weight } = this.entries[i] as ResourceEntry;
      view.setUint32(at, allocatable.pointer, true);
      view.setUint32(at + 4, requested.pointer, true);
      view.setFloat64(at + 8, Number(podRequest), true);
      view.setFloat64(at + 16, weight, true);
    }
  }
}
