import type { AllocationForm } from '../../framework/column-forms.ts';
import type { SearchWindow } from '../../framework/node-search.ts';
import { ALL_TIES } from '../../framework/tie-break.ts';
import { Program } from '../../kernels/program.ts';
import { assert } from '../../lib/assert.ts';
import { putFirst, smallest } from '../../lib/smallest.ts';
import type { Column } from '../../memory/column-table.ts';
import type { SharedMemory } from '../../memory/shared-memory.ts';
import type { TopologyRules } from '../topology/topology-rules.ts';
import type { NodeVerdicts } from '../verdicts/node-verdicts.ts';
import type { EngineModules } from './engine-modules.ts';
import { FIELD, LARGEST_INVERTIBLE, STOP } from './layout.ts';
import { NodeEnv } from './node-env.ts';
import type { NodeMask } from './node-mask.ts';
import { NodeSearchRecord, type WindowBest } from './node-search-record.ts';
import type { PodSignature } from './pod-signature.ts';
import { SignatureTotals } from './signature-totals.ts';
import type { TotalsBlock } from './totals-block.ts';
import { type BlockForm, TotalsBlocks } from './totals-blocks.ts';
import { TotalsColumn, type TotalsColumnModules } from './totals-column.ts';
import { type TotalsForm, totalsFormOf } from './totals-form.ts';
import { TotalsScan } from './totals-scan.ts';

/** The most pods that one call of the kernel places. */
export const RUN_LENGTH = 4096;
const SHORTEST_RUN = 4;
/** A queued pod takes three words: a reference to its column, its only slot or ANY_SLOT, and its ordered totals. */
const QUEUED_WORDS = 3;
/** The pod may be placed on any node. */
export const ANY_SLOT = -1;
/** The result for each placed pod takes three words: slot, total, feasible nodes. */
const RESULT_WORDS = 3;
const NO_MASKS: readonly NodeMask[] = [];
const NO_RULES: TopologyRules = { rules: [], spread: [], keyless: 'none', affinity: [], kept: null };

interface SignatureIndexModules extends EngineModules {
  /** Undefined if no plugin scores by what is allocated. */
  readonly fit: AllocationForm | undefined;
}

interface Best {
  readonly total: number;
  /** The best slots in the order in which their nodes were added; valid until the next call. */
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
  /** The results of the last run, `RESULT_WORDS` for each pod. */
  readonly results: Int32Array;
  readonly #modules: SignatureIndexModules;
  readonly #columnModules: TotalsColumnModules;
  /** The queued pods, `QUEUED_WORDS` for each. */
  readonly #queued: Int32Array;
  readonly #queue: SignatureTotals[] = [];
  #queueLength = 0;
  readonly #blocks: TotalsBlocks;
  #run = 1;
  #runLimit = RUN_LENGTH;
  #tiesColumn: Column<'i32'> | null = null;
  #searchRecord: NodeSearchRecord | null = null;
  #totalsScan: TotalsScan | null = null;

  constructor(modules: SignatureIndexModules, isOn: boolean) {
    const { kernels, memory, columns, runner, fit } = modules;
    this.isOn = isOn;
    this.#modules = modules;
    const env = new NodeEnv(modules, fit);
    this.env = env;
    // With an index, totals of all nodes are computed only for a signature's first pod, or after many changes.
    const program = new Program(memory, isOn);
    this.#columnModules = { kernels, memory, runner, env, program };
    this.#queued = newWords(memory, RUN_LENGTH * QUEUED_WORDS, 'queue of a run');
    this.results = newWords(memory, RUN_LENGTH * RESULT_WORDS, 'results of a run');
    const noIds = columns.table.add('u16', 'verdict ids of an empty column');
    const rejection = memory.allocate(Int16Array.BYTES_PER_ELEMENT, 'totals of an empty column');
    new Int16Array(memory.memory.buffer, rejection, 1).fill(-1);
    const empty = {
      get ids(): number {
        return noIds.pointer;
      },
      totals: rejection,
    };
    const maxima = new Program(memory, true);
    this.#blocks = new TotalsBlocks({ kernels, memory, runner, env, program, maxima, empty }, isOn);
  }

