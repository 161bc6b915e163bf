import type { IndexedEngine, OnlyNode } from '../engine/cycle/engine.ts';
import type { AttemptAnswers, NodeMask } from '../engine/index/node-mask.ts';
import type { SignatureTotals } from '../engine/index/signature-totals.ts';
import { TieChoice, type TieChoiceModules } from '../engine/index/tie-choice.ts';
import { isCostly, onlyExcludes } from '../engine/index/topology-buckets.ts';
import type { TopologyBest } from '../engine/index/topology-totals.ts';
import { TopologyDemand } from '../engine/topology/topology-demand.ts';
import { isVacuous, type TopologyRules } from '../engine/topology/topology-rules.ts';
import { AssignedPods } from '../framework/cluster/assigned-pods.ts';
import type { ClusterState } from '../framework/cluster/cluster-state.ts';
import type { CycleState } from '../framework/cycle-state.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import type { SearchWindow } from '../framework/node-search.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import type { ActiveTrace } from '../framework/tracing/active-trace.ts';
import { assert } from '../lib/assert.ts';
import { podImages } from '../plugins/image-locality/plugin.ts';
import type { BatchResult } from './batch-result.ts';
import type { ScheduleResult } from './decision/result.ts';
import type { ExpectedPods } from './expected-pods.ts';
import type { PodTemplate } from './pod-templates.ts';
import { reservePod } from './reserve-pod.ts';
import {
  hasAttemptFilters,
  isAcceptedByTopology,
  isFirst,
  isFreeInRun,
  isIndexed,
  isNominated,
  isOpen,
  mayJoinRun,
  mayWait,
  onlySlotOf,
  signatureOf,
  totalsOf,
  UNKNOWN_SLOT,
} from './template-pods.ts';
import { partialWindow, searched, wholeWindow } from './template-search.ts';
import { TopologyRuns } from './topology-runs.ts';

/** A run with more pods than this is traced as rare, since it takes much longer than the decision for one pod. */
const LONG_RUN = 64;

export interface PlaceByIndexModules extends TieChoiceModules {
  readonly activeTrace: ActiveTrace;
}

/** The node that was chosen without a cycle. */
interface IndexedPlace {
  readonly node: NodeInfo;
  /** The engine, if it has charged its columns with the pod. */
  readonly chargedBy: IndexedEngine | null;
  readonly score: number;
  readonly feasibleNodes: number;
  readonly ties: number;
}

/**
 * The short way to a decision, for pods whose decision depends on their signature alone: one query of the signature
 * index, without a cycle. Decisions that the index cannot make (no node fits, ties that need the search order) are left
 * to a cycle.
 */
export class PlaceByIndex {
  readonly #cluster: ClusterState;
  readonly #ties: TieChoice;
  readonly #activeTrace: ActiveTrace;
  readonly #assigned: AssignedPods;
  readonly #demand = new TopologyDemand();
  readonly #runs: TopologyRuns;
  /** The batch of the pod that is placed; null for a pod by itself. */
  #batch: ExpectedPods | null = null;
  /** The answers of the filters that were asked for the last pod; null if none were. */
  #answers: AttemptAnswers | null = null;
  /** The only node that fitted the last pod, where no signature was needed to find it. */
  #only: OnlyNode | null = null;

  constructor(modules: PlaceByIndexModules) {
    const { cluster, activeTrace, tieBreak } = modules;
    this.#cluster = cluster;
    this.#ties = new TieChoice(modules);
    this.#activeTrace = activeTrace;
    this.#assigned = new AssignedPods(cluster);
    this.#runs = new TopologyRuns({ cluster, activeTrace, assigned: this.#assigned, demand: this.#demand, tieBreak });
  }

  /**
   * Charges the nodes with the pods that runs have placed on them. Called before anything but a run reads nodes, and at
   * the end of a batch.
   */
  flush(): void {
    this.#batch = null;
    this.#assigned.flush();
  }

