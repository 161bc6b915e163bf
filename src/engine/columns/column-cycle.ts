import { CycleState } from '../../framework/cycle-state.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { SearchWindow } from '../../framework/node-search.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { TallyContext } from '../../framework/post-filter.ts';
import type { Status } from '../../framework/status.ts';
import type { DrawTie, TieBreak } from '../../framework/tie-break.ts';
import type { BestSlot } from '../../kernels/registers.ts';
import { assert } from '../../lib/assert.ts';
import type { Column } from '../../memory/column-table.ts';
import type { Cycle, PluginScores, Selection } from '../cycle/engine.ts';
import { groupsOf, NodeStatuses, type SetStatus, type SlotGroups } from '../cycle/node-statuses.ts';
import type { PodSignature } from '../index/pod-signature.ts';
import type { TopologyPlan } from '../topology/topology-plan.ts';
import { AttemptFilters } from './attempt-filters.ts';
import type { ColumnCycleModules } from './column-cycle-modules.ts';
import { ColumnScores } from './column-scores.ts';
import type { FitStatuses } from './fit-statuses.ts';
import { FullScan, type ScanSubject } from './full-scan.ts';
import type { KeptRows } from './kept-rows.ts';
import { type Correction, canKeepStatuses, correction, KeptStatuses } from './kept-statuses.ts';
import {
  type JudgedPod,
  NOTHING_NOMINATED,
  type NominatedVerdicts,
  type OwnNomination,
  replaceVerdicts,
} from './nominated-nodes.ts';
import { Shortages } from './shortages.ts';
import { KernelSelection, SlotSearch } from './slot-search.ts';
import { type StatusOf, slotStatuses } from './slot-statuses.ts';
import { tallyContext } from './tally-context.ts';

const NO_SLOTS: readonly number[] = [];

/** A scheduling attempt over columns. One object serves all attempts of an engine, one after the other. */
export class ColumnCycle implements Cycle {
  rejected: Status | null = null;
  readonly failure = null;
  processed = 0;
  readonly #modules: ColumnCycleModules;
  readonly #fitPosition: number;
  readonly #selection: KernelSelection;
  /** The column that belongs to this cycle and may be written. */
  readonly #work: Column<'i32'>;
  /** The column in use: `#work`, or the column that is kept for the signature. */
  #feasible: Column<'i32'>;
  readonly #scores: ColumnScores;
  readonly #scan: FullScan;
  readonly #search: SlotSearch;
  #signature!: PodSignature;
  #plan: TopologyPlan | null = null;
  #kept: KeptRows | null = null;
  /** A PreFilter state of all plugins, made when a plugin's own methods must be called. */
  #judged: CycleState | null = null;
  /** Undefined until it is asked for. */
  #tallied: TallyContext | null | undefined;
  #pod!: PodInfo;
  /** The pod's nominated node, which is filtered first; if it is feasible, no other node is filtered. */
  #own: OwnNomination | null = null;
  /** The verdicts on nodes where other pods are nominated, of which the kernels know nothing. */
  #nominated: NominatedVerdicts = NOTHING_NOMINATED;
  readonly #shortages: Shortages;
  readonly #attemptFilters: AttemptFilters;
  /** Null if no such filter is asked in this attempt. */
  #asked: AttemptFilters | null = null;
  #statuses: NodeStatuses | null = null;
  #slots = 0;
  /** The number of nodes that `filter` found. */
  #feasibleCount = 0;

  constructor(modules: ColumnCycleModules) {
    this.#modules = modules;
    const { framework, memory, columns } = modules;
    this.#attemptFilters = new AttemptFilters(modules);
    this.#fitPosition = framework.filterPlugins.findIndex((plugin) => plugin.resourceFilter !== undefined);
    this.#selection = new KernelSelection(memory);
    this.#work = columns.table.add('i32', 'feasible');
    this.#feasible = this.#work;
    this.#search = new SlotSearch(modules, this.#selection);
    this.#scores = new ColumnScores(modules);
    this.#scan = new FullScan(modules, this.#scores);
    this.#shortages = new Shortages(modules.resourceKernels, () => this.#scores.raw);
  }

