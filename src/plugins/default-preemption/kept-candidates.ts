import type { NodeInfo } from '../../framework/node-info.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { NodeSlots, Standing, TopologyTallies } from '../../framework/post-filter.ts';
import type { SlotAnswers } from '../../framework/slot-answers.ts';
import type { Status } from '../../framework/status.ts';
import { selectRank } from '../../lib/select-rank.ts';
import type { Candidate } from './candidates.ts';
import type { DryRun, SharedDryRun } from './dry-run.ts';
import { KeptResults, NO_CANDIDATE, NOT_KNOWN } from './kept-results.ts';

/** The kinds of pods for which results are kept; pods of more kinds that take turns lose them. */
const KINDS_MAX = 4;

/** The candidates that do the least harm, of those that a dry run finds. */
export interface LeastHarmful {
  readonly count: number;
  /** The candidate number `rank` in the order in which their nodes were added to the cluster; until the next search. */
  readonly inNodeOrder: (rank: number) => Candidate | undefined;
  /**
   * The reasons of the nodes that are no candidates; empty if there is a candidate. It is the same list while nothing
   * can have changed.
   */
  readonly statuses: readonly Status[];
}

/** What holds for the pod of one search alone. */
export interface OwnAnswers {
  /** Where the pod is accepted the shared result is the pod's, and where it is rejected the node is no candidate. */
  readonly standing: SlotAnswers<Standing>;
  /** The pod's result on any node. */
  readonly dryRun: DryRun;
}

/** What is searched for. */
export interface CandidateSearch {
  readonly offset: number;
  readonly limit: number;
  /**
   * The results that are kept, unless they depend on counts: they must depend on nothing else than the node, its pods,
   * its nominations, the budgets and what topology filters say of the node, but for `ownSlots`.
   */
  readonly shared: SharedDryRun;
  /** Null if no topology filter has anything to say. */
  readonly topology: Pick<TopologyTallies, 'plan' | 'standing'> | null;
  /** What is not the same for all pods that share these results; null if there is nothing. */
  readonly own: OwnAnswers | null;
  /** The slots of the nodes for which the pod itself is nominated: what is found there holds for no other pod. */
  readonly ownSlots: readonly number[];
}

/** The pods that share kept results. */
interface Kind {
  readonly requirements: PodInfo['requirements'];
  readonly priority: number;
  readonly plan: object | null;
}

interface KnownKind {
  readonly kind: Kind;
  results: KeptResults;
  /** What the last search has found if it was nothing, and holds for all pods of the kind; else null. */
  nothing: LeastHarmful | null;
}

/** The results of dry runs that are kept from attempt to attempt: an attempt changes few nodes. */
export class KeptCandidates {
  readonly #kinds: KnownKind[] = [];
  /** The results of the last search that hold for it alone, by slot. */
  readonly #ownResults = new Map<number, Candidate | Status>();
  /** The slots of the best candidates of the last search, and room to order them. */
  #ties = new Int32Array(0);
  #unordered = new Float64Array(0);

  find(
    { requirements, priority }: Pick<PodInfo, 'requirements' | 'priority'>,
    budgetsVersion: number,
    slots: NodeSlots,
    search: CandidateSearch,
  ): LeastHarmful {
    const known = this.#knownKind({ requirements, priority, plan: search.topology?.plan ?? null }, budgetsVersion);
    const { results } = known;
    // Many pods wait in turn for room in a cluster that is full.
    if (known.nothing !== null && results.isInStep(slots) && isOfAll(slots, search)) return known.nothing;
    known.nothing = null;
    if (this.#ties.length < slots.count) {
      this.#ties = new Int32Array(2 * slots.count);
      this.#unordered = new Float64Array(2 * slots.count);
    }
    results.sync(slots);
    results.forget(search.ownSlots);
    const found = this.#find(results, slots, search);
    results.forget(search.ownSlots);
    if (found.count === 0 && isOfAll(slots, search) && !found.statuses.some(isError)) known.nothing = found;
    return found;
  }

