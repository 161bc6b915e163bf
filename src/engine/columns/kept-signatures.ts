import { SecondChances, type Used } from '../../lib/second-chances.ts';
import type { PodSignature } from '../index/pod-signature.ts';
import { KeptRows, type KeptRowsModules } from './kept-rows.ts';

/** The bytes of one row: feasibility and two scores. */
const BYTES_PER_ROW = 3 * Int32Array.BYTES_PER_ELEMENT;
/** The budget suffices for a thousand signatures at 10,000 nodes, and for ten at 1,000,000 nodes. */
const BUDGET_BYTES = 128 * 1024 * 1024;

/** The kept rows of a signature. */
class Kept implements Used {
  readonly signature: PodSignature;
  readonly rows: KeptRows;
  lastUse = 0;

  constructor(signature: PodSignature, rows: KeptRows) {
    this.signature = signature;
    this.rows = rows;
  }
}

/** The kept rows of the signatures that were used last, within a budget of memory. */
export class KeptSignatures {
  readonly #modules: KeptRowsModules;
  readonly #kept = new Map<PodSignature, Kept>();
  readonly #line = new SecondChances<Kept>();
  #uses = 0;

  constructor(modules: KeptRowsModules) {
    this.#modules = modules;
  }

  rowsOf(signature: PodSignature): KeptRows {
    this.#uses++;
    let kept = this.#kept.get(signature);
    if (kept === undefined) {
      this.#makeRoom();
      const plugins = (signature.preScore?.scores ?? []).map(({ plugin }) => plugin);
      const scorers = plugins.filter(({ resourceScore }) => resourceScore !== undefined).map(({ name }) => name);
      kept = new Kept(signature, new KeptRows(this.#modules, scorers));
      this.#kept.set(signature, kept);
      this.#line.add(kept, this.#uses);
    }
    kept.lastUse = this.#uses;
    return kept.rows;
  }

  /** Gives up the rows of a signature that is given up. */
  release(signature: PodSignature): void {
    const kept = this.#kept.get(signature);
    if (kept === undefined) return;
    kept.rows.release();
    this.#kept.delete(signature);
    this.#line.delete(kept);
  }

  #makeRoom(): void {
    const most = Math.max(1, Math.floor(BUDGET_BYTES / (BYTES_PER_ROW * this.#modules.table.capacity)));
    while (this.#kept.size >= most) {
      const oldest = this.#line.oldest(this.#uses);
      if (oldest === null) return;
      this.release(oldest.signature);
    }
  }
}