  /** Places as many pods from index `from` on as one run can. Returns the index of the first pod that is not placed. */
  placeRun(pods: ExpectedPods, from: number, results: BatchResult): number {
    const template = pods.template(from);
    const { engine } = template;
    if (engine === null || !isOpen(engine, this.#cluster)) return from;
    const window = partialWindow(template, this.#cluster);
    // The index knows upstream's choice among ties only where it searches.
    const isChosen = this.#ties.rule === 'first' || (this.#ties.rule === 'upstream' && window !== null);
    const isAlone = !isChosen || !engine.index.isOn || this.#activeTrace.eachPod;
    const end = isAlone ? from : this.#runs.place(engine, pods, from, results, window);
    if (end > from) return end;
    if (isAlone || !this.#enqueue(engine, pods, from)) return this.#placeAlone(engine, pods, from, results);
    const { trace } = this.#activeTrace;
    trace?.phase('place');
    const placed = window === null ? engine.index.place() : this.#placeBySearch(engine, template, window);
    if (placed === 0) return from;
    trace?.phase('assume');
    for (let i = 0, { index } = engine; i < placed; i++) {
      if (window === null) searched(pods.template(from + i), this.#cluster);
      this.#assigned.add(pods, from + i, index.slot(i));
      results.setPlaced(from + i, index.slot(i), index.total(i), index.feasibleNodes(i));
    }
    return from + placed;
  }

  #placeBySearch(engine: IndexedEngine, { profile }: PodTemplate, window: SearchWindow): number {
    const { placed, advanced } = engine.index.placeBySearch(window, this.#ties.rule === 'upstream');
    profile?.search.advance(advanced, this.#cluster.nodeCount);
    return placed;
  }

  #placeAlone(engine: IndexedEngine, pods: ExpectedPods, at: number, results: BatchResult): number {
    const [pod, template] = [pods.info(at), pods.template(at)];
    const mayBeLate = !this.#activeTrace.eachPod && !hasAttemptFilters(template);
    const waits = mayBeLate && !this.#cluster.hasNominations && mayWait(engine, template, this.#cluster);
    if (waits) this.#assigned.startRun(engine);
    if (!waits || this.#assigned.hasUncounted) this.flush();
    this.#batch = pods;
    const place = this.#placeOne(engine, pod, template, this.#ties.rule !== 'first');
    if (place === null) return at;
    const failed = waits ? null : this.#assume(pod, place, template);
    if (waits) this.#assigned.add(pods, at, place.node.slot);
    if (failed !== null) results.set(at, failed);
    else results.setPlaced(at, place.node.slot, place.score, place.feasibleNodes);
    return at + 1;
  }

  /** Queues the pods that can be placed in the same run. Returns false if there is none. */
  #enqueue(engine: IndexedEngine, pods: ExpectedPods, from: number): boolean {
    const { index, isQuiet } = engine;
    this.#activeTrace.trace?.phase('encode');
    this.#assigned.startRun(engine);
    engine.dropStale();
    index.begin();
    let end = from;
    let hasStaleImages = false;
    let last: PodTemplate | null = null;
    let signatureTotals: SignatureTotals | null = null;
    for (; end < pods.length; end++) {
      const template = pods.template(end);
      if (template.engine !== engine) break;
      const pod = pods.info(end);
      if (template.hasTopology || hasAttemptFilters(template) || !isIndexed(pod, template, null)) break;
      if (!isQuiet && !isFreeInRun(engine, pod, template)) break;
      // The checks of one pod of a template hold for the next pod of it.
      const slot = pods.slot(end);
      if (slot === UNKNOWN_SLOT) break;
      if (template === last && signatureTotals !== null) {
        if (!index.enqueue(signatureTotals, slot)) break;
        continue;
      }
      // A new signature may need room, and verdicts that read pods must see the pods that were placed before.
      const isKnown = !isFirst(template);
      if (!isKnown || template.signature?.verdicts.readsPods) {
        if (end > from && (isKnown || !this.#assigned.isEmpty || !mayJoinRun(engine, pod, template))) break;
        this.flush();
        if (end === from) engine.makeRoom();
      }
      if (end === from) {
        this.#cluster.updateSnapshot();
        hasStaleImages = this.#cluster.hasStaleImages;
      }
      if (hasStaleImages && !this.#cluster.areImagesUpToDate(podImages(pod.pod))) break;
      signatureTotals = totalsOf(engine, pod, template, this.#cluster);
      if (hasAttemptFilters(template)) break;
      if (signatureTotals === null || !index.enqueue(signatureTotals, slot)) break;
      last = template.signature?.verdicts.readsPods ? null : template;
    }
    if (end - from > LONG_RUN) this.#activeTrace.rare(pods.info(from).pod);
    return end > from;
  }

  /** Places one pod whose attempt has begun. Returns null if a cycle has to decide. */
  place(pod: PodInfo, template: PodTemplate): ScheduleResult | null {
    const { engine } = template;
    if (engine === null || !isOpen(engine, this.#cluster)) return null;
    this.flush();
    const place = this.#placeOne(engine, pod, template, true);
    if (place === null) return null;
    const failed = this.#assume(pod, place, template);
    if (failed !== null) return failed;
    const { node, score, feasibleNodes, ties } = place;
    return { status: 'scheduled', node: node.name, score: feasibleNodes === 1 ? null : score, feasibleNodes, ties };
  }

  /** The state after PreFilter of the last pod, if filters were asked in its attempt alone; null otherwise. */
  get attemptState(): CycleState | null {
    return (this.#answers ?? this.#only)?.state ?? null;
  }

  /** Chooses the node of one pod whose attempt has begun. The caller assumes it. Null if a cycle has to decide. */
  placeNode(pod: PodInfo, template: PodTemplate): Pick<IndexedPlace, 'node' | 'chargedBy'> | null {
    if (template.engine === null || !isOpen(template.engine, this.#cluster)) return null;
    this.flush();
    return this.#placeOne(template.engine, pod, template, this.#ties.rule !== 'first');
  }

  /** Without `lists` the first of equally good nodes is chosen, and the others are not counted. */
  #placeOne(engine: IndexedEngine, pod: PodInfo, template: PodTemplate, lists: boolean): IndexedPlace | null {
    this.#activeTrace.trace?.phase('encode');
    engine.makeRoom();
    engine.index.begin();
    if (!isIndexed(pod, template, this.#activeTrace.trace)) return null;
    this.#cluster.updateSnapshot();
    const ties = this.#charge(engine, pod, template, lists);
    if (ties === null) return null;
    this.#activeTrace.trace?.phase('assume');
    if (this.#only !== null) return { node: this.#only.node, chargedBy: null, score: 0, feasibleNodes: 1, ties };
    const node = this.#cluster.nodeAt(engine.index.slot(0));
    assert(node !== undefined, 'the index chose a slot without a node');
    const score = engine.index.total(0) + (this.#answers?.score ?? 0);
    return { node, chargedBy: engine, score, feasibleNodes: engine.index.feasibleNodes(0), ties };
  }

  /** Returns the number of equally good nodes; null if a cycle has to decide. */
  #charge(engine: IndexedEngine, pod: PodInfo, template: PodTemplate, lists: boolean): number | null {
    this.#answers = null;
    this.#only = null;
    if (template.specBesideNode !== null) return this.#chargeOnlyNode(engine, pod, template);
    const topology = template.hasTopology || !engine.isQuiet ? engine.topologyOf(pod) : 'none';
    if (topology === 'unknown') return null;
    const rules = topology === 'none' || isVacuous(topology) ? null : topology;
    if (rules === null && isFirst(template)) this.#only = engine.rareResourceNodes.onlyNode(pod);
    if (this.#only !== null) {
      searched(template, this.#cluster);
      return 1;
    }
    // For the first pod of a signature the engine begins to track it, which belongs to the phase `encode`.
    const signature = signatureOf(engine, pod, template);
    if (hasAttemptFilters(template)) return this.#chargeByAttempt(engine, pod, template, rules, lists);
    if (!this.#cluster.hasNominations) return this.#chargeByTopology(engine, pod, template, rules, lists);
    this.#activeTrace.trace?.phase('filter');
    const signatureTotals = engine.index.isOn ? engine.totalsOf(signature) : null;
    const masks = signatureTotals && engine.nominations.of(signature, pod);
    if (masks?.length === 0) return this.#chargeByTopology(engine, pod, template, rules, lists, true);
    return masks && this.#chargeInWindow(engine, signatureTotals, template, rules, masks);
  }

  /** Charges the node that the pod names, which is compared with no other. */
  #chargeOnlyNode(engine: IndexedEngine, pod: PodInfo, template: PodTemplate): number | null {
    const { index } = engine;
    const slot = onlySlotOf(pod, this.#cluster);
    if (!index.isOn || slot === UNKNOWN_SLOT) return null;
    if ((template.hasTopology || !engine.isQuiet) && !isAcceptedByTopology(engine, pod, template, slot)) return null;
    this.#activeTrace.trace?.phase('filter');
    const signatureTotals = totalsOf(engine, pod, template, this.#cluster, !isNominated(slot, this.#cluster));
    if (signatureTotals === null) return null;
    const total = index.totalAt(signatureTotals, slot);
    if (total < 0 || hasAttemptFilters(template)) return null;
    this.#activeTrace.trace?.phase('select');
    index.charge(signatureTotals, slot, total, 1);
    searched(template, this.#cluster);
    return 1;
  }

  #chargeBySignature(
    engine: IndexedEngine,
    signatureTotals: SignatureTotals,
    template: PodTemplate,
    lists: boolean,
  ): number | null {
    const { trace } = this.#activeTrace;
    if (partialWindow(template, this.#cluster) !== null) return this.#chargeInWindow(engine, signatureTotals, template);
    trace?.phase('score');
    const { wantedTies, orderedTies } = this.#ties;
    const best = engine.index.best(signatureTotals, lists ? wantedTies : 1, orderedTies);
    if (best === null) return null;
    trace?.phase('select');
    const ties = best.slots.length;
    const root = (): number =>
      engine.index.rootOfTies(signatureTotals, best.total, wholeWindow(template, this.#cluster).start);
    const slot = ties > 1 ? this.#ties.pick(best.slots, root) : (best.slots[0] ?? null);
    if (slot === null) return null;
    engine.index.charge(signatureTotals, slot, best.total, signatureTotals.feasibleNodes);
    searched(template, this.#cluster);
    return ties;
  }

  /** Charges the best of the nodes that the filters of this attempt accept, too. */
  #chargeByAttempt(
    engine: IndexedEngine,
    pod: PodInfo,
    template: PodTemplate,
    rules: TopologyRules | null,
    lists: boolean,
  ): number | null {
    if (!engine.index.isOn) return null;
    const { trace } = this.#activeTrace;
    trace?.phase('filter');
    const answers = engine.attemptFilters.of(signatureOf(engine, pod, template), pod);
    this.#answers = answers;
    if (answers === null) return null;
    if (answers.masks.length === 0 || (rules === null && answers.rules !== null)) {
      return this.#chargeByTopology(engine, pod, template, rules ?? answers.rules, lists);
    }
    return this.#chargeInWindow(engine, totalsOf(engine, pod, template, this.#cluster), template, rules, answers.masks);
  }

  #chargeInWindow(
    { index }: IndexedEngine,
    signatureTotals: SignatureTotals | null,
    template: PodTemplate,
    rules: TopologyRules | null = null,
    masks?: readonly NodeMask[],
  ): number | null {
    if (signatureTotals === null) return null;
    this.#activeTrace.trace?.phase('score');
    const window = partialWindow(template, this.#cluster) ?? wholeWindow(template, this.#cluster);
    const best = index.bestInWindow(signatureTotals, window, this.#ties.rule === 'upstream', rules, masks);
    if (best === null) return null;
    this.#activeTrace.trace?.phase('select');
    const slot = this.#ties.pickInWindow(index, best);
    if (slot === null) return null;
    index.charge(signatureTotals, slot, best.total, best.feasibleNodes);
    template.profile?.search.advance(best.processed, this.#cluster.nodeCount);
    return best.ties;
  }

  #chargeByTopology(
    engine: IndexedEngine,
    pod: PodInfo,
    template: PodTemplate,
    rules: TopologyRules | null,
    lists: boolean,
    ignoresNominations = false,
  ): number | null {
    const { index } = engine;
    const totals = () => totalsOf(engine, pod, template, this.#cluster, ignoresNominations);
    if (rules === null) {
      this.#activeTrace.trace?.phase('filter');
      const signatureTotals = totals();
      return signatureTotals && this.#chargeBySignature(engine, signatureTotals, template, lists);
    }
    if (!index.isOn) return null;
    // Among ties in several buckets only a search finds upstream's choice; buckets have a domain of each key.
    const isWhole = partialWindow(template, this.#cluster) === null;
    const mayBeSorted = isWhole && (ignoresNominations || !this.#cluster.hasNominations);
    const isSorted = mayBeSorted && this.#ties.rule !== 'upstream' && rules.keyless === 'none';
    const best = isSorted ? this.#bestByTopology(engine, pod, template, rules) : null;
    if (best === null) return this.#chargeInWindow(engine, totals(), template, rules);
    this.#activeTrace.trace?.phase('select');
    const { slot, ties } = this.#ties.pickInColumns(index, best, lists);
    const signatureTotals = best.columns[0];
    if (slot === null || signatureTotals === undefined) return null;
    index.charge(signatureTotals, slot, best.total, best.feasibleNodes);
    searched(template, this.#cluster);
    return ties;
  }

  /** Returns null if the nodes are not sorted by the rules: then they are searched. */
  #bestByTopology(
    engine: IndexedEngine,
    pod: PodInfo,
    template: PodTemplate,
    rules: TopologyRules,
  ): TopologyBest | null {
    const signature = signatureOf(engine, pod, template);
    const { verdicts } = signature;
    const [asks, { nodesVersion }] = [template.topologyAsks, this.#cluster];
    const isTooCostly = isCostly(rules) && (onlyExcludes(rules) || !this.#batch?.hasMany(template));
    if (!this.#demand.isEnough(asks, nodesVersion, verdicts.roundsOfAll, isTooCostly)) return null;
    this.#activeTrace.trace?.phase('score');
    const best = engine.bestByTopology(signature, rules);
    // Verdicts are brought up to date only when they are used.
    asks.verdictsVersion = verdicts.roundsOfAll;
    return best;
  }

  /** Reserves what the pod needs on its node, and assumes it there. Returns the result if that failed. */
  #assume(pod: PodInfo, { node, chargedBy }: IndexedPlace, { profile }: PodTemplate): ScheduleResult | null {
    const { trace } = this.#activeTrace;
    if (this.#answers !== null && profile?.framework.binding.reserves(pod)) {
      trace?.phase('reserve');
      const { state } = this.#answers;
      const failed = reservePod(profile.framework, this.#cluster, { state, pod, node, started: pod });
      if (failed !== null) {
        chargedBy?.uncharge(node, pod);
        return failed;
      }
      trace?.phase('assume');
    }
    this.#cluster.pods.assume(pod, node, chargedBy);
    trace?.phase('bind');
    return null;
  }
}