  begin(signature: PodSignature, pod: PodInfo, plan: TopologyPlan | null, kept: KeptRows | null): void {
    const { framework, cluster } = this.#modules;
    this.#signature = signature;
    this.#plan = plan;
    this.#kept = kept;
    this.#judged = null;
    this.#tallied = undefined;
    this.#pod = pod;
    this.#own = null;
    this.#nominated = NOTHING_NOMINATED;
    this.#statuses = null;
    this.#slots = cluster.slotCount;
    this.rejected = framework.rejectedByPreFilter(signature.preFilter, cluster, pod);
    this.#asked = null;
    // While a nominated node is left, no other node may have to be filtered.
    if (this.rejected === null && pod.nominatedNodeName === '') this.#beginAsking();
  }

  #beginAsking(): void {
    if (this.#attemptFilters.begin(this.#signature)) this.#asked = this.#attemptFilters;
  }

  get limitedBy(): readonly string[] {
    return this.#signature.preFilter.limitedBy;
  }

  /** The PreFilter of the two plugins that a plan replaces counts every pod, so that it runs only on demand. */
  get state(): CycleState {
    if (this.#plan === null) return this.#signature.state;
    if (this.#judged === null) {
      const { framework, cluster } = this.#modules;
      const state = new CycleState();
      framework.runPreFilter(state, this.#pod, cluster);
      // The filters of which this attempt knows that they accept every node.
      for (const name of this.#signature.attemptFilters) {
        if (this.#signature.state.skipFilter.has(name)) state.skipFilter.add(name);
      }
      this.#judged = state;
    }
    return this.#judged;
  }

  get podState(): CycleState {
    return this.#judged ?? this.#signature.state;
  }

  get tallied(): TallyContext | null {
    const { framework } = this.#modules;
    if (this.#tallied === undefined) this.#tallied = tallyContext(framework, this.#signature, this.#plan, this.#asked);
    return this.#tallied;
  }

  get #judgedPod(): JudgedPod {
    const { verdicts, preFilter } = this.#signature;
    const isLimited = preFilter.nodeNames !== null;
    return { verdicts, isLimited, tallied: () => this.tallied, judged: () => this.state };
  }

  filter(window: SearchWindow): number | null {
    const { start, wanted } = window;
    const { preFilter } = this.#signature;
    this.#search.begin(start, this.#slots);
    this.processed = 0;
    this.#own = this.#modules.nominatedNodes.own(this.#judgedPod, this.#pod);
    this.#feasibleCount = 1;
    if (this.#own?.status === null) return 1;
    if (this.#pod.nominatedNodeName !== '') {
      this.#beginAsking();
      this.#tallied = undefined;
    }
    let feasible = this.#filterNodes(window);
    if (feasible === null) return null;
    this.#search.reachAll();
    const isWhole = start === 0 && feasible <= wanted;
    if (!isWhole) {
      this.#ownFeasible();
      feasible = this.#search.find(this.#feasible, wanted);
    }
    this.#feasibleCount = feasible;
    this.processed = this.#search.countProcessed(preFilter.nodeNames, this.#own?.node ?? null);
    return feasible;
  }

  /**
   * Filters every node, or those that the search reaches; returns how many are feasible, and null if a filter failed.
   */
  #filterNodes(window: SearchWindow): number | null {
    const { kernels, cluster } = this.#modules;
    const isWhole = window.start === 0 && window.wanted >= cluster.nodeCount;
    const isCorrected = Boolean(this.#plan?.filters) || this.#own !== null || cluster.hasNominations;
    const kept = this.#kept;
    let count: number;
    if (kept === null) {
      this.#feasible = this.#work;
      const isLast = isWhole && !isCorrected && this.#asked === null;
      count = this.#scan.filter(this.#scanSubject(), isLast && this.#isScanned);
    } else {
      kept.sync(this.#signature, this.#slots);
      this.#feasible = kept.feasible;
      count = kept.feasibleCount;
    }
    // Where the columns accept no node there is none that further filters could reject.
    const isEmpty = count === 0;
    if (this.#asked !== null && !isEmpty) {
      // Later steps reject nodes, too, so that the search may reach any node.
      const reached = isCorrected ? { start: 0, wanted: cluster.nodeCount } : window;
      const passed = this.#asked.filter(this.#feasible.values, count, reached, this.#ownFeasible);
      if (passed === null) return null;
      count = passed;
    }
    if (this.#plan?.filters) {
      if (!isEmpty) this.#ownFeasible();
      const slots = isEmpty ? 0 : this.#slots;
      this.#plan.filter(kernels, this.#work, slots, this.#modules.framework.activeTrace.trace);
      if (!isEmpty) count = kernels.countFeasible(this.#work.pointer, 0, slots);
    }
    return count + this.#correctNominated(count);
  }

  /** Whether a scan scores the nodes: nothing is kept, and no plugin outside the plan scores by a method. */
  get #isScanned(): boolean {
    const { preScore } = this.#signature;
    if (this.#kept !== null || preScore === null || preScore.failure !== null) return false;
    return preScore.scores.every(({ plugin }) => plugin.topology !== undefined || plugin.normalizeScores === undefined);
  }

  #scanSubject(): ScanSubject {
    const slots = { from: 0, to: this.#slots };
    return { signature: this.#signature, feasible: this.#feasible, slots, isFinal: this.#plan === null };
  }

  /** Makes the feasible column writable by copying it, because the rows kept for the signature must not change. */
  readonly #ownFeasible = (): Int32Array => {
    if (this.#feasible !== this.#work) {
      this.#work.values.set(this.#feasible.values.subarray(0, this.#slots));
      this.#feasible = this.#work;
    }
    return this.#work.values;
  };

  feasibleNodes(): readonly NodeInfo[] {
    if (this.#own?.status === null) return [this.#own.node];
    return Array.from(this.#search.found(this.#feasible), (slot) => this.#mustNode(slot));
  }

  rejections(): Iterable<readonly [NodeInfo, Status]> {
    return this.nodeStatuses().rejections();
  }

  reasonCounts(): Map<string, number> {
    const kept = this.#statuses === null ? this.#keptStatuses() : null;
    if (kept === null) return this.nodeStatuses().reasonCounts();
    const byPlan = this.#countByPlan()?.() ?? null;
    return byPlan === null ? kept.reasonCounts(this.#correction(kept)) : kept.reasonCountsAnd(byPlan);
  }

  /**
   * Returns what counts the nodes that the plan rejects, by status, if it alone rejects what the signature's verdicts
   * and resources accept; null if others reject some of these nodes, or some node is feasible.
   */
  #countByPlan(): ((mark?: SetStatus) => Map<Status, number> | null) | null {
    const { kernels, cluster } = this.#modules;
    const [kept, plan] = [this.#kept, this.#plan];
    if (kept === null || !plan?.filters || this.#feasible !== this.#work) return null;
    if (this.#own !== null || cluster.hasNominations || this.#feasibleCount > 0) return null;
    if (this.#asked !== null && this.#asked.rejectedSlots.length > 0) return null;
    // Each node becomes infeasible once more.
    return (mark) => plan.countRejections(kernels, kept, this.#work, this.#slots, mark);
  }

  nodeStatuses(): NodeStatuses {
    if (this.#statuses !== null) return this.#statuses;
    const { cluster } = this.#modules;
    const order = cluster.snapshotOrder();
    const kept = this.#keptStatuses();
    const groups = kept === null ? groupsOf(order, this.#slots, this.#statusOf()) : this.#groupsOf(kept);
    this.#statuses = new NodeStatuses(cluster, order, groups, cluster);
    return this.#statuses;
  }

  #groupsOf(kept: KeptStatuses): SlotGroups {
    const countByPlan = this.#countByPlan();
    if (countByPlan !== null) {
      const groups = kept.groups(this.#slots, null);
      if (countByPlan((slot, status) => groups.set(slot, status)) !== null) return groups;
    }
    return kept.groups(this.#slots, this.#correction(kept));
  }

  /** The statuses that are kept for the signature; null if there are none, or they are of no use. */
  #keptStatuses(): KeptStatuses | null {
    const kept = this.#kept;
    const { cluster, framework } = this.#modules;
    const isWhole = this.#own?.status !== null && this.#search.isWhole;
    if (kept === null || !isWhole || !canKeepStatuses(framework, this.#signature, this.#plan)) return null;
    kept.statuses ??= new KeptStatuses(cluster, this.#shortages, this.#fitPosition, this.#signature);
    kept.statuses.sync(kept.feasible.values, this.#slots, this.#nominated);
    return kept.statuses;
  }

  #correction({ fit }: KeptStatuses): Correction | null {
    const before = this.#kept?.feasible ?? this.#feasible;
    const mayBeAny = this.#plan?.filters && this.#kept?.feasibleCount !== 0;
    return correction(before, this.#feasible, this.#slots, {
      own: this.#own,
      nominated: this.#nominated,
      filtered: mayBeAny ? null : (this.#asked?.rejectedSlots ?? NO_SLOTS),
      statusOf: () => this.#statusOf(fit),
    });
  }

  #statusOf(fit?: FitStatuses): StatusOf {
    const { rejected } = this;
    const own = this.#own;
    if (rejected !== null) return () => rejected;
    if (own?.status === null) return () => null;
    const signature = this.#signature;
    return slotStatuses({
      signature,
      feasible: this.#feasible.values,
      fit: fit ?? this.#shortages.statuses(signature, this.#shortages.of(signature, this.#slots)),
      fitPosition: this.#fitPosition,
      attemptFilters: this.#asked,
      plan: this.#plan,
      own: own === null ? null : { slot: own.node.slot, status: own.status },
      nominated: this.#nominated.verdicts,
      reach: this.#search.reach,
    });
  }

  /** Replaces the kernels' verdicts on nodes with nominated pods; returns how many more than `count` are feasible. */
  #correctNominated(count: number): number {
    if (!this.#modules.cluster.hasNominations) return 0;
    const { activeTrace } = this.#modules.framework;
    activeTrace.trace?.start('nominatedNodes');
    this.#nominated = this.#modules.nominatedNodes.judge(this.#judgedPod, this.#pod);
    activeTrace.trace?.end();
    return replaceVerdicts(this.#ownFeasible, count, this.#nominated.verdicts);
  }

  score(): Status | null {
    return this.#scores.score({
      signature: this.#signature,
      plan: this.#plan,
      kept: this.#kept,
      scan: this.#isScanned ? this.#scan : null,
      feasible: this.#feasible,
      feasibleNodes: () => this.feasibleNodes(),
      slots: this.#slots,
      range: this.#search.range,
    });
  }

  select(tieBreak: TieBreak, draw: DrawTie): Selection {
    const { kernels, columns } = this.#modules;
    const selection = this.#selection;
    if (tieBreak === 'upstream') {
      const found = this.#search.found(this.#feasible);
      kernels.selectHeapRoot(this.#search.list.pointer, found.length, this.#scores.total.pointer, selection.pointer);
    } else if (this.#scores.best !== null) {
      return this.#chosen(this.#scores.best, tieBreak, draw);
    } else {
      const [total, { order }] = [this.#scores.total.pointer, columns.fixed];
      kernels.selectBest(total, this.#feasible.pointer, order.pointer, selection.pointer, 0, this.#slots);
    }
    const [total = 0, ties = 0, slot = -1] = selection.values;
    return this.#chosen({ total, ties, slot }, tieBreak, draw);
  }

  #chosen({ total, ties, slot: first }: BestSlot, tieBreak: TieBreak, draw: DrawTie): Selection {
    const slot = ties > 1 && tieBreak === 'random' ? this.#drawTie(total, ties, first, draw) : first;
    return { node: this.#mustNode(slot), total, ties };
  }

  total(node: NodeInfo): number {
    return this.#scores.total.values[node.slot] ?? 0;
  }

  pluginScores(): readonly PluginScores[] {
    return this.#scores.pluginScores();
  }

  #mustNode(slot: number): NodeInfo {
    const node = this.#modules.cluster.nodeAt(slot);
    assert(node !== undefined, `slot ${slot} holds no node`);
    return node;
  }

  #drawTie(total: number, ties: number, first: number, draw: DrawTie): number {
    let listed: Int32Array | null = null;
    const slotOf = (rank: number): number => {
      listed ??= this.#scores.ties(total, ties, this.#feasible, this.#slots);
      return listed[rank] ?? first;
    };
    const rank = draw(ties, (each) => this.#mustNode(slotOf(each)).name);
    return rank === 0 ? first : slotOf(rank);
  }
}
