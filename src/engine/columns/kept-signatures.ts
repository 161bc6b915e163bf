import type { PodSignature } from '../index/pod-signature.ts';
import { KeptRows, type KeptRowsModules } from './kept-rows.ts';

/** The bytes of one row: feasibility and two scores. */
const BYTES_PER_ROW = 3 * Int32Array.BYTES_PER_ELEMENT;
/** The budget suffices for a thousand signatures at 10,000 nodes, and for ten at 1,000,000 nodes. */
const BUDGET_BYTES = 128 * 1024 * 1024;

/** The kept rows of the signatures that were used last, within a budget of memory. */
export class KeptSignatures {
  readonly #modules: KeptRowsModules;
  /** The rows in the order of use, the oldest first. */
  readonly #rows = new Map<PodSignature, KeptRows>();

  constructor(modules: KeptRowsModules) {
    this.#modules = modules;
  }

  rowsOf(signature: PodSignature): KeptRows {
    let rows = this.#rows.get(signature);
    if (rows === undefined) {
      this.#makeRoom();
      const plugins = (signature.preScore?.scores ?? []).map(({ plugin }) => plugin);
      const scorers = plugins.filter(({ resourceScore }) => resourceScore !== undefined).map(({ name }) => name);
      rows = new KeptRows(this.#modules, scorers);
    } else {
      this.#rows.delete(signature);
    }
    this.#rows.set(signature, rows);
    return rows;
  }

  clear(): void {
    for (const rows of this.#rows.values()) rows.release();
    this.#rows.clear();
  }

  #makeRoom(): void {
    const most = Math.max(1, Math.floor(BUDGET_BYTES / (BYTES_PER_ROW * this.#modules.table.capacity)));
    for (const [signature, rows] of this.#rows) {
      if (this.#rows.size < most) return;
      rows.release();
      this.#rows.delete(signature);
    }
  }
}
