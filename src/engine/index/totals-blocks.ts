import { getOrMake } from '../../lib/get-or-make.ts';
import { SecondChances } from '../../lib/second-chances.ts';
import { OutOfMemoryError } from '../../memory/shared-memory.ts';
import type { NodeVerdicts } from '../verdicts/node-verdicts.ts';
import { SignatureTotals } from './signature-totals.ts';
import { type BlockOwner, TotalsBlock, type TotalsBlockModules } from './totals-block.ts';
import type { TotalsColumn } from './totals-column.ts';
import type { TotalsForm } from './totals-form.ts';
import { treeBytes } from './totals-rows.ts';

/** The budget suffices for 14 blocks (112 signatures) at a million nodes, and for thousands at 10,000. */
const BUDGET_BYTES = 256 * 1024 * 1024;
/** The most blocks of one form for pods that request a resource of few nodes, whose totals are soon made again. */
const MOST_RARE_BLOCKS = 8;
/** The most blocks without rows, of an index that is switched off. */
const MOST_DESCRIPTIONS = 512;
const NO_TOTALS: ReadonlySet<SignatureTotals> = new Set();

/** The parts of a `TotalsForm` by which totals columns share blocks. */
export type BlockForm = Pick<TotalsForm, 'isStandard' | 'holders'>;

/** Blocks of one form: those with a free totals column, and all totals columns in the order in which they may go. */
interface Shelf {
  readonly roomy: Set<TotalsBlock>;
  readonly columns: SecondChances<TotalsColumn>;
  blockCount: number;
}

/**
 * The blocks of the signature index, within a budget of memory. The totals column that was used longest ago makes room
 * for a new one; a block that has lost all of its columns is given back.
 */
export class TotalsBlocks implements BlockOwner {
  readonly #modules: TotalsBlockModules;
  readonly #hasRows: boolean;
  #run = 0;
  readonly #blocks = new Map<TotalsBlock, Shelf>();
  readonly #shelves = new Map<string, Shelf>();
  /** The totals whose verdict ids are those of each set of verdicts. */
  readonly #byVerdicts = new Map<NodeVerdicts, Set<SignatureTotals>>();

  /** Without `hasRows` totals columns are only described, for scans. */
  constructor(modules: TotalsBlockModules, hasRows: boolean) {
    this.#modules = modules;
    this.#hasRows = hasRows;
  }

  /** Releases all blocks. */
  clear(): void {
    const blocks = [...this.#blocks.keys()];
    this.#blocks.clear();
    this.#shelves.clear();
    for (const block of blocks) block.release();
  }

  /** The totals that look up verdict ids of these verdicts. */
  totalsWith(verdicts: NodeVerdicts): Iterable<SignatureTotals> {
    return this.#byVerdicts.get(verdicts) ?? NO_TOTALS;
  }

  /**
   * Returns a block of the form with a free totals column: an existing block, a new one, or one that loses the totals
   * column used longest ago; null if all are used in this run. `rows`: the number of rows of a new block.
   */
  withFreeColumn(form: BlockForm, rows: number, run: number): TotalsBlock | null {
    const shelf = this.#shelfOf(form);
    this.#run = run;
    for (const block of shelf.roomy) return block;
    if (this.#hasRoomFor(form, shelf, rows)) {
      try {
        const block = new TotalsBlock(this.#modules, form.isStandard, this.#hasRows ? rows : 0);
        block.owner = this;
        this.#blocks.set(block, shelf);
        shelf.blockCount++;
        shelf.roomy.add(block);
        return block;
      } catch (error) {
        if (!(error instanceof OutOfMemoryError)) throw error;
      }
    }
    const oldest = shelf.columns.oldest(run);
    // Where other pods have all blocks, one of theirs serves as well.
    if (oldest === null && form.holders !== null) return this.withFreeColumn({ ...form, holders: null }, rows, run);
    oldest?.release();
    return oldest?.block ?? null;
  }

  columnTaken(block: TotalsBlock, column: TotalsColumn): void {
    const shelf = this.#blocks.get(block);
    shelf?.columns.add(column, this.#run);
    if (block.freeColumn < 0) shelf?.roomy.delete(block);
    if (column instanceof SignatureTotals) {
      getOrMake(this.#byVerdicts, column.signature.verdicts, () => new Set()).add(column);
    }
  }

  columnGone(block: TotalsBlock, column: TotalsColumn): void {
    if (column instanceof SignatureTotals) this.#unregister(column);
    const shelf = this.#blocks.get(block);
    if (shelf === undefined) return;
    const { roomy } = shelf;
    shelf.columns.delete(column);
    roomy.add(block);
    // One block without columns is kept for the next signature.
    if (!block.isVacant || roomy.size === 1) return;
    roomy.delete(block);
    shelf.blockCount--;
    this.#blocks.delete(block);
    block.release();
  }

  #unregister(column: SignatureTotals): void {
    const { verdicts } = column.signature;
    const totals = this.#byVerdicts.get(verdicts);
    totals?.delete(column);
    if (totals?.size === 0) this.#byVerdicts.delete(verdicts);
  }

  #hasRoomFor({ holders }: BlockForm, { blockCount }: Shelf, rows: number): boolean {
    const most = this.#hasRows ? Math.max(2, Math.floor(BUDGET_BYTES / treeBytes(rows))) : MOST_DESCRIPTIONS;
    const isFull = holders !== null && blockCount >= Math.min(MOST_RARE_BLOCKS, most / 4);
    return this.#blocks.size < most && !isFull;
  }

  #shelfOf({ isStandard, holders }: BlockForm): Shelf {
    const key = `${isStandard ? 'standard' : 'other'} ${holders === null ? 'common' : 'rare'}`;
    return getOrMake(this.#shelves, key, () => ({
      roomy: new Set<TotalsBlock>(),
      columns: new SecondChances<TotalsColumn>(),
      blockCount: 0,
    }));
  }
}
