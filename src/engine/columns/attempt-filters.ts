import type { ClusterState } from '../../framework/cluster/cluster-state.ts';
import type { CycleState } from '../../framework/cycle-state.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { SearchWindow } from '../../framework/node-search.ts';
import {
  type FilterPlugin,
  hasMethod,
  type NodeFeed,
  type NodeParts,
  type Plugin,
  readsCluster,
} from '../../framework/plugin.ts';
import type { Standing } from '../../framework/post-filter.ts';
import { type Framework, filterRejection } from '../../framework/runtime/framework.ts';
import { answersOnePod } from '../../framework/runtime/tallied-filters.ts';
import { SlotAnswers } from '../../framework/slot-answers.ts';
import type { Status } from '../../framework/status.ts';
import type { PodSignature } from '../index/pod-signature.ts';
import type { NodeAttributes } from '../verdicts/node-attributes.ts';
import type { NodeLookSets } from '../verdicts/node-looks.ts';
import type { Verdict } from '../verdicts/verdict-table.ts';
import { nodeFeed } from './attempt-masks.ts';
import type { ColumnCycleModules } from './column-cycle-modules.ts';
import type { KeptRejections } from './kept-rejections.ts';
import { SlotVerdicts } from './slot-verdicts.ts';

const INFEASIBLE = 0;
const NO_SLOTS: readonly number[] = [];
/** The number of statuses that are kept, so that equal ones are one object. */
const MOST_STATUSES = 1000;

/** The plugins with answers about some pods that depend on the whole cluster. */
export function clusterReaders(framework: Framework): readonly Plugin[] {
  return allPlugins(framework).filter(readsCluster);
}

/**
 * Whether the readers can filter after the columns of a signature that was made without them: none of them scores, or
 * only in attempts that `scoresInAttempt` finds, and all other filters come first. `state` is the PreFilter state
 * without the readers.
 */
export function canFilterLast(framework: Framework, readers: ReadonlySet<string>, state: CycleState): boolean {
  if (readers.size === 0) return true;
  const scores = (plugin: Plugin): boolean => {
    if (hasMethod(plugin, 'preScore')) return true;
    // A profile that leaves out a step fails when it scores, which only a cycle with all plugins can report.
    return hasMethod(plugin, 'score') && (plugin.scoresInAttempt === undefined || framework.isIncomplete);
  };
  const plugins = allPlugins(framework).filter(({ name }) => readers.has(name));
  if (plugins.some((plugin) => scores(plugin) && !plugin.neverScores)) return false;
  const isReader = framework.filterPlugins
    .filter(({ name, topology }) => readers.has(name) || !(topology || state.skipFilter.has(name)))
    .map(({ name }) => readers.has(name));
  return !isReader.includes(true) || !isReader.slice(isReader.indexOf(true)).includes(false);
}

/** Whether PreFilter excluded nodes in this attempt of which the verdicts of the signature know nothing. */
export function namesMoreNodes({ attemptFilters, preFilter }: PodSignature, kept: PodSignature): boolean {
  if (attemptFilters.size === 0 || preFilter.rejected !== null) return false;
  return preFilter.limitedBy.length > kept.preFilter.limitedBy.length;
}

function allPlugins({ preFilterPlugins, filterPlugins, preScorePlugins, scorePlugins }: Framework): Plugin[] {
  const scorers = scorePlugins.map(({ plugin }) => plugin);
  return [...new Set<Plugin>([...preFilterPlugins, ...filterPlugins, ...preScorePlugins, ...scorers])];
}

/** The combinations of parts that a filter reads. */
interface Looks {
  readonly count: number;
  of(slot: number): number;
  /** The parts, if they are all; null if the filter reads more. */
  readonly parts: NodeParts | null;
}

type AttemptFiltersModules = Pick<ColumnCycleModules, 'framework' | 'cluster' | 'attributes' | 'looks' | 'rejections'>;

/** A filter of the current attempt. */
interface AttemptFilter {
  readonly plugin: FilterPlugin;
  /** The position among the framework's filters. */
  readonly position: number;
  /** The combination of all parts that the filter reads, by slot; null if it reads more. */
  readonly looks: Looks | null;
  /** The verdicts by combination; undefined for one that no node has had yet. */
  readonly known: (Verdict | null | undefined)[];
  /** The slots that the filter may reject; null for any. */
  readonly suspects: ReadonlySet<number> | null;
}

/**
 * The filters that read more of the cluster than columns follow, such as claims and volumes. They are asked in every
 * attempt, after the columns, and only about nodes that the columns accept. A filter that says which parts of a node it
 * reads is asked once for all nodes with equal parts; one that says which nodes it may reject, only about those.
 *
 *   columns     ✓ ✓ ✗ ✓ ✓ ✓ ✗ ✓      by signature
 *   asked         ✓   ✗ ✓ ✓ .        in search order, until the search has found enough
 *   feasible      ✓     ✓ ✓
 */
