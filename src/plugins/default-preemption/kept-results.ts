import type { NodeInfo } from '../../framework/node-info.ts';
import type { NodeSlots } from '../../framework/post-filter.ts';
import type { Status } from '../../framework/status.ts';
import type { Candidate } from './candidates.ts';
import { compareHarm } from './pick-node.ts';

/** Entries of a column of harms that are no number of a harm. */
export const NOT_KNOWN = 0;
export const NO_CANDIDATE = -1;

/** The results about the nodes of which topology filters say the same, by slot. */
interface StandingColumn {
  harms: Int32Array;
  readonly results: (Candidate | Status | undefined)[];
}

/**
 * Results of dry runs for pods with the same requirements, priority and topology plan, by slot, until the node changes.
 * Topology filters take turns to accept and to reject a node, so there is a column for each of their answers, which
 * are small numbers. The harm of a candidate, by which candidates are compared, is interned: candidates that do the
 * same harm have the same number, so that a search reads one number for a node.
 */
export class KeptResults {
  readonly budgetsVersion: number;
  #cursor = -1;
  #length = 0;
  readonly #columns: StandingColumn[] = [];
  /** The orders of the nodes by slot, which are faster to read than from the nodes. */
  #orders = new Float64Array(0);
  /** A candidate of each harm, by its number. */
  #examples: (Candidate | null)[] = [null];
  /** Whether a harm violates budgets, by its number. */
  #isProtected: boolean[] = [false];
  readonly #numbers = new Map<string, number>();

  constructor(budgetsVersion: number) {
    this.budgetsVersion = budgetsVersion;
  }

  /** The order of each node that was asked about, by slot. */
  get orders(): Float64Array {
    return this.#orders;
  }

  /** Whether nothing has changed since the last `sync`. */
  isInStep({ end }: NodeSlots): boolean {
    return this.#cursor === end;
  }

  /** Forgets the nodes that changed. */
  sync({ count: slotCount, end, changedSince }: NodeSlots): void {
    const changed = this.#cursor < 0 ? [] : changedSince(this.#cursor);
    this.#cursor = end;
    if (changed === null || this.#examples.length > 2 * slotCount + 1) this.#forgetAll();
    else this.forget(changed);
    if (this.#length >= slotCount) return;
    this.#length = slotCount + (slotCount >> 1);
    const orders = new Float64Array(this.#length);
    orders.set(this.#orders);
    this.#orders = orders;
    for (const column of this.#columns) {
      const longer = new Int32Array(this.#length);
      longer.set(column.harms);
      column.harms = longer;
    }
  }

  /** Forgets the results about some nodes. */
  forget(slots: Iterable<number>): void {
    for (const slot of slots) {
      if (slot < this.#length) for (const { harms } of this.#columns) harms[slot] = NOT_KNOWN;
    }
  }

  /** The harms by slot where topology filters say this; they change as results are kept. */
  harms(standing: number): Int32Array {
    return this.#column(standing).harms;
  }

  /** The last result that was kept, also after the node was forgotten. */
  result(standing: number, slot: number): Candidate | Status | undefined {
    return this.#column(standing).results[slot];
  }

  /** Keeps a result and returns the number of its harm. */
  keep(standing: number, node: NodeInfo, result: Candidate | Status): number {
    const { harms, results } = this.#column(standing);
    const harm = this.harmOf(node, result);
    results[node.slot] = result;
    harms[node.slot] = harm;
    return harm;
  }

  /** The number of the harm of a result that is not kept; NO_CANDIDATE if it is none. */
  harmOf(node: NodeInfo, result: Candidate | Status): number {
    this.#orders[node.slot] = node.order;
    return 'victims' in result ? this.#numberOf(result) : NO_CANDIDATE;
  }

  isProtected(harm: number): boolean {
    return this.#isProtected[harm] === true;
  }

  isLess(harm: number, than: number): boolean {
    return compareHarm(this.#examples[harm] as Candidate, this.#examples[than] as Candidate) < 0;
  }

  #column(standing: number): StandingColumn {
    const known = this.#columns[standing];
    if (known !== undefined) return known;
    while (this.#columns.length <= standing) this.#columns.push({ harms: new Int32Array(this.#length), results: [] });
    return this.#columns[standing] as StandingColumn;
  }

  #numberOf(candidate: Candidate): number {
    const { pdbViolations, highestPriority, prioritySum, victims, earliestStartMillis } = candidate;
    const key = `${pdbViolations} ${highestPriority} ${prioritySum} ${victims.length} ${earliestStartMillis}`;
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#examples.push(candidate) - 1;
      this.#isProtected.push(pdbViolations > 0);
      this.#numbers.set(key, number);
    }
    return number;
  }

  #forgetAll(): void {
    this.#columns.length = 0;
    this.#examples = [null];
    this.#isProtected = [false];
    this.#numbers.clear();
  }
}
