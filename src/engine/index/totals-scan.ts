import type { SearchWindow } from '../../framework/node-search.ts';
import type { Column } from '../../memory/column-table.ts';
import type { EngineModules } from './engine-modules.ts';
import type { NodeEnv } from './node-env.ts';
import type { WindowBest } from './node-search-record.ts';
import type { SignatureTotals } from './signature-totals.ts';

interface TotalsScanModules extends EngineModules {
  readonly env: NodeEnv;
}

/** Decisions by totals that are computed anew for every pod, because the index is switched off. */
export class TotalsScan {
  readonly #modules: TotalsScanModules;
  readonly #ties: Column<'i32'>;
  /** The totals of a scan, two in each row. */
  readonly totals: Column<'i32'>;
  readonly #pointer: number;
  readonly #results: Int32Array;

  constructor(modules: TotalsScanModules, ties: Column<'i32'>, results: Int32Array) {
    this.#modules = modules;
    this.#ties = ties;
    this.#results = results;
    this.#pointer = results.byteOffset;
    this.totals = modules.columns.table.add('i32', 'totals of a scan');
  }

  /** Returns the best total, the number of nodes with it, and their slots in no order, or only the first. */
  best(signatureTotals: SignatureTotals, firstOnly: boolean): { total: number; slots: Int32Array } | null {
    const { memory, cluster, columns } = this.#modules;
    const { total, ties, slot: first } = signatureTotals.bestIn(this.totals, columns.fixed.order);
    if (ties === 0) return null;
    if (ties === 1 || firstOnly) return { total, slots: Int32Array.of(first) };
    const slots = new Int32Array(ties);
    const totals = new Int16Array(memory.memory.buffer, this.totals.pointer, cluster.slotCount);
    for (let slot = 0, found = 0; found < ties; slot++) if (totals[slot] === total) slots[found++] = slot;
    return { total, slots };
  }

  /** Returns null if no node in the window is feasible, or scores depend on which nodes are found. */
  bestInWindow(signatureTotals: SignatureTotals, { start, wanted }: SearchWindow): WindowBest | null {
    if (signatureTotals.isTracked) return null;
    const { kernels, columns, cluster, env } = this.#modules;
    const { pointer, stride } = signatureTotals.totalsIn(this.totals);
    kernels.selectInWindow(
      env.pointer,
      signatureTotals.block.pointer,
      signatureTotals.number,
      pointer,
      stride,
      columns.snapshotOrder(cluster.snapshotOrder()).pointer,
      cluster.nodeCount,
      start,
      wanted,
      columns.fixed.order.pointer,
      env.slots,
      this.#ties.pointer,
      this.#pointer,
    );
    const [total = -1, ties = 0, first = -1, feasibleNodes = 0, processed = 0, root = -1] = this.#results;
    return feasibleNodes === 0 ? null : { total, ties, first, feasibleNodes, processed, root };
  }
}
