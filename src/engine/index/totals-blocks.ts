import { getOrMake } from '../../lib/get-or-make.ts';
import { SecondChances } from '../../lib/second-chances.ts';
import { OutOfMemoryError } from '../../memory/shared-memory.ts';
import type { NodeVerdicts } from '../verdicts/node-verdicts.ts';
import { SignatureTotals } from './signature-totals.ts';
import { type BlockOwner, TotalsBlock, type TotalsBlockModules } from './totals-block.ts';
import type { TotalsColumn } from './totals-column.ts';
import { treeBytes } from './totals-rows.ts';

/** The budget suffices for 14 blocks (112 signatures) at a million nodes, and for thousands at 10,000. */
const BUDGET_BYTES = 256 * 1024 * 1024;
/** The most blocks without rows, of an index that is switched off. */
const MOST_DESCRIPTIONS = 512;
const NO_TOTALS: ReadonlySet<SignatureTotals> = new Set();

/** Blocks of one form: those with a free totals column, and all totals columns in the order in which they may go. */
interface Shelf {
  readonly roomy: Set<TotalsBlock>;
  readonly columns: SecondChances<TotalsColumn>;
}

/**
 * The blocks of the signature index, within a budget of memory. The totals column that was used longest ago makes room
 * for a new one; a block that has lost all of its columns is given back.
 */
export class TotalsBlocks implements BlockOwner {
  readonly #modules: TotalsBlockModules;
  readonly #hasRows: boolean;
  #run = 0;
  readonly #blocks = new Set<TotalsBlock>();
  readonly #standard: Shelf = { roomy: new Set(), columns: new SecondChances() };
  readonly #others: Shelf = { roomy: new Set(), columns: new SecondChances() };
  /** The totals whose verdict ids are those of each set of verdicts. */
  readonly #byVerdicts = new Map<NodeVerdicts, Set<SignatureTotals>>();

  /** Without `hasRows` totals columns are only described, for scans. */
  constructor(modules: TotalsBlockModules, hasRows: boolean) {
    this.#modules = modules;
    this.#hasRows = hasRows;
  }

  /** Releases all blocks. */
  clear(): void {
    const blocks = [...this.#blocks];
    this.#blocks.clear();
    for (const block of blocks) block.release();
    this.#standard.roomy.clear();
    this.#others.roomy.clear();
  }

  /** The totals that look up verdict ids of these verdicts. */
  totalsWith(verdicts: NodeVerdicts): Iterable<SignatureTotals> {
    return this.#byVerdicts.get(verdicts) ?? NO_TOTALS;
  }

  /**
   * Returns a block of the form with a free totals column: an existing block, a new one, or one that loses the totals
   * column used longest ago; null if all are used in this run. `rows`: the number of rows of a new block.
   */
  withFreeColumn(isStandard: boolean, rows: number, run: number): TotalsBlock | null {
    const shelf = this.#shelf(isStandard);
    this.#run = run;
    for (const block of shelf.roomy) return block;
    if (this.#blocks.size < this.#mostBlocks(rows)) {
      try {
        const block = new TotalsBlock(this.#modules, isStandard, this.#hasRows ? rows : 0);
        block.owner = this;
        this.#blocks.add(block);
        shelf.roomy.add(block);
        return block;
      } catch (error) {
        if (!(error instanceof OutOfMemoryError)) throw error;
      }
    }
    const oldest = shelf.columns.oldest(run);
    oldest?.release();
    return oldest?.block ?? null;
  }

  columnTaken(block: TotalsBlock, column: TotalsColumn): void {
    const { roomy, columns } = this.#shelf(block.isStandard);
    columns.add(column, this.#run);
    if (block.freeColumn < 0) roomy.delete(block);
    if (column instanceof SignatureTotals) {
      getOrMake(this.#byVerdicts, column.signature.verdicts, () => new Set()).add(column);
    }
  }

  columnGone(block: TotalsBlock, column: TotalsColumn): void {
    const { roomy, columns } = this.#shelf(block.isStandard);
    columns.delete(column);
    if (column instanceof SignatureTotals) this.#unregister(column);
    if (!this.#blocks.has(block)) return;
    roomy.add(block);
    // One block without columns is kept for the next signature.
    if (!block.isVacant || roomy.size === 1) return;
    roomy.delete(block);
    this.#blocks.delete(block);
    block.release();
  }

  #unregister(column: SignatureTotals): void {
    const { verdicts } = column.signature;
    const totals = this.#byVerdicts.get(verdicts);
    totals?.delete(column);
    if (totals?.size === 0) this.#byVerdicts.delete(verdicts);
  }

  #mostBlocks(rows: number): number {
    return this.#hasRows ? Math.max(2, Math.floor(BUDGET_BYTES / treeBytes(rows))) : MOST_DESCRIPTIONS;
  }

  #shelf(isStandard: boolean): Shelf {
    return isStandard ? this.#standard : this.#others;
  }
}
