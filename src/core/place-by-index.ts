import { namedNodeOf } from '../api/named-node.ts';
import type { IndexedEngine } from '../engine/cycle/engine.ts';
import type { WindowBest } from '../engine/index/node-search-record.ts';
import { ANY_SLOT, type SignatureIndex } from '../engine/index/signature-index.ts';
import type { SignatureTotals } from '../engine/index/signature-totals.ts';
import { isCostly } from '../engine/index/topology-buckets.ts';
import type { TopologyBest } from '../engine/index/topology-totals.ts';
import type { TopologyRules } from '../engine/topology/topology-rules.ts';
import type { ClusterState } from '../framework/cluster/cluster-state.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import type { SearchWindow } from '../framework/node-search.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import { ALL_TIES, type DrawTie, type TieBreak } from '../framework/tie-break.ts';
import type { ActiveTrace } from '../framework/tracing/active-trace.ts';
import type { Trace } from '../framework/tracing/tracer.ts';
import { assert } from '../lib/assert.ts';
import { podImages } from '../plugins/image-locality/plugin.ts';
import { AssignedPods } from './assigned-pods.ts';
import type { BatchResult } from './batch-result.ts';
import type { ScheduleResult } from './decision/result.ts';
import type { ExpectedPods } from './expected-pods.ts';
import type { PodTemplate } from './pod-templates.ts';
import { isAcceptedByTopology, isFree, signatureOf } from './template-pods.ts';
import { TopologyDemand } from './topology-demand.ts';

/** The slot of a node that is not there. */
const UNKNOWN_SLOT = -2;

/** A run with more pods than this is traced as rare, since it takes much longer than the decision for one pod. */
const LONG_RUN = 64;

export interface PlaceByIndexModules {
  readonly cluster: ClusterState;
  readonly tieBreak: TieBreak;
  readonly draw: DrawTie;
  /** `draw` returns an index below this number. */
  readonly drawnTies: number;
  readonly activeTrace: ActiveTrace;
}

/** The node that the index has chosen. The engine has charged its columns with the pod. */
interface IndexedPlace {
  readonly node: NodeInfo;
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
  readonly #tieBreak: TieBreak;
  readonly #draw: DrawTie;
  /** The number of equally good nodes that must be listed. */
  readonly #wantedTies: number;
  readonly #activeTrace: ActiveTrace;
  readonly #assigned: AssignedPods;
  readonly #topologyDemand = new TopologyDemand();

  constructor({ cluster, tieBreak, draw, drawnTies, activeTrace }: PlaceByIndexModules) {
    this.#cluster = cluster;
    this.#tieBreak = tieBreak;
    this.#draw = draw;
    this.#wantedTies = tieBreak === 'random' ? drawnTies : ALL_TIES;
    this.#activeTrace = activeTrace;
    this.#assigned = new AssignedPods(cluster);
  }

  /**
   * Charges the nodes with the pods that runs have placed on them. Called before anything but a run reads nodes, and at
   * the end of a batch.
   */
  flush(): void {
    this.#assigned.flush();
  }

