import type { ClusterState } from '../../framework/cluster/cluster-state.ts';
import { NODE_AND_STORAGE, NODE_ONLY } from '../../framework/cluster/node-changes.ts';
import type { CycleState } from '../../framework/cycle-state.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { FilterPlugin, NodeFeed, NodeParts, Plugin } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { RejectedSlots } from '../../framework/rejected-slots.ts';
import type { Framework } from '../../framework/runtime/framework.ts';
import type { ColumnTable } from '../../memory/column-table.ts';
import type { SharedMemory } from '../../memory/shared-memory.ts';
import { SharedVector } from '../../memory/shared-vector.ts';
import type { AttemptAnswers, NodeMask, RunAnswers } from '../index/node-mask.ts';
import type { PodSignature } from '../index/pod-signature.ts';
import type { NodeAttributes } from '../verdicts/node-attributes.ts';
import type { NodeLookSets, NodeLooks } from '../verdicts/node-looks.ts';
import { AttemptForms, formOf } from './attempt-forms.ts';
import { AttemptLooks } from './attempt-looks.ts';
import { commonAttemptScore } from './attempt-scores.ts';
import type { KeptRejections } from './kept-rejections.ts';
import { RejectionMask } from './rejection-mask.ts';

const ACCEPTED = 1;
const REJECTED = 0;
/** To sort nodes by fewer looks than this pays off seldom. */
const FEW_LOOKS = 8;
/** More suspects than this are better left to a cycle, which asks only about nodes that its search reaches. */
const MOST_SUSPECTS = 256;

/** Filters that are asked, and the plugins whose PreFilter does not run before them. */
interface Asked {
  readonly filters: readonly FilterPlugin[];
  /** The plugins with PreFilter that are not among them. */
  readonly others: ReadonlySet<string>;
}

/** The filters that are asked in every attempt, by the signature's set of their names. */
interface Readers {
  readonly all: Asked;
  /** The filters that give pods a form. */
  readonly formed: readonly FilterPlugin[];
  /** The filters that give pods none, which are asked where the answers of the others are known. */
  readonly beside: Asked;
}

export interface AttemptMasksModules {
  readonly framework: Framework;
  readonly cluster: ClusterState;
  readonly memory: SharedMemory;
  readonly table: ColumnTable;
  readonly looks: NodeLookSets;
  readonly attributes: NodeAttributes;
  readonly rejections: KeptRejections;
}

/**
 * The answers of the filters that read claims and volumes, as masks that a search of the signature index reads:
 *
 *   filter that says which parts of a node it reads     look of each slot  2 0 1 1 2     accepted looks  ✓ ✗ ✓
 *   filters that say which nodes they may reject         rejected slots     0 0 1 0 0     accepted        ✓ ✗
 *
 * `AttemptFilters` asks the same filters for a cycle.
 */
export class AttemptMasks {
  readonly #modules: AttemptMasksModules;
  readonly #nodes: NodeFeed;
  readonly #readers = new WeakMap<ReadonlySet<string>, Readers>();
  readonly #accepted: SharedVector[] = [];
  readonly #forms: AttemptForms;
  readonly #attemptLooks: AttemptLooks;
  readonly #rejected: RejectionMask;

  constructor(modules: AttemptMasksModules) {
    this.#modules = modules;
    this.#rejected = new RejectionMask(modules.memory, modules.table, 'rejections of an attempt');
    this.#nodes = nodeFeed(modules.cluster);
    this.#forms = new AttemptForms(modules);
    this.#attemptLooks = new AttemptLooks(modules);
  }