export class AttemptFilters {
  readonly #framework: Framework;
  readonly #cluster: ClusterState;
  readonly #attributes: NodeAttributes;
  readonly #looks: NodeLookSets;
  readonly #kept: KeptRejections;
  readonly #nodes: NodeFeed;
  readonly #rejections = new SlotVerdicts<Verdict>();
  /** The verdicts by their text, so that equal ones are one object. */
  readonly #interned = new Map<string, Verdict>();
  #signature!: PodSignature;
  #filters: AttemptFilter[] = [];
  /** The verdicts of this attempt by the plugin's status, because many nodes are rejected by one object. */
  readonly #byStatus = new Map<Status, Verdict>();

  constructor({ framework, cluster, attributes, looks, rejections }: AttemptFiltersModules) {
    this.#framework = framework;
    this.#cluster = cluster;
    this.#attributes = attributes;
    this.#looks = looks;
    this.#kept = rejections;
    this.#nodes = nodeFeed(cluster);
  }

  /**
   * `signature` has the state of this attempt. Returns whether any filter is to be asked. A filter that sees no
   * difference between nodes and accepts one is marked as skipped in the state, because it accepts all.
   */
  begin(signature: PodSignature): boolean {
    const { state, pod, attemptFilters } = signature;
    this.#signature = signature;
    this.#rejections.clear();
    if (this.#byStatus.size > 0) this.#byStatus.clear();
    if (this.#interned.size > MOST_STATUSES) this.#interned.clear();
    this.#filters = [];
    if (attemptFilters.size === 0) return false;
    let position = -1;
    for (const plugin of this.#framework.filterPlugins) {
      position++;
      if (!attemptFilters.has(plugin.name) || state.skipFilter.has(plugin.name)) continue;
      const looks = this.#looksOf(plugin);
      const suspects = looks === null ? (plugin.attemptSuspects?.(state, pod, this.#nodes) ?? null) : null;
      const filter = { plugin, position, looks, known: [], suspects };
      if (looks?.count === 1 && this.#accepts(filter)) state.skipFilter.add(plugin.name);
      else this.#filters.push(filter);
    }
    return this.#filters.length > 0;
  }

  /** The combination of all that the filter reads in this attempt; null if it reads more. */
  #looksOf(plugin: FilterPlugin): AttemptFilter['looks'] {
    const { state, pod } = this.#signature;
    const parts = plugin.attemptLooksAt?.(state, pod) ?? null;
    if (parts !== null) return this.#combinationsOf(parts);
    const sight = plugin.attemptSees?.(state, pod) ?? null;
    const looks = sight === null ? null : this.#combinationsOf(sight.parts);
    if (sight === null || looks === null || sight.count === 1) return looks;
    const of = (slot: number): number =>
      looks.of(slot) * sight.count + sight.of(this.#cluster.nodeAt(slot) as NodeInfo);
    return { count: looks.count * sight.count, of, parts: null };
  }

  #combinationsOf(parts: NodeParts): Looks | null {
    const combinations = this.#attributes.combinationsOf(parts);
    if (combinations === null) return null;
    return { count: combinations.count, of: combinations.of, parts };
  }

  /**
   * Makes the slots infeasible that a filter rejects, in search order, until more slots than wanted have passed; slots
   * after that stay as they were. `feasible` has `count` feasible slots; `own` returns the column to write. Returns the
   * number that passed; null if a filter failed, which only a cycle of the plugins' own methods can report.
   */
  filter(feasible: Int32Array, count: number, window: SearchWindow, own: () => Int32Array): number | null {
    if (this.#filters.some(({ suspects }) => suspects === null)) return this.#filterInOrder(own(), window);
    let passed = count;
    for (const { suspects } of this.#filters) {
      for (const slot of suspects ?? NO_SLOTS) {
        if (feasible[slot] === INFEASIBLE || this.#rejections.at(slot) !== undefined) continue;
        const verdict = this.#firstRejection(slot);
        if (verdict === null) continue;
        if (!this.#reject(own(), slot, verdict)) return null;
        passed--;
      }
    }
    return passed;
  }

  /** The slots that the columns accepted and these filters have rejected. */
  get rejectedSlots(): readonly number[] {
    return this.#rejections.slots;
  }

  /** The rejection of a slot that the columns accepted; undefined if there is none. */
  rejection(slot: number): Verdict | undefined {
    return this.#rejections.at(slot);
  }

  /**
   * Returns what dry runs ask about a slot. Null if one of these filters answers for one pod alone, but is not asked
   * here.
   */
  standingFor(filters: readonly FilterPlugin[]): SlotAnswers<Standing> | null {
    const asked = this.#filters.map(({ plugin }) => plugin);
    if (filters.some((plugin) => answersOnePod(plugin) && !asked.includes(plugin))) return null;
    const readers = this.#filters.flatMap((filter) => this.#standingOf(filter) ?? []);
    const [only] = readers;
    if (only !== undefined && readers.length === 1) return only;
    return new SlotAnswers((slot) => {
      let standing: Standing = 'accepted';
      for (const reader of readers) {
        const own = reader.of(slot);
        if (own === 'rejected') return own;
        if (own === 'unknown') standing = own;
      }
      return standing;
    });
  }

  /** What one filter says of the slots; null if it accepts all. */
  #standingOf(filter: AttemptFilter): SlotAnswers<Standing> | null {
    const { plugin, looks, suspects } = filter;
    if (suspects?.size === 0) return null;
    if (plugin.tally !== undefined) {
      return new SlotAnswers((slot) => (suspects?.has(slot) === false ? 'accepted' : 'unknown'));
    }
    if (looks !== null) {
      const ask = (slot: number) => (this.#askOnce(filter, looks.of(slot), slot) === null ? 'accepted' : 'rejected');
      return new SlotAnswers(ask, looks.parts === null ? null : (this.#looks.of(looks.parts)?.column.values ?? null));
    }
    const { state, pod } = this.#signature;
    const rejections = plugin.attemptRejections?.(state, pod, this.#nodes) ?? null;
    if (rejections !== null) {
      const ask = (slot: number) => (rejections.slots.has(slot) ? 'rejected' : 'accepted');
      return new SlotAnswers(ask, this.#kept.columnOf(rejections).values);
    }
    return new SlotAnswers((slot) =>
      suspects?.has(slot) === false || this.#ask(filter, slot) === null ? 'accepted' : 'rejected',
    );
  }

  /** Whether a filter for which all nodes are alike accepts them. */
  #accepts(filter: AttemptFilter): boolean {
    const slot = this.#cluster.snapshotOrder()[0];
    return slot === undefined || this.#askOnce(filter, 0, slot) === null;
  }

  #filterInOrder(feasible: Int32Array, { start, wanted }: SearchWindow): number | null {
    const slots = this.#cluster.snapshotOrder();
    let passed = 0;
    for (let i = 0, at = start; i < slots.length && passed <= wanted; i++, at++) {
      if (at >= slots.length) at -= slots.length;
      const slot = slots[at] ?? 0;
      if (feasible[slot] === INFEASIBLE) continue;
      const verdict = this.#firstRejection(slot);
      if (verdict === null) passed++;
      else if (!this.#reject(feasible, slot, verdict)) return null;
    }
    return passed;
  }

  /** Returns false if the filter failed instead. */
  #reject(feasible: Int32Array, slot: number, verdict: Verdict): boolean {
    feasible[slot] = INFEASIBLE;
    this.#rejections.set(slot, verdict);
    return verdict.status.code !== 'Error';
  }

  #firstRejection(slot: number): Verdict | null {
    const filters = this.#filters;
    for (let i = 0; i < filters.length; i++) {
      const filter = filters[i] as AttemptFilter;
      const { looks, suspects } = filter;
      if (suspects?.has(slot) === false) continue;
      const verdict = looks === null ? this.#ask(filter, slot) : this.#askOnce(filter, looks.of(slot), slot);
      if (verdict !== null) return verdict;
    }
    return null;
  }

  #askOnce(filter: AttemptFilter, look: number, slot: number): Verdict | null {
    let verdict = filter.known[look];
    if (verdict === undefined) {
      verdict = this.#ask(filter, slot);
      filter.known[look] = verdict;
    }
    return verdict;
  }

  #ask({ plugin, position }: AttemptFilter, slot: number): Verdict | null {
    const node = this.#cluster.nodeAt(slot) as NodeInfo;
    const { state, pod } = this.#signature;
    const trace = this.#framework.activeTrace.trace?.atNode() ?? null;
    trace?.startPlugin('filter', plugin.name, node.name);
    const status = plugin.filter(state, pod, node);
    trace?.end(status?.code);
    if (status === null) return null;
    const known = this.#byStatus.get(status);
    if (known?.position === position) return known;
    const verdict = this.#verdictOf(filterRejection(status), position);
    this.#byStatus.set(status, verdict);
    return verdict;
  }

  #verdictOf(status: Status, position: number): Verdict {
    const key = [status.code, position, ...status.reasons].join('\n');
    let verdict = this.#interned.get(key);
    if (verdict === undefined) {
      verdict = { status, position };
      this.#interned.set(key, verdict);
    }
    return verdict;
  }
}
