import type { ClusterState } from '../../framework/cluster/cluster-state.ts';
import type { AllocationForm } from '../../framework/column-forms.ts';
import type { SearchWindow } from '../../framework/node-search.ts';
import type { Framework } from '../../framework/runtime/framework.ts';
import { ALL_TIES } from '../../framework/tie-break.ts';
import type { Kernels } from '../../kernels/abi.ts';
import { Program } from '../../kernels/program.ts';
import { assert } from '../../lib/assert.ts';
import type { Column } from '../../memory/column-table.ts';
import type { NodeColumns } from '../../memory/node-columns.ts';
import { OutOfMemoryError, type SharedMemory } from '../../memory/shared-memory.ts';
import type { TaskRunner } from '../../pool/task-runner.ts';
import type { NodeVerdicts } from '../verdicts/node-verdicts.ts';
import { FIELD, LARGEST_INVERTIBLE, STOP } from './layout.ts';
import { NodeEnv } from './node-env.ts';
import type { PodSignature } from './pod-signature.ts';
import { SignatureTotals } from './signature-totals.ts';
import { TotalsBlock } from './totals-block.ts';
import { TotalsColumn, type TotalsColumnModules } from './totals-column.ts';
import { type TotalsForm, totalsFormOf } from './totals-form.ts';
import { treeBytes } from './totals-rows.ts';

/** Enough for 14 blocks, 112 signatures, at a million nodes; for thousands at 10,000. */
const BUDGET_BYTES = 256 * 1024 * 1024;
/** Descriptions without rows, for an index that is switched off. */
const MOST_DESCRIPTIONS = 4096;
/** Pods that one call of the kernel places at most. */
export const RUN_LENGTH = 4096;
const SHORTEST_RUN = 4;
/** Of a placed pod: slot, total, feasible nodes. */
const RESULT_WORDS = 3;

export interface SignatureIndexModules {
  readonly kernels: Kernels;
  readonly memory: SharedMemory;
  readonly columns: NodeColumns;
  readonly framework: Framework;
  readonly cluster: ClusterState;
  readonly runner: TaskRunner;
  /** undefined when no plugin scores by what is allocated. */
  readonly fit: AllocationForm | undefined;
}

export interface WindowBest extends Best {
  readonly feasibleNodes: number;
  readonly processed: number;
  /** Upstream's choice among the best. */
  readonly root: number;
}

interface Best {
  readonly total: number;
  /** In the order in which the nodes were learned of; valid until the next call. */
  readonly slots: Int32Array;
}

/**
 * The totals of pod signatures on every node, kept from pod to pod: a placement changes one row of each block, and a
 * tree of maxima finds the best node in a few steps. Blocks follow the log of changed nodes when one of their
 * signatures is next used; signatures that were not used for long make room for others.
 *
 * Switched off, the same totals are computed by a scan over all nodes for every pod.
 */
export class SignatureIndex {
  readonly isOn: boolean;
  readonly env: NodeEnv;
  /** Results of the last run, `RESULT_WORDS` a pod. */
  readonly #results: Int32Array;
  readonly #modules: SignatureIndexModules;
  readonly #columnModules: TotalsColumnModules;
  readonly #maxima: Program;
  readonly #references: Uint32Array;
  readonly #queue: SignatureTotals[] = [];
  #blocks: TotalsBlock[] = [];
  #run = 1;
  #runLimit = RUN_LENGTH;
  #tiesColumn: Column<'i32'> | null = null;
  #totalsColumn: Column<'i32'> | null = null;
  /** What totals columns without a signature read. */
  readonly #noIds: Column<'u16'>;
  readonly #rejection: number;