  /** Runs the PreFilter of these plugins and asks their filters. Returns null if a cycle has to decide. */
  of({ attemptFilters, state: kept }: PodSignature, pod: PodInfo): AttemptAnswers | null {
    const { framework, cluster } = this.#modules;
    this.#rejected.clear();
    const { all, formed, beside } = this.#readersOf(attemptFilters);
    const form = formed.length === 0 || framework.activeTrace.showsCalls ? null : formOf(formed, pod, cluster);
    const known = form === null ? null : this.#forms.answersOf(form);
    const { filters, others } = known === null ? all : beside;
    const state = kept.clone();
    for (const { name } of filters) state.skipFilter.delete(name);
    const { rejected, nodeNames } = framework.runPreFilter(state, pod, cluster, others);
    if (rejected !== null || nodeNames !== null) return null;
    const masks: NodeMask[] = known === null ? [] : [...known.masks];
    const answers: [NodeParts, NodeMask | null][] = [];
    for (const plugin of filters) {
      if (state.skipFilter.has(plugin.name)) continue;
      const parts = plugin.attemptLooksAt?.(state, pod) ?? null;
      if (parts === null) {
        if (!this.#askWithoutLooks(masks, plugin, state, pod)) return null;
        continue;
      }
      const looks = this.#looksOf(parts, masks.length, form !== null);
      const mask = looks === null ? null : this.#maskByLooks(masks.length, looks, plugin, state, pod);
      if (mask === null) return null;
      if (formed.includes(plugin)) answers.push([parts, mask === 'accepts all' ? null : mask]);
      // Without masks the tree finds the best node, which costs far less than a search.
      if (mask !== 'accepts all') masks.push(mask);
    }
    if (form !== null && known === null && areAnswered(formed, answers, state)) this.#forms.keep(form, answers);
    const score = commonAttemptScore(framework, attemptFilters, state);
    if (score === null) return null;
    const { mask } = this.#rejected;
    if (mask !== null) masks.push(mask);
    const rules = masks.length === known?.masks.length ? known.rules : null;
    return { state, masks, rules, score };
  }

  inRun({ attemptFilters }: PodSignature, pod: PodInfo): RunAnswers | null {
    const { framework, cluster } = this.#modules;
    const { formed, beside } = this.#readersOf(attemptFilters);
    if (formed.length === 0 || framework.activeTrace.showsCalls || reservesBeside(framework, formed, pod)) return null;
    const form = formOf(formed, pod, cluster);
    const known = form === null ? null : this.#forms.answersOf(form);
    if (known === null || (known.rules === null && known.masks.length > 0)) return null;
    let room = Number.POSITIVE_INFINITY;
    for (const filter of beside.filters) room = Math.min(room, filter.attemptRoom?.(pod, this.#nodes) ?? 0);
    return { rules: known.rules, room };
  }

  /** Asks a filter that says which nodes it may reject. Returns false if it does not, or a cycle has to decide. */
  #askWithoutLooks(masks: NodeMask[], plugin: FilterPlugin, state: CycleState, pod: PodInfo): boolean {
    const rejections = plugin.attemptRejections?.(state, pod, this.#nodes) ?? null;
    if (rejections !== null && this.#isMarked(rejections)) {
      if (rejections.slots.size > 0) masks.push(this.#rejected.of(this.#modules.rejections.columnOf(rejections)));
      return true;
    }
    const suspects = plugin.attemptSuspects?.(state, pod, this.#nodes) ?? null;
    return suspects !== null && this.#rejectSuspects(suspects, plugin, state, pod);
  }

  /** Whether marks stand for calls of the filter: where a trace times calls, they do only if there are many. */
  #isMarked({ slots }: RejectedSlots): boolean {
    const { trace } = this.#modules.framework.activeTrace;
    return slots.size > MOST_SUSPECTS || (trace?.atNode() ?? null) === null;
  }

  /** Returns null if there are too many. `isKept`: whether later attempts use the answers. */
  #looksOf(parts: NodeParts, number: number, isKept: boolean): NodeLooks | null {
    const followed = this.#modules.looks.of(parts);
    if (followed !== null && (isKept || followed.count <= FEW_LOOKS)) return followed;
    const told = this.#attemptLooks.of(parts, number);
    return told !== null && (followed === null || told.count < followed.count) ? told : followed;
  }

  /** Asks about one node of each look; returns null if the filter failed. */
  #maskByLooks(
    number: number,
    looks: NodeLooks,
    plugin: FilterPlugin,
    state: CycleState,
    pod: PodInfo,
  ): NodeMask | 'accepts all' | null {
    let accepted = this.#accepted[number];
    if (accepted === undefined) {
      accepted = new SharedVector(this.#modules.memory, 'looks that a filter accepts');
      this.#accepted[number] = accepted;
    }
    accepted.reserve(looks.count);
    let acceptsAll = true;
    for (let look = 0; look < looks.count; look++) {
      const node = looks.nodeWith(look);
      const answer = node === undefined ? ACCEPTED : this.#ask(plugin, state, pod, node);
      if (answer === null) return null;
      if (answer === REJECTED) acceptsAll = false;
      accepted.values[look] = answer;
    }
    return acceptsAll ? 'accepts all' : { column: looks.column, accepted };
  }

  /** Returns false if there are too many, or if the filter failed. */
  #rejectSuspects(suspects: ReadonlySet<number>, plugin: FilterPlugin, state: CycleState, pod: PodInfo): boolean {
    if (suspects.size > MOST_SUSPECTS) return false;
    for (const slot of suspects) {
      const node = this.#modules.cluster.nodeAt(slot);
      const answer = node === undefined ? ACCEPTED : this.#ask(plugin, state, pod, node);
      if (answer === null) return false;
      if (answer === REJECTED) this.#rejected.reject(slot);
    }
    return true;
  }

  /** Returns null if the filter failed, which only a cycle reports. */
  #ask(plugin: FilterPlugin, state: CycleState, pod: PodInfo, node: NodeInfo): number | null {
    const trace = this.#modules.framework.activeTrace.trace?.atNode() ?? null;
    trace?.startPlugin('filter', plugin.name, node.name);
    const status = plugin.filter(state, pod, node);
    trace?.end(status?.code);
    if (status === null) return ACCEPTED;
    return status.code === 'Error' ? null : REJECTED;
  }

  #readersOf(names: ReadonlySet<string>): Readers {
    let readers = this.#readers.get(names);
    if (readers === undefined) {
      const { filterPlugins, preFilterPlugins } = this.#modules.framework;
      const filters = filterPlugins.filter(({ name }) => names.has(name));
      const formed = filters.filter(({ attemptForm }) => attemptForm !== undefined);
      const others = preFilterPlugins.map(({ name }) => name).filter((name) => !names.has(name));
      readers = {
        all: { filters, others: new Set(others) },
        formed,
        beside: {
          filters: filters.filter((plugin) => !formed.includes(plugin)),
          others: new Set([...others, ...formed.map(({ name }) => name)]),
        },
      };
      this.#readers.set(names, readers);
    }
    return readers;
  }
}

/** Whether each of these filters is skipped, or has answered by looks. */
function areAnswered(
  filters: readonly FilterPlugin[],
  answers: readonly unknown[],
  { skipFilter }: CycleState,
): boolean {
  return filters.filter(({ name }) => !skipFilter.has(name)).length === answers.length;
}

/** Whether a plugin that has given no form reserves something for the pod. */
function reservesBeside({ binding }: Framework, formed: readonly Plugin[], pod: PodInfo): boolean {
  for (const plugin of binding.reservePlugins) {
    if (!formed.some(({ name }) => name === plugin.name) && plugin.reserves?.(pod) !== false) return true;
  }
  return false;
}

/** The nodes as plugins follow them that read the cluster. */
export function nodeFeed(cluster: ClusterState): NodeFeed {
  const { changes } = cluster;
  return {
    get slotCount() {
      return cluster.slotCount;
    },
    get end() {
      return changes.end;
    },
    node: (name) => cluster.node(name),
    nodeAt: (slot) => cluster.nodeAt(slot),
    storageChangedSince: (cursor) => changes.since(cursor, NODE_AND_STORAGE),
    nodesChangedSince: (cursor) => changes.since(cursor, NODE_ONLY),
  };
}
