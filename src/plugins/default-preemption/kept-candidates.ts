import type { NodeInfo } from '../../framework/node-info.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { NodeSlots, Standing } from '../../framework/post-filter.ts';
import type { Status } from '../../framework/status.ts';
import { selectRank } from '../../lib/select-rank.ts';
import type { Candidate } from './candidates.ts';
import type { DryRun } from './dry-run.ts';
import { compareHarm } from './pick-node.ts';

/** The kinds of pods for which results are kept; pods of more kinds that take turns lose them. */
const KINDS_MAX = 4;
/** Entries of the column of harms that are no number of a harm. */
const NOT_KNOWN = 0;
const NO_CANDIDATE = -1;

/** The candidates that do the least harm, of those that a dry run finds. */
export interface LeastHarmful {
  readonly count: number;
  /** The candidate number `rank` in the order in which their nodes were added to the cluster; until the next search. */
  readonly inNodeOrder: (rank: number) => Candidate | undefined;
  /** The reasons of the nodes that are no candidates; empty if there is a candidate. */
  readonly statuses: readonly Status[];
}

/** What holds for the pod of one search alone. */
export interface OwnAnswers {
  /** Where the pod is accepted the shared result is the pod's, and where it is rejected the node is no candidate. */
  readonly standing: (slot: number) => Standing;
  /** The pod's result on any node. */
  readonly dryRun: DryRun;
}

/** What is searched for. */
export interface CandidateSearch {
  readonly offset: number;
  readonly limit: number;
  /** A result must depend on the node, its pods, its nominations and the budgets alone, but for `ownSlots`. */
  readonly dryRun: DryRun;
  /** What is not the same for all pods that share these results; null if there is nothing. */
  readonly own: OwnAnswers | null;
  /** The slots of the nodes for which the pod itself is nominated: what is found there holds for no other pod. */
  readonly ownSlots: readonly number[];
}

/**
 * Results of dry runs for pods with the same requirements and priority, in a column by slot. Only nodes that changed
 * are asked anew, so that a search reads one number for a node. The harm of a candidate, by which candidates are
 * compared, is interned: candidates that do the same harm have the same number.
 */
class ResultColumn {
  readonly budgetsVersion: number;
  #cursor = -1;
  readonly #results: (Candidate | Status | undefined)[] = [];
  /** The results of the last search that hold for its pod alone, by slot. */
  readonly #ownResults = new Map<number, Candidate | Status>();
  /** The orders of the nodes by slot, which are faster to read than from the nodes. */
  #orders = new Float64Array(0);
  #harms = new Int32Array(0);
  /** The slots of the best candidates of the last search, and room to order them. */
  #ties = new Int32Array(0);
  #unordered = new Float64Array(0);
  /** A candidate of each harm, by its number. */
  #examples: (Candidate | null)[] = [null];
  /** Whether a harm violates budgets, by its number. */
  #isProtected: boolean[] = [false];
  readonly #numbers = new Map<string, number>();

  constructor(budgetsVersion: number) {
    this.budgetsVersion = budgetsVersion;
  }