  constructor(modules: SignatureIndexModules, isOn: boolean) {
    const { memory, columns } = modules;
    this.isOn = isOn;
    this.#modules = modules;
    this.env = new NodeEnv(modules, modules.fit);
    // Indexed, totals of all nodes are computed for the first pod of a signature, or after many changes.
    this.#columnModules = { ...modules, env: this.env, program: new Program(modules.memory, isOn) };
    this.#maxima = new Program(modules.memory, true);
    const references = memory.allocate(RUN_LENGTH * Uint32Array.BYTES_PER_ELEMENT, 'queue of a run');
    this.#references = new Uint32Array(memory.memory.buffer, references, RUN_LENGTH);
    const words = RUN_LENGTH * RESULT_WORDS;
    const results = memory.allocate(words * Int32Array.BYTES_PER_ELEMENT, 'results of a run');
    this.#results = new Int32Array(memory.memory.buffer, results, words);
    this.#noIds = columns.table.add('u16', 'verdict ids of an empty column');
    this.#rejection = memory.allocate(Int16Array.BYTES_PER_ELEMENT, 'totals of an empty column');
    new Int16Array(memory.memory.buffer, this.#rejection, 1).fill(-1);
  }

  /** A list of ties. */
  get #ties(): Column<'i32'> {
    this.#tiesColumn ??= this.#modules.columns.table.add('i32', 'ties');
    return this.#tiesColumn;
  }