  /** The kind of the last search is the first of the list. */
  #knownKind(kind: Kind, budgetsVersion: number): KnownKind {
    const kinds = this.#kinds;
    let index = 0;
    while (index < kinds.length && !isSame((kinds[index] as KnownKind).kind, kind)) index++;
    const entry = kinds[index] ?? { kind, results: new KeptResults(budgetsVersion), nothing: null };
    for (let i = Math.min(index, KINDS_MAX - 1); i > 0; i--) kinds[i] = kinds[i - 1] as KnownKind;
    kinds[0] = entry;
    if (entry.results.budgetsVersion !== budgetsVersion) entry.results = new KeptResults(budgetsVersion);
    return entry;
  }

  /** Searches as upstream's DryRunPreemption: until enough candidates are found. */
  #find(results: KeptResults, nodes: NodeSlots, search: CandidateSearch): LeastHarmful {
    this.#ownResults.clear();
    const { offset, limit, topology, own } = search;
    const { order, has } = nodes;
    const ties = this.#ties;
    let nonViolating = 0;
    let violating = 0;
    let least = NO_CANDIDATE;
    let count = 0;
    let standing = 0;
    let harms = results.harms(0);
    let position = nodes.positionOf(offset);
    for (let left = nodes.length; left > 0; position++) {
      if (position >= order.length) position = 0;
      const slot = order[position] ?? 0;
      if (has !== null && !has(slot)) continue;
      left--;
      const ownStanding = own === null ? 'accepted' : own.standing.of(slot);
      if (ownStanding === 'rejected') continue;
      if (topology !== null) {
        const before = standing;
        standing = topology.standing.of(slot);
        if (standing !== before) harms = results.harms(standing);
      }
      let harm = harms[slot] ?? NOT_KNOWN;
      if (own !== null && ownStanding === 'unknown') harm = this.#askOwn(results, nodes.nodeAt(slot), own.dryRun);
      else if (harm === NOT_KNOWN) harm = this.#ask(results, nodes.nodeAt(slot), standing, search.shared);
      if (harm === NO_CANDIDATE) continue;
      const isProtected = results.isProtected(harm);
      if ((isProtected ? violating : nonViolating) >= limit) continue;
      if (isProtected) violating++;
      else nonViolating++;
      if (harm === least) ties[count++] = slot;
      else if (least === NO_CANDIDATE || results.isLess(harm, least)) {
        least = harm;
        ties[0] = slot;
        count = 1;
      }
      if (nonViolating > 0 && nonViolating + violating >= limit) break;
    }
    if (count === 0) {
      return { count: 0, inNodeOrder: () => undefined, statuses: this.#reasons(results, nodes, search) };
    }
    const inNodeOrder = (rank: number): Candidate | undefined => {
      if (rank >= count) return undefined;
      const slot = this.#ranked(ties.subarray(0, count), results.orders, rank);
      return (this.#ownResults.get(slot) ?? results.result(topology?.standing.of(slot) ?? 0, slot)) as Candidate;
    };
    return { count, inNodeOrder, statuses: [] };
  }

  /** The reasons of all nodes that are no candidates. */
  #reasons(results: KeptResults, nodes: NodeSlots, { offset, topology, own }: CandidateSearch): Status[] {
    const { order, has, nodeAt } = nodes;
    const statuses: Status[] = [];
    const start = nodes.positionOf(offset);
    for (let i = 0; i < order.length; i++) {
      const slot = order[(start + i) % order.length] ?? 0;
      if (has !== null && !has(slot)) continue;
      const isShared = own === null || own.standing.of(slot) === 'accepted';
      const kept = isShared ? results.result(topology?.standing.of(slot) ?? 0, slot) : own.dryRun(nodeAt(slot));
      const result = this.#ownResults.get(slot) ?? kept;
      // A candidate that nobody asked for, where the configuration wants none, has no reason.
      if (result !== undefined && !('victims' in result)) statuses.push(result);
    }
    return statuses;
  }

  /** The slot whose node is number `rank` in the order in which nodes were added to the cluster. */
  #ranked(slots: Int32Array, orders: Float64Array, rank: number): number {
    const turn = turnOf(slots, orders);
    if (turn !== null) return slots[(turn + rank) % slots.length] ?? 0;
    const unordered = this.#unordered.subarray(0, slots.length);
    for (let i = 0; i < slots.length; i++) unordered[i] = orders[slots[i] ?? 0] ?? 0;
    const order = selectRank(unordered, rank);
    return slots.find((slot) => orders[slot] === order) ?? 0;
  }

  #ask(results: KeptResults, node: NodeInfo, standing: number, { dryRun, dependsOnCounts }: SharedDryRun): number {
    const result = dryRun(node);
    if (!dependsOnCounts()) return results.keep(standing, node, result);
    this.#ownResults.set(node.slot, result);
    return results.harmOf(node, result);
  }

  /** As `#ask`, for a result that holds for this search alone. */
  #askOwn(results: KeptResults, node: NodeInfo, dryRun: DryRun): number {
    const result = dryRun(node);
    this.#ownResults.set(node.slot, result);
    return results.harmOf(node, result);
  }
}

function isSame(a: Kind, b: Kind): boolean {
  return a.requirements === b.requirements && a.priority === b.priority && a.plan === b.plan;
}

/** Whether the search is about all nodes and any pod of its kind: wherever it begins, it finds nothing or something. */
function isOfAll({ has }: NodeSlots, { limit, topology, own, ownSlots }: CandidateSearch): boolean {
  return limit > 0 && has === null && topology === null && own === null && ownSlots.length === 0;
}

/** The order in which errors were found counts, other than that of reasons. */
function isError({ code }: Status): boolean {
  return code === 'Error';
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