  /** Forgets the nodes that changed. */
  sync({ count: slotCount, end, changedSince }: NodeSlots): void {
    const changed = this.#cursor < 0 ? [] : changedSince(this.#cursor);
    this.#cursor = end;
    if (changed === null || this.#examples.length > 2 * slotCount + 1) this.#forgetAll();
    else for (const slot of changed) if (slot < this.#harms.length) this.#harms[slot] = NOT_KNOWN;
    if (this.#harms.length >= slotCount) return;
    const length = slotCount + (slotCount >> 1);
    const longer = new Int32Array(length);
    longer.set(this.#harms);
    this.#harms = longer;
    const orders = new Float64Array(length);
    orders.set(this.#orders);
    this.#orders = orders;
    this.#ties = new Int32Array(length);
    this.#unordered = new Float64Array(length);
  }

  /** Forgets the results of one pod alone. */
  forget(slots: readonly number[]): void {
    for (const slot of slots) this.#harms[slot] = NOT_KNOWN;
  }

  /** Searches as upstream's DryRunPreemption: until enough candidates are found. */
  find(nodes: NodeSlots, { offset, limit, dryRun, own }: CandidateSearch): LeastHarmful {
    this.#ownResults.clear();
    const { order, has, nodeAt } = nodes;
    const harms = this.#harms;
    const ties = this.#ties;
    let nonViolating = 0;
    let violating = 0;
    let least = NO_CANDIDATE;
    let count = 0;
    let position = nodes.positionOf(offset);
    for (let left = nodes.length; left > 0; position++) {
      if (position >= order.length) position = 0;
      const slot = order[position] ?? 0;
      if (has !== null && !has(slot)) continue;
      left--;
      const standing = own === null ? 'accepted' : own.standing(slot);
      if (standing === 'rejected') continue;
      let harm = harms[slot] ?? NOT_KNOWN;
      if (own !== null && standing === 'unknown') harm = this.#askOwn(slot, nodeAt(slot), own.dryRun);
      else if (harm === NOT_KNOWN) harm = this.#ask(slot, nodeAt(slot), dryRun);
      if (harm === NO_CANDIDATE) continue;
      const isProtected = this.#isProtected[harm] === true;
      if ((isProtected ? violating : nonViolating) >= limit) continue;
      if (isProtected) violating++;
      else nonViolating++;
      if (harm === least) ties[count++] = slot;
      else if (least === NO_CANDIDATE || this.#isLess(harm, least)) {
        least = harm;
        ties[0] = slot;
        count = 1;
      }
      if (nonViolating > 0 && nonViolating + violating >= limit) break;
    }
    if (count > 0) return { count, inNodeOrder: (rank) => this.#ranked(ties.subarray(0, count), rank), statuses: [] };
    return { count: 0, inNodeOrder: () => undefined, statuses: this.#reasons(nodes, offset, own) };
  }

  /** The reasons of all nodes that are no candidates. */
  #reasons(nodes: NodeSlots, offset: number, own: OwnAnswers | null): Status[] {
    const { order, has, nodeAt } = nodes;
    const statuses: Status[] = [];
    const start = nodes.positionOf(offset);
    for (let i = 0; i < order.length; i++) {
      const slot = order[(start + i) % order.length] ?? 0;
      if (has !== null && !has(slot)) continue;
      const isShared = own === null || own.standing(slot) === 'accepted';
      const result = isShared ? this.#results[slot] : (this.#ownResults.get(slot) ?? own.dryRun(nodeAt(slot)));
      // A candidate that nobody asked for, where the configuration wants none, has no reason.
      if (result !== undefined && !('victims' in result)) statuses.push(result);
    }
    return statuses;
  }

  #ranked(slots: Int32Array, rank: number): Candidate | undefined {
    if (rank >= slots.length) return undefined;
    const orders = this.#orders;
    const turn = turnOf(slots, orders);
    if (turn !== null) return this.#candidateAt(slots[(turn + rank) % slots.length] ?? 0);
    const unordered = this.#unordered.subarray(0, slots.length);
    for (let i = 0; i < slots.length; i++) unordered[i] = orders[slots[i] ?? 0] ?? 0;
    const order = selectRank(unordered, rank);
    const chosen = slots.find((slot) => orders[slot] === order) ?? NO_CANDIDATE;
    return this.#candidateAt(chosen);
  }

  #candidateAt(slot: number): Candidate {
    return (this.#ownResults.get(slot) ?? this.#results[slot]) as Candidate;
  }

  #isLess(harm: number, than: number): boolean {
    return compareHarm(this.#examples[harm] as Candidate, this.#examples[than] as Candidate) < 0;
  }

  #ask(slot: number, node: NodeInfo, dryRun: DryRun): number {
    const result = dryRun(node);
    const harm = 'victims' in result ? this.#numberOf(result) : NO_CANDIDATE;
    this.#results[slot] = result;
    this.#orders[slot] = node.order;
    this.#harms[slot] = harm;
    return harm;
  }

  /** As `#ask`, for a result that holds for this search alone. */
  #askOwn(slot: number, node: NodeInfo, dryRun: DryRun): number {
    const result = dryRun(node);
    this.#ownResults.set(slot, result);
    this.#orders[slot] = node.order;
    return 'victims' in result ? this.#numberOf(result) : NO_CANDIDATE;
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
    this.#harms.fill(NOT_KNOWN);
    this.#results.length = 0;
    this.#examples = [null];
    this.#isProtected = [false];
    this.#numbers.clear();
  }
}

/**
 * Where the first of the nodes stands if the others follow in the order in which they were added, as they do in a
 * snapshot without zones, from a drawn node on; null if they do not.
 */
function turnOf(slots: Int32Array, orders: Float64Array): number | null {
  let turn = -1;
  let before = orders[slots[slots.length - 1] ?? 0] ?? 0;
  for (let i = 0; i < slots.length; i++) {
    const order = orders[slots[i] ?? 0] ?? 0;
    if (order < before) {
      if (turn >= 0) return null;
      turn = i;
    }
    before = order;
  }
  return Math.max(0, turn);
}

/** The results of dry runs that are kept from attempt to attempt: an attempt changes few nodes. */
export class KeptCandidates {
  readonly #columns: { readonly pod: Pick<PodInfo, 'requirements' | 'priority'>; column: ResultColumn }[] = [];

  find(
    { requirements, priority }: PodInfo,
    budgetsVersion: number,
    slots: NodeSlots,
    search: CandidateSearch,
  ): LeastHarmful {
    const index = this.#columns.findIndex(({ pod }) => pod.requirements === requirements && pod.priority === priority);
    const [known] = index < 0 ? [] : this.#columns.splice(index, 1);
    const entry = known ?? {
      pod: { requirements, priority },
      column: new ResultColumn(budgetsVersion),
    };
    this.#columns.unshift(entry);
    this.#columns.length = Math.min(this.#columns.length, KINDS_MAX);
    if (entry.column.budgetsVersion !== budgetsVersion) entry.column = new ResultColumn(budgetsVersion);
    const { column } = entry;
    column.sync(slots);
    column.forget(search.ownSlots);
    const found = column.find(slots, search);
    column.forget(search.ownSlots);
    return found;
  }
}