  /** A column for lists of tied slots. */
  get #ties(): Column<'i32'> {
    this.#tiesColumn ??= this.#modules.columns.table.add('i32', 'ties');
    return this.#tiesColumn;
  }

  get search(): NodeSearchRecord {
    this.#searchRecord ??= new NodeSearchRecord(this.#modules, this.#ties);
    return this.#searchRecord;
  }

  get #scan(): TotalsScan {
    this.#totalsScan ??= new TotalsScan({ env: this.env, ...this.#modules }, this.#ties, this.results);
    return this.#totalsScan;
  }

  /** Whether all amounts in the columns are small enough for exact totals. */
  get isUsable(): boolean {
    const { columns } = this.#modules;
    return !columns.isInexact && columns.largestAmount <= LARGEST_INVERTIBLE;
  }

  /** Releases all blocks; called before columns move, or there are more slots than rows. */
  clear(): void {
    this.#blocks.clear();
  }

  /** Extends the tables of the signatures with these verdicts, in which kernels look up the new verdict id. */
  readonly idAdded = (verdicts: NodeVerdicts): void => {
    for (const signatureTotals of [...this.#blocks.totalsWith(verdicts)]) signatureTotals.idAdded();
  };

  /** Follows a node whose verdict id has changed. */
  readonly idChanged = (slot: number, verdicts: NodeVerdicts, before: number): void => {
    for (const signatureTotals of this.#blocks.totalsWith(verdicts)) signatureTotals.idChanged(slot, before);
    this.env.touch(slot, this.#modules.cluster.slotCount);
  };

  /** The slot on which pod `i` of the last run was placed. */
  slot(i: number): number {
    return this.results[i * RESULT_WORDS] ?? -1;
  }

  total(i: number): number {
    return this.results[i * RESULT_WORDS + 1] ?? -1;
  }

  feasibleNodes(i: number): number {
    return this.results[i * RESULT_WORDS + 2] ?? 0;
  }

  /** The number of the present run. */
  get run(): number {
    return this.#run;
  }

  /** Gives up the totals of a signature that is given up. */
  release(signature: PodSignature): void {
    signature.totals?.release();
  }

  /** Counts a decision without the index. */
  nextRun(): void {
    this.#run++;
  }

  /** Starts a run with an empty queue. */
  begin(): void {
    this.env.renew(this.#modules.cluster.slotCount);
    if (this.env.takeMoved()) this.clear();
    this.#queueLength = 0;
    this.#run++;
  }

  /**
   * Returns the totals of a signature, ready for use in this run; null if it cannot have any, or no totals column is
   * free. Its verdicts must be up to date.
   */
  totalsOf(signature: PodSignature): SignatureTotals | null {
    const signatureTotals = signature.totals === undefined ? this.#newSignatureTotals(signature) : signature.totals;
    if (signatureTotals === null || signatureTotals.lastRun === this.#run) return signatureTotals;
    signatureTotals.refresh();
    signatureTotals.lastRun = this.#run;
    return signatureTotals;
  }

  /** Queues a pod with these totals, perhaps for one slot only; returns false if the run is full. */
  enqueue(signatureTotals: SignatureTotals, slot = ANY_SLOT): boolean {
    if (this.#queueLength === this.#runLimit) return false;
    const word = this.#queueLength * QUEUED_WORDS;
    this.#queued[word] = signatureTotals.reference;
    this.#queued[word + 1] = slot;
    this.#queue[this.#queueLength++] = signatureTotals;
    return true;
  }

  /** Places the queued pods up to the first that fits nowhere, and charges their nodes; returns how many. */
  place(): number {
    const { kernels } = this.#modules;
    let placed = 0;
    while (placed < this.#queueLength) {
      placed += kernels.placePods(
        this.env.pointer,
        this.#queued.byteOffset + placed * QUEUED_WORDS * 4,
        this.#queueLength - placed,
        this.results.byteOffset + placed * RESULT_WORDS * 4,
      );
      const { stopReason } = this.env;
      if (stopReason === STOP.none || stopReason === STOP.infeasible) break;
      const signatureTotals = this.#queue[placed];
      assert(signatureTotals !== undefined, 'a run stops at one of its pods');
      if (stopReason === STOP.stale) signatureTotals.block.rescan();
      else signatureTotals.renormalize();
    }
    return this.#afterRun(placed);
  }

  /**
   * Places the queued pods as `place` does, each by a search that begins where the one before ended. `isUpstream`:
   * upstream's choice among ties, instead of the first. Returns how many were placed, and how many nodes the searches
   * have advanced.
   */
  placeBySearch(window: SearchWindow, isUpstream: boolean): { readonly placed: number; readonly advanced: number } {
    const { kernels, cluster } = this.#modules;
    const search = this.search;
    search.begin(window, isUpstream);
    let placed = 0;
    for (let isStopped = true; isStopped; ) {
      const ready = this.#orderTotals(placed);
      if (ready === placed) break;
      placed += kernels.placeBySearch(
        this.env.pointer,
        this.#queued.byteOffset + placed * QUEUED_WORDS * 4,
        ready - placed,
        this.results.byteOffset + placed * RESULT_WORDS * 4,
        search.pointer,
      );
      const { stopReason } = this.env;
      const signatureTotals = this.#queue[placed];
      isStopped = stopReason === STOP.stale || stopReason === STOP.normalize;
      if (stopReason === STOP.stale) signatureTotals?.block.rescan();
      else if (stopReason === STOP.normalize) signatureTotals?.renormalize();
    }
    const advanced = (search.start - window.start + cluster.nodeCount) % cluster.nodeCount;
    return { placed: this.#afterRun(placed), advanced };
  }

  /** Returns the first queued pod, from this one on, for whose totals in snapshot order there is no room. */
  #orderTotals(from: number): number {
    for (let i = from; i < this.#queueLength; i++) {
      const word = i * QUEUED_WORDS;
      const ordered = this.#queued[word + 1] === ANY_SLOT ? this.#queue[i]?.ordered(this.search.order) : 0;
      if (ordered === null || ordered === undefined) return i;
      this.#queued[word + 2] = ordered;
    }
    return this.#queueLength;
  }

  #afterRun(placed: number): number {
    // If few pods fit, most of a long run would be queued in vain.
    this.#runLimit =
      placed === this.#queueLength
        ? Math.min(RUN_LENGTH, this.#runLimit * 2)
        : Math.max(SHORTEST_RUN, Math.ceil(this.#runLimit / 4), placed * 2);
    return placed;
  }

  /** Returns the best nodes; null if the pod fits nowhere. `wanted` and `ordered` are those of `listBest`. */
  best(signatureTotals: SignatureTotals, wanted: number, ordered = wanted): Best | null {
    if (this.isOn) return this.#bestByTree(signatureTotals, wanted, ordered);
    const best = this.#scan.best(signatureTotals, wanted === 1);
    return best === null ? null : { total: best.total, slots: this.inOrder(best.slots, ordered) };
  }

  /**
   * Returns the best nodes in a search window, for a pod with these rules about other pods and these masks; null if no
   * node is feasible, there is no room for a search, or the index is off and scores depend on which nodes are found.
   * `isUpstream`: no other tie than upstream's choice is wanted.
   */
  bestInWindow(
    signatureTotals: SignatureTotals,
    window: SearchWindow,
    isUpstream: boolean,
    rules: TopologyRules | null = null,
    masks: readonly NodeMask[] = NO_MASKS,
  ): WindowBest | null {
    const isPlain = rules === null && masks.length === 0;
    if (!this.isOn) return isPlain ? this.#scan.bestInWindow(signatureTotals, window) : null;
    const { block, number } = signatureTotals;
    const search = this.search;
    this.catchUp(block);
    if (block.hasBit(FIELD.dirty, number)) signatureTotals.renormalize();
    search.begin(window, isUpstream);
    if (!isPlain && !search.addRules(rules ?? NO_RULES, signatureTotals.topologyWeights, masks)) return null;
    const ordered = signatureTotals.ordered(search.order);
    if (ordered === null) return null;
    this.#modules.kernels.searchNodes(this.env.pointer, block.pointer, number, ordered, search.pointer);
    return search.result();
  }

  /** The best nodes of the last search in the order in which they were added, at least `wanted` if so many exist. */
  tiesInWindow({ ties }: WindowBest, wanted: number): Int32Array {
    // If slots are not in the order of their nodes, all must be known to find the first.
    const limit = this.env.isOrdered ? wanted : ALL_TIES;
    return this.inOrder(smallest(this.#ties.values.subarray(0, ties), limit));
  }

  /** Returns the slot that upstream would choose among the nodes with the best total, which was just found. */
  rootOfTies(signatureTotals: SignatureTotals, total: number, start: number): number {
    const { kernels, columns, cluster } = this.#modules;
    const { pointer, stride } = signatureTotals.totalsIn(this.isOn ? undefined : this.#scan.totals);
    const order = columns.snapshotOrder(cluster.snapshotOrder()).pointer;
    return kernels.rootOfTies(pointer, stride, order, cluster.nodeCount, start, total);
  }

  #bestByTree(signatureTotals: SignatureTotals, wanted: number, ordered: number): Best | null {
    this.catchUp(signatureTotals.block);
    if (signatureTotals.block.hasBit(FIELD.dirty, signatureTotals.number)) signatureTotals.renormalize();
    const total = signatureTotals.bestTotal;
    if (total < 0) return null;
    if (wanted === 1) return { total, slots: Int32Array.of(this.firstBest(signatureTotals)) };
    return { total, slots: this.listBest(signatureTotals, wanted, ordered) };
  }

  /** The total of a slot; -1 if the pod does not fit. The scores in it need not be normalised. */
  totalAt(signatureTotals: SignatureTotals, slot: number): number {
    this.catchUp(signatureTotals.block);
    return signatureTotals.totalAt(slot);
  }

  /** Updates the block's rows from the log of changed nodes, or computes all of them. */
  catchUp(block: TotalsBlock): void {
    if (!this.#modules.kernels.syncBlock(this.env.pointer, block.pointer)) block.rescan();
  }

  /**
   * Lists the slots with the column's best total, at least `wanted` if there are so many; valid until the next call. As
   * many as `ordered` begin the list in the order in which their nodes were added.
   */
  listBest({ block, number }: TotalsColumn, wanted = ALL_TIES, ordered = wanted): Int32Array {
    // If slots are not in the order of their nodes, all must be known to find the first.
    const limit = this.env.isOrdered ? wanted : ALL_TIES;
    const ties = this.#modules.kernels.listBest(block.pointer, number, this.#ties.pointer, limit);
    return this.inOrder(this.#ties.values.subarray(0, ties), ordered);
  }

  /** Returns the first of the slots that `listBest` lists. */
  firstBest({ block, number }: TotalsColumn): number {
    return this.#modules.kernels.firstBest(this.env.pointer, block.pointer, number);
  }

  /** Charges the node with a pod of the column's signature; the result stands where a run's first would. */
  charge({ block, number }: TotalsColumn, slot: number, total: number, feasibleNodes: number): void {
    this.results[0] = slot;
    this.results[1] = total;
    this.results[2] = feasibleNodes;
    this.#modules.kernels.chargeNode(this.env.pointer, block.pointer, number, slot);
  }

  /** Sorts slots by the order in which their nodes were added; if only one is `wanted`, that one alone. */
  inOrder(slots: Int32Array, wanted = ALL_TIES): Int32Array {
    if (this.env.isOrdered) return slots;
    const order = this.#modules.columns.fixed.order.values;
    if (wanted > 1) return slots.sort((a, b) => (order[a] ?? 0) - (order[b] ?? 0));
    putFirst(slots, order);
    return slots;
  }

  #newSignatureTotals(signature: PodSignature): SignatureTotals | null {
    const form = this.formOf(signature);
    if (form === null) signature.totals = null;
    if (form === null) return null;
    const block = this.#blockFor(form);
    if (block !== null) return new SignatureTotals(this.#columnModules, block, signature, form);
    form.extraEntries.release();
    return null;
  }

  /** Returns null if pods of the signature cannot be placed by index. */
  formOf(signature: PodSignature): TotalsForm | null {
    return totalsFormOf(signature, this.#modules);
  }

  /**
   * Makes a totals column that the caller keeps up to date; null if none is free. It may be released any time after
   * this run.
   */
  newColumn(signature: PodSignature, form: TotalsForm, ids: Column<'u16'>): TotalsColumn | null {
    // A set of columns by bucket is used as one, so that it needs more of them than pods with rare resources have.
    const block = this.#blockFor({ isStandard: form.isStandard, holders: null });
    if (block === null) return null;
    const signatureTotals = new TotalsColumn(this.#columnModules, block, signature, form, ids);
    signatureTotals.lastRun = this.#run;
    return signatureTotals;
  }

  #blockFor(form: BlockForm): TotalsBlock | null {
    return this.#blocks.withFreeColumn(form, Math.min(this.#modules.columns.table.capacity, this.env.rows), this.#run);
  }
}

function newWords(memory: SharedMemory, length: number, owner: string): Int32Array {
  const pointer = memory.allocate(length * Int32Array.BYTES_PER_ELEMENT, owner);
  return new Int32Array(memory.memory.buffer, pointer, length);
}