  /** Places as many pods from index `from` on as one run can. Returns the index of the first pod that is not placed. */
  placeRun(pods: ExpectedPods, from: number, results: BatchResult): number {
    const template = pods.template(from);
    const { engine } = template;
    if (engine === null || !this.#isOpen(engine)) return from;
    const window = this.#partialWindow(template);
    // The index knows upstream's choice among ties only where it searches.
    const isChosen = this.#tieBreak === 'first' || (this.#tieBreak === 'upstream' && window !== null);
    const isAlone = !isChosen || !engine.index.isOn || this.#activeTrace.eachPod;
    if (isAlone || !this.#enqueue(engine, pods, from)) return this.#placeAlone(engine, pods, from, results);
    const { trace } = this.#activeTrace;
    trace?.phase('place');
    const placed = window === null ? engine.index.place() : this.#placeBySearch(engine, template, window);
    if (placed === 0) return from;
    trace?.phase('assume');
    const { index } = engine;
    for (let i = 0; i < placed; i++) {
      const pod = pods.info(from + i);
      if (window === null) this.#searched(pods.template(from + i));
      this.#assigned.add(pod, index.slot(i));
      results.setPlaced(from + i, pod.nodeName, index.total(i), index.feasibleNodes(i));
    }
    return from + placed;
  }

  #placeBySearch({ index }: IndexedEngine, { profile }: PodTemplate, window: SearchWindow): number {
    const { placed, advanced } = index.placeBySearch(window, this.#tieBreak === 'upstream');
    profile?.search.advance(advanced, this.#cluster.nodeCount);
    return placed;
  }

  #placeAlone(engine: IndexedEngine, pods: ExpectedPods, at: number, results: BatchResult): number {
    const pod = pods.info(at);
    const place = this.#placeOne(engine, pod, pods.template(at), this.#tieBreak !== 'first');
    if (place === null) return at;
    this.#assume(pod, place, engine);
    results.setPlaced(at, place.node.name, place.score, place.feasibleNodes);
    return at + 1;
  }

  /** Queues the pods that can be placed in the same run. Returns false if there is none. */
  #enqueue(engine: IndexedEngine, pods: ExpectedPods, from: number): boolean {
    const { index, isQuiet } = engine;
    this.#activeTrace.trace?.phase('encode');
    this.#assigned.startRun(engine);
    index.begin();
    let end = from;
    let hasStaleImages = false;
    let last: PodTemplate | null = null;
    let signatureTotals: SignatureTotals | null = null;
    for (; end < pods.length; end++) {
      const template = pods.template(end);
      if (template.engine !== engine) break;
      const pod = pods.info(end);
      if (template.hasTopology || !this.#isIndexed(pod, template, null)) break;
      if (!isQuiet && !isFree(engine, pod, template)) break;
      // The checks of one pod of a template hold for the next pod of it.
      const slot = template.specBesideNode === null ? ANY_SLOT : this.#onlySlot(pod);
      if (slot === UNKNOWN_SLOT) break;
      if (template === last && signatureTotals !== null) {
        if (!index.enqueue(signatureTotals, slot)) break;
        continue;
      }
      // A new signature may need room, and verdicts that read pods must see the pods that were placed before.
      const { signature } = template;
      if (signature === null || signature.isReleased || signature.verdicts.readsPods) {
        if (end > from) break;
        this.flush();
        engine.makeRoom();
      }
      if (end === from) {
        this.#cluster.updateSnapshot();
        hasStaleImages = this.#cluster.hasStaleImages;
      }
      if (hasStaleImages && !this.#cluster.areImagesUpToDate(podImages(pod.pod))) break;
      signatureTotals = this.#totalsOf(engine, pod, template);
      if (signatureTotals === null || !index.enqueue(signatureTotals, slot)) break;
      last = template.signature?.verdicts.readsPods ? null : template;
    }
    if (end - from > LONG_RUN) this.#activeTrace.rare(pods.info(from).pod);
    return end > from;
  }

  /** Places one pod whose attempt has begun. Returns null if a cycle has to decide. */
  place(pod: PodInfo, template: PodTemplate): ScheduleResult | null {
    const { engine } = template;
    if (engine === null || !this.#isOpen(engine)) return null;
    const place = this.#placeOne(engine, pod, template, true);
    if (place === null) return null;
    this.#assume(pod, place, engine);
    const { node, score, feasibleNodes, ties } = place;
    return { status: 'scheduled', node: node.name, score: feasibleNodes === 1 ? null : score, feasibleNodes, ties };
  }

  /**
   * Chooses the node of one pod whose attempt has begun. The caller assumes the pod there, charged by the template's
   * engine. Returns null if a cycle has to decide.
   */
  placeNode(pod: PodInfo, template: PodTemplate): NodeInfo | null {
    const { engine } = template;
    if (engine === null || !this.#isOpen(engine)) return null;
    return this.#placeOne(engine, pod, template, this.#tieBreak !== 'first')?.node ?? null;
  }

  /** Without `lists` the first of equally good nodes is chosen, and the others are not counted. */
  #placeOne(engine: IndexedEngine, pod: PodInfo, template: PodTemplate, lists: boolean): IndexedPlace | null {
    this.#activeTrace.trace?.phase('encode');
    this.flush();
    engine.makeRoom();
    engine.index.begin();
    if (!this.#isIndexed(pod, template, this.#activeTrace.trace)) return null;
    this.#cluster.updateSnapshot();
    const ties = this.#charge(engine, pod, template, lists);
    if (ties === null) return null;
    this.#activeTrace.trace?.phase('assume');
    const node = this.#cluster.nodeAt(engine.index.slot(0));
    assert(node !== undefined, 'the index chose a slot without a node');
    return { node, score: engine.index.total(0), feasibleNodes: engine.index.feasibleNodes(0), ties };
  }

  /** Returns the number of equally good nodes; null if a cycle has to decide. */
  #charge(engine: IndexedEngine, pod: PodInfo, template: PodTemplate, lists: boolean): number | null {
    if (template.specBesideNode !== null) return this.#chargeOnlyNode(engine, pod, template);
    const topology = template.hasTopology || !engine.isQuiet ? engine.topologyOf(pod) : 'none';
    if (topology === 'unknown') return null;
    return topology === 'none'
      ? this.#chargeBySignature(engine, pod, template, lists)
      : this.#chargeByTopology(engine, pod, template, topology, lists);
  }

  /** Charges the node that the pod names, which is compared with no other. */
  #chargeOnlyNode(engine: IndexedEngine, pod: PodInfo, template: PodTemplate): number | null {
    const { index } = engine;
    const slot = this.#onlySlot(pod);
    if (!index.isOn || slot === UNKNOWN_SLOT) return null;
    if ((template.hasTopology || !engine.isQuiet) && !isAcceptedByTopology(engine, pod, template, slot)) return null;
    const { trace } = this.#activeTrace;
    trace?.phase('filter');
    const signatureTotals = this.#totalsOf(engine, pod, template);
    if (signatureTotals === null) return null;
    const total = index.totalAt(signatureTotals, slot);
    if (total < 0) return null;
    trace?.phase('select');
    index.charge(signatureTotals, slot, total, 1);
    this.#searched(template);
    return 1;
  }

  /** The slot of the only node on which the pod may run; UNKNOWN_SLOT if there is no such node. */
  #onlySlot({ pod }: PodInfo): number {
    return this.#cluster.node(namedNodeOf(pod.spec) ?? '')?.slot ?? UNKNOWN_SLOT;
  }

  #chargeBySignature(engine: IndexedEngine, pod: PodInfo, template: PodTemplate, lists: boolean): number | null {
    // For the first pod of a signature the engine begins to track it, which belongs to the phase `encode`.
    signatureOf(engine, pod, template);
    const { trace } = this.#activeTrace;
    trace?.phase('filter');
    const signatureTotals = this.#totalsOf(engine, pod, template);
    if (signatureTotals === null) return null;
    trace?.phase('score');
    const window = this.#partialWindow(template);
    if (window !== null) return this.#chargeInWindow(engine, signatureTotals, template, window);
    const best = engine.index.best(signatureTotals, lists ? this.#wantedTies : 1);
    if (best === null) return null;
    trace?.phase('select');
    const ties = best.slots.length;
    const root = (): number => engine.index.rootOfTies(signatureTotals, best.total, this.#searchStart(template));
    const slot = ties > 1 ? this.#pick(best.slots, root) : (best.slots[0] ?? null);
    if (slot === null) return null;
    engine.index.charge(signatureTotals, slot, best.total, signatureTotals.feasibleNodes);
    this.#searched(template);
    return ties;
  }

  #chargeInWindow(
    { index }: IndexedEngine,
    signatureTotals: SignatureTotals,
    { profile }: PodTemplate,
    window: SearchWindow,
    rules: TopologyRules | null = null,
  ): number | null {
    const best = index.bestInWindow(signatureTotals, window, rules);
    if (best === null) return null;
    this.#activeTrace.trace?.phase('select');
    const slot = this.#pickInWindow(index, best);
    if (slot === null) return null;
    index.charge(signatureTotals, slot, best.total, best.feasibleNodes);
    profile?.search.advance(best.processed, this.#cluster.nodeCount);
    return best.ties;
  }

  #pickInWindow(index: SignatureIndex, best: WindowBest): number | null {
    if (best.ties === 1 || this.#tieBreak === 'first') return best.first;
    return this.#tieBreak === 'upstream' ? best.root : this.#pick(index.tiesInWindow(best));
  }

  /** The part of the nodes that a search for a pod of the template covers; null for all nodes. */
  #partialWindow({ profile }: PodTemplate): SearchWindow | null {
    const { nodeCount } = this.#cluster;
    const window = profile?.search.window(profile.percentageOfNodesToScore, nodeCount);
    return window === undefined || window.wanted >= nodeCount ? null : window;
  }

  #chargeByTopology(
    engine: IndexedEngine,
    pod: PodInfo,
    template: PodTemplate,
    rules: TopologyRules,
    lists: boolean,
  ): number | null {
    const { index } = engine;
    if (!index.isOn) return null;
    const window = this.#partialWindow(template);
    // Among ties in several buckets only a search finds upstream's choice.
    const isSorted = window === null && this.#tieBreak !== 'upstream';
    const best = isSorted ? this.#bestByTopology(engine, pod, template, rules) : null;
    if (best === null) {
      const signatureTotals = this.#totalsOf(engine, pod, template);
      if (signatureTotals === null) return null;
      this.#activeTrace.trace?.phase('score');
      return this.#chargeInWindow(engine, signatureTotals, template, window ?? this.#wholeWindow(template), rules);
    }
    this.#activeTrace.trace?.phase('select');
    const isFirst = this.#tieBreak === 'first';
    const slots = isFirst
      ? index.inOrder(Int32Array.from(best.columns, (column) => index.firstBest(column)).sort())
      : this.#tiesIn(index, best.columns);
    const slot = slots.length > 1 ? this.#pick(slots) : (slots[0] ?? null);
    const signatureTotals = best.columns[0];
    if (slot === null || signatureTotals === undefined) return null;
    const ties =
      isFirst && lists ? best.columns.reduce((sum, each) => sum + index.listBest(each).length, 0) : slots.length;
    index.charge(signatureTotals, slot, best.total, best.feasibleNodes);
    this.#searched(template);
    return ties;
  }

  /** Returns null if the nodes are not sorted by the rules: then they are searched. */
  #bestByTopology(
    engine: IndexedEngine,
    pod: PodInfo,
    template: PodTemplate,
    rules: TopologyRules,
  ): TopologyBest | null {
    const { verdicts } = signatureOf(engine, pod, template);
    const { nodesVersion } = this.#cluster;
    const { topologyAsks: asks } = template;
    if (!this.#topologyDemand.isEnough(asks, nodesVersion, verdicts.idsVersion, isCostly(rules))) return null;
    this.#activeTrace.trace?.phase('score');
    const best = engine.bestByTopology(signatureOf(engine, pod, template), rules);
    // Verdicts are brought up to date only when they are used.
    asks.verdictsVersion = verdicts.idsVersion;
    return best;
  }

  /** All nodes, from the position on where a search for a pod of the template begins. */
  #wholeWindow(template: PodTemplate): SearchWindow {
    return { start: this.#searchStart(template), wanted: this.#cluster.nodeCount };
  }

  /** Lists the best slots of some columns in the order in which their nodes were added. */
  #tiesIn(index: SignatureIndex, columns: TopologyBest['columns']): Int32Array {
    const [first] = columns;
    if (columns.length === 1 && first !== undefined) return index.listBest(first, this.#wantedTies);
    // Each list of ties overwrites the one before, so it is copied.
    const lists = columns.map((column) => index.listBest(column, this.#wantedTies).slice());
    const all = new Int32Array(lists.reduce((sum, { length }) => sum + length, 0));
    let end = 0;
    for (const list of lists) {
      all.set(list, end);
      end += list.length;
    }
    return index.inOrder(all.sort());
  }

  /** The position in snapshot order where a search for a pod of the template begins. */
  #searchStart({ profile }: PodTemplate): number {
    const { nodeCount } = this.#cluster;
    return profile?.search.window(100, nodeCount).start ?? 0;
  }

  /** Advances the search by the nodes that were looked at: all, so that it ends where it began, or the only one. */
  #searched({ profile, specBesideNode }: PodTemplate): void {
    const { nodeCount } = this.#cluster;
    profile?.search.advance(specBesideNode === null ? nodeCount : 1, nodeCount);
  }

  /** Picks one of several equally good nodes; `root` computes upstream's choice. Returns null if it is unknown. */
  #pick(slots: Int32Array, root?: () => number): number | null {
    if (this.#tieBreak === 'upstream') return root === undefined ? null : root();
    const nameOf = (rank: number): string => this.#cluster.nodeNameAt(slots[rank] ?? -1);
    return slots[this.#tieBreak === 'random' ? this.#draw(slots.length, nameOf) : 0] ?? null;
  }

  /** Whether the index can decide at present: the cluster has nodes, and no nominated pods. */
  #isOpen({ index }: IndexedEngine): boolean {
    return this.#cluster.nodeCount > 0 && !this.#cluster.hasNominations && index.isUsable;
  }

  #isIndexed(pod: PodInfo, { profile }: PodTemplate, trace: Trace | null): boolean {
    if (pod.nominatedNodeName !== '' || profile === undefined) return false;
    return !profile.asksGates || profile.framework.runPreEnqueue(pod, trace) === null;
  }

  #totalsOf(engine: IndexedEngine, pod: PodInfo, template: PodTemplate): SignatureTotals | null {
    const signature = signatureOf(engine, pod, template);
    const { totals: signatureTotals } = signature;
    return signatureTotals && signatureTotals.lastRun === engine.index.run
      ? signatureTotals
      : engine.totalsOf(signature);
  }

  #assume(pod: PodInfo, { node }: IndexedPlace, engine: IndexedEngine): void {
    this.#cluster.pods.assume(pod, node, engine);
    this.#activeTrace.trace?.phase('bind');
  }
}