  /** Totals of a scan, two to a row. */
  get #totals(): Column<'i32'> {
    this.#totalsColumn ??= this.#modules.columns.table.add('i32', 'totals of a scan');
    return this.#totalsColumn;
  }

  /** Whether the numbers in the columns are such that totals can be trusted. */
  get isUsable(): boolean {
    const { columns } = this.#modules;
    return !columns.isInexact && columns.largestAmount <= LARGEST_INVERTIBLE;
  }

  /** Everything is forgotten: before columns move. */
  clear(): void {
    for (const block of this.#blocks) block.release();
    this.#blocks = [];
  }

  /** Nodes that were alike have different verdicts now: kernels must find a total for the new verdict id. */
  readonly idAdded = (verdicts: NodeVerdicts): void => {
    for (const { columns } of this.#blocks) {
      for (const signatureTotals of columns)
        if (signatureTotals instanceof SignatureTotals && signatureTotals.signature.verdicts === verdicts)
          extendTables(signatureTotals);
    }
  };

  /** Where pod `i` of the last run was placed. */
  slot(i: number): number {
    return this.#results[i * RESULT_WORDS] ?? -1;
  }

  total(i: number): number {
    return this.#results[i * RESULT_WORDS + 1] ?? -1;
  }

  feasibleNodes(i: number): number {
    return this.#results[i * RESULT_WORDS + 2] ?? 0;
  }

  /** The number of the present run. */
  get run(): number {
    return this.#run;
  }

  /** Starts a run: what was queued is forgotten. */
  begin(): void {
    this.env.renew(this.#modules.cluster.slotCount);
    if (this.env.takeMoved()) this.clear();
    this.#queue.length = 0;
    this.#run++;
  }

  /**
   * The totals of a signature, ready for use in this run; null when the signature cannot have one, or none is free. Its
   * verdicts have been brought up to date before.
   */
  totalsOf(signature: PodSignature): SignatureTotals | null {
    const signatureTotals = signature.totals === undefined ? this.#newSignatureTotals(signature) : signature.totals;
    if (signatureTotals === null || signatureTotals.lastRun === this.#run) return signatureTotals;
    signatureTotals.refresh();
    signatureTotals.lastRun = this.#run;
    return signatureTotals;
  }

  /** The next pod of the run is of this signature; false when the run is full. */
  enqueue(signatureTotals: SignatureTotals): boolean {
    if (this.#queue.length === this.#runLimit) return false;
    this.#references[this.#queue.length] = signatureTotals.reference;
    this.#queue.push(signatureTotals);
    return true;
  }

  /** Places the queued pods up to the first that fits nowhere; returns how many. Their nodes are charged. */
  place(): number {
    const { kernels } = this.#modules;
    const { pointer } = this.env;
    let placed = 0;
    while (placed < this.#queue.length) {
      placed += kernels.placePods(
        pointer,
        this.#references.byteOffset + placed * 4,
        this.#queue.length - placed,
        this.#results.byteOffset + placed * RESULT_WORDS * 4,
      );
      const { stopReason } = this.env;
      if (stopReason === STOP.none || stopReason === STOP.infeasible) break;
      const signatureTotals = this.#queue[placed];
      assert(signatureTotals !== undefined, 'a run stops at one of its pods');
      if (stopReason === STOP.stale) signatureTotals.block.rescan();
      else signatureTotals.renormalize();
    }
    // Where few pods fit, most of a long run would be queued in vain.
    const isDone = placed === this.#queue.length;
    this.#runLimit = isDone
      ? Math.min(RUN_LENGTH, this.#runLimit * 2)
      : Math.max(SHORTEST_RUN, Math.ceil(this.#runLimit / 4), placed * 2);
    return placed;
  }

  /** Where a pod of the signature goes best; null when it fits nowhere. Ties need not be listed beyond `wanted`. */
  best(signatureTotals: SignatureTotals, wanted: number): Best | null {
    return this.isOn ? this.#bestByTree(signatureTotals, wanted) : this.#bestByScan(signatureTotals, wanted === 1);
  }

  /**
   * The best of the nodes that a search sees; null when it finds none, or when scores depend on which it finds. Returns
   * also how many nodes it looked at.
   */
  bestInWindow(
    signatureTotals: SignatureTotals,
    { start, wanted }: SearchWindow,
    firstOnly: boolean,
  ): WindowBest | null {
    if (signatureTotals.isTracked) return null;
    const { kernels, columns, cluster } = this.#modules;
    if (this.isOn) this.catchUp(signatureTotals.block);
    const { pointer, stride } = signatureTotals.totalsIn(this.isOn ? undefined : this.#totals);
    kernels.selectInWindow(
      this.env.pointer,
      signatureTotals.block.pointer,
      signatureTotals.number,
      pointer,
      stride,
      columns.snapshotOrder(cluster.snapshotOrder()).pointer,
      cluster.nodeCount,
      start,
      wanted,
      columns.fixed.order.pointer,
      this.env.slots,
      this.#ties.pointer,
      this.#results.byteOffset,
    );
    const [total = -1, ties = 0, first = -1, found = 0, processed = 0, root = -1] = this.#results;
    if (found === 0) return null;
    const slots =
      ties === 1 || firstOnly ? Int32Array.of(first) : this.inOrder(this.#ties.values.slice(0, ties).sort());
    return { total, slots, feasibleNodes: found, processed, root };
  }

  /** Upstream's choice among the nodes with this total, the best of all, which was just found. */
  rootOfTies(signatureTotals: SignatureTotals, total: number, start: number): number {
    const { kernels, columns, cluster } = this.#modules;
    const { pointer, stride } = signatureTotals.totalsIn(this.isOn ? undefined : this.#totals);
    const order = columns.snapshotOrder(cluster.snapshotOrder()).pointer;
    return kernels.rootOfTies(pointer, stride, order, cluster.nodeCount, start, total);
  }

  #bestByTree(signatureTotals: SignatureTotals, wanted: number): Best | null {
    this.catchUp(signatureTotals.block);
    if (signatureTotals.block.hasBit(FIELD.dirty, signatureTotals.number)) signatureTotals.renormalize();
    const total = signatureTotals.bestTotal;
    if (total < 0) return null;
    return {
      total,
      slots: wanted === 1 ? Int32Array.of(this.firstBest(signatureTotals)) : this.listBest(signatureTotals, wanted),
    };
  }

  /** Follows the log of changed nodes, or scans all of them. */
  catchUp(block: TotalsBlock): void {
    if (!this.#modules.kernels.syncBlock(this.env.pointer, block.pointer)) block.rescan();
  }

  /**
   * The nodes with the totals column's best total, in the order in which they were learned of, those beyond `wanted`
   * perhaps left out; valid until the next call.
   */
  listBest({ block, number }: TotalsColumn, wanted = ALL_TIES): Int32Array {
    // Where slots do not stand in order, which nodes are the first shows only when all are known.
    const limit = this.env.isOrdered ? wanted : ALL_TIES;
    const ties = this.#modules.kernels.listBest(block.pointer, number, this.#ties.pointer, limit);
    return this.inOrder(this.#ties.values.subarray(0, ties));
  }

  /** The first of those. */
  firstBest({ block, number }: TotalsColumn): number {
    return this.#modules.kernels.firstBest(this.env.pointer, block.pointer, number);
  }

  /** The node gets a pod of the totals column's signature; the result stands where a run's first would. */
  charge({ block, number }: TotalsColumn, slot: number, total: number, feasibleNodes: number): void {
    this.#results[0] = slot;
    this.#results[1] = total;
    this.#results[2] = feasibleNodes;
    this.#modules.kernels.chargeNode(this.env.pointer, block.pointer, number, slot);
  }

  #bestByScan(signatureTotals: SignatureTotals, firstOnly: boolean): Best | null {
    const { memory, cluster, columns } = this.#modules;
    const { total, ties, slot: first } = signatureTotals.bestIn(this.#totals, columns.fixed.order);
    if (ties === 0) return null;
    if (ties === 1 || firstOnly) return { total, slots: Int32Array.of(first) };
    const slots = new Int32Array(ties);
    const totals = new Int16Array(memory.memory.buffer, this.#totals.pointer, cluster.slotCount);
    for (let slot = 0, found = 0; found < ties; slot++) if (totals[slot] === total) slots[found++] = slot;
    return { total, slots: this.inOrder(slots) };
  }

  /** In the order in which the nodes were learned of. */
  inOrder(slots: Int32Array): Int32Array {
    if (this.env.isOrdered) return slots;
    const order = this.#modules.columns.fixed.order.values;
    return slots.sort((a, b) => (order[a] ?? 0) - (order[b] ?? 0));
  }

  #newSignatureTotals(signature: PodSignature): SignatureTotals | null {
    const form = this.formOf(signature);
    if (form === null) {
      signature.totals = null;
      return null;
    }
    const block = this.#blockFor(form);
    if (block !== null) return new SignatureTotals(this.#columnModules, block, signature, form);
    form.extraEntries.release();
    return null;
  }

  /** null: pods of the signature cannot be placed by index. */
  formOf(signature: PodSignature): TotalsForm | null {
    return totalsFormOf(signature, this.#modules);
  }

  /**
   * A totals column that somebody else looks after; null when none is free. It may be released any time after this run.
   */
  newColumn(signature: PodSignature, form: TotalsForm, ids: Column<'u16'>): TotalsColumn | null {
    const block = this.#blockFor(form);
    if (block === null) return null;
    const signatureTotals = new TotalsColumn(this.#columnModules, block, signature, form, ids);
    signatureTotals.lastRun = this.#run;
    return signatureTotals;
  }

  /**
   * A block of the form with a free totals column: an old one, a new one, or one that loses the signature used longest
   * ago.
   */
  #blockFor({ isStandard }: TotalsForm): TotalsBlock | null {
    const alike = this.#blocks.filter((block) => block.isStandard === isStandard);
    const roomy = alike.find(({ freeColumn }) => freeColumn >= 0);
    if (roomy !== undefined) return roomy;
    const rows = this.isOn ? this.#modules.columns.table.capacity : 0;
    const most = this.isOn ? Math.max(2, Math.floor(BUDGET_BYTES / treeBytes(rows))) : MOST_DESCRIPTIONS / 8;
    if (this.#blocks.length < most) {
      try {
        const empty = { ids: this.#noIds.pointer, totals: this.#rejection };
        const block = new TotalsBlock({ ...this.#columnModules, maxima: this.#maxima, empty }, isStandard, rows);
        this.#blocks.push(block);
        return block;
      } catch (error) {
        if (!(error instanceof OutOfMemoryError)) throw error;
      }
    }
    return this.#evictFrom(alike);
  }

  #evictFrom(blocks: readonly TotalsBlock[]): TotalsBlock | null {
    let oldest: TotalsColumn | null = null;
    for (const { columns } of blocks) {
      for (const signatureTotals of columns) {
        if (signatureTotals !== null && signatureTotals.lastRun < (oldest?.lastRun ?? this.#run))
          oldest = signatureTotals;
      }
    }
    if (oldest === null) return null;
    oldest.release();
    return oldest.block;
  }
}

/**
 * A totals column that gets no room for the new verdict id is given up: the kernels would look behind the end of its
 * tables.
 */
function extendTables(signatureTotals: SignatureTotals): void {
  try {
    signatureTotals.extendTables();
  } catch (error) {
    signatureTotals.release();
    if (!(error instanceof OutOfMemoryError)) throw error;
  }
}
