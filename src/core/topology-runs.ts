import type { IndexedEngine } from '../engine/cycle/engine.ts';
import { ANY_SLOT } from '../engine/index/signature-index.ts';
import type { TopologyDemand } from '../engine/topology/topology-demand.ts';
import type { AssignedPods } from '../framework/cluster/assigned-pods.ts';
import type { ClusterState } from '../framework/cluster/cluster-state.ts';
import type { SearchWindow } from '../framework/node-search.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import type { TieBreak } from '../framework/tie-break.ts';
import type { ActiveTrace } from '../framework/tracing/active-trace.ts';
import type { BatchResult } from './batch-result.ts';
import type { ExpectedPods } from './expected-pods.ts';
import type { PodTemplate } from './pod-templates.ts';
import { hasAttemptFilters, isFreeInRun, isIndexed, mayWait, UNKNOWN_SLOT } from './template-pods.ts';
import { searched } from './template-search.ts';

/** With fewer pods, a run costs more than it saves. */
const FEWEST_PODS = 4;

interface TopologyRunsModules {
  readonly cluster: ClusterState;
  readonly activeTrace: ActiveTrace;
  readonly assigned: AssignedPods;
  readonly demand: TopologyDemand;
  readonly tieBreak: TieBreak;
}

/** Places pods in runs, of which those with topology rules have nodes that were sorted for earlier pods. */
export class TopologyRuns {
  readonly #modules: TopologyRunsModules;
  /** The number of waiting pods about which filters have answered, and for how many these answers hold. */
  #answered = 0;
  #room = Number.POSITIVE_INFINITY;

  constructor(modules: TopologyRunsModules) {
    this.#modules = modules;
  }

  /**
   * Places as many pods from index `from` on as one run can. Returns the index of the first pod that is not placed.
   * `window`: the part of the nodes that a search covers; null for all nodes.
   */
  place(
    engine: IndexedEngine,
    pods: ExpectedPods,
    from: number,
    results: BatchResult,
    window: SearchWindow | null,
  ): number {
    if (pods.length - from < FEWEST_PODS || !this.#isReady(engine, pods, from)) return from;
    const { cluster, activeTrace, assigned, tieBreak } = this.#modules;
    activeTrace.trace?.phase('encode');
    if (this.#answered >= this.#room && hasAttemptFilters(pods.template(from))) assigned.flush();
    if (assigned.isEmpty) {
      this.#answered = 0;
      this.#room = Number.POSITIVE_INFINITY;
    }
    const { index, topologyRun } = engine;
    engine.makeRoom();
    index.begin();
    cluster.updateSnapshot();
    const search = window === null ? null : index.search;
    if (window !== null) index.search.begin(window, tieBreak === 'upstream');
    topologyRun.begin(search);
    assigned.startRun(engine);
    let end = from;
    while (end < pods.length && this.#isReady(engine, pods, end) && this.#enqueue(engine, pods, end)) end++;
    if (end - from < FEWEST_PODS) return from;
    activeTrace.rare(pods.info(from).pod);
    activeTrace.trace?.phase('place');
    const placed = topologyRun.place();
    activeTrace.trace?.phase('assume');
    if (window !== null) this.#advance(pods.template(from), index.search.start - window.start);
    for (let i = 0; i < placed; i++) {
      if (search === null) searched(pods.template(from + i), cluster);
      assigned.add(pods, from + i, index.slot(i), true);
      results.setPlaced(from + i, index.slot(i), index.total(i), index.feasibleNodes(i));
    }
    return from + placed;
  }

  /** Lets the next search begin so many nodes later; the last one may have ended before the first began. */
  #advance({ profile }: PodTemplate, nodes: number): void {
    const { nodeCount } = this.#modules.cluster;
    profile?.search.advance((nodes + nodeCount) % nodeCount, nodeCount);
  }

  /** Whether a pod of the template may be charged later than the next is placed. */
  #isReady(engine: IndexedEngine, pods: ExpectedPods, at: number): boolean {
    const template = pods.template(at);
    const { topologyAsks } = template;
    const { run } = engine.index;
    if (template.engine !== engine) return false;
    if (topologyAsks.run !== run && !this.#mayWait(engine, template)) return false;
    topologyAsks.run = run;
    const pod = pods.info(at);
    return !this.#modules.cluster.hasNominations && isIndexed(pod, template, null);
  }

  #mayWait(engine: IndexedEngine, template: PodTemplate): boolean {
    const { topologyAsks, signature } = template;
    const { cluster, assigned } = this.#modules;
    if (assigned.hasUncounted || !mayWait(engine, template, cluster)) return false;
    if (topologyAsks.indexedPods === 0) return true;
    // Whether it pays to sort nodes again after a change is decided when a pod is placed alone.
    if (topologyAsks.nodesVersion !== cluster.nodesVersion) return false;
    return topologyAsks.verdictsVersion === signature?.verdicts.roundsOfAll;
  }

  #enqueue(engine: IndexedEngine, pods: ExpectedPods, at: number): boolean {
    const [pod, template] = [pods.info(at), pods.template(at)];
    const { signature, topologyAsks, specBesideNode } = template;
    const { demand } = this.#modules;
    if (signature === null) return false;
    if (hasAttemptFilters(template)) return specBesideNode === null && this.#enqueueAnswered(engine, pod, template);
    if (specBesideNode === null) {
      if (!engine.topologyRun.enqueue(pod, signature)) return false;
      if (topologyAsks.indexedPods > 0) demand.count(topologyAsks);
      return true;
    }
    const slot = pods.slot(at);
    const isFree = engine.isQuiet && !template.hasTopology;
    if (slot === UNKNOWN_SLOT || !(isFree || isFreeInRun(engine, pod, template))) return false;
    return engine.topologyRun.enqueue(pod, signature, slot);
  }

  /** Queues a pod if filters have an answer that holds whatever nodes the waiting pods are on. */
  #enqueueAnswered(engine: IndexedEngine, pod: PodInfo, { signature, topologyAsks }: PodTemplate): boolean {
    const answers = signature && engine.attemptFilters.inRun(signature, pod);
    if (signature === null || answers === null || this.#answered >= Math.min(this.#room, answers.room)) return false;
    if (!engine.topologyRun.enqueue(pod, signature, ANY_SLOT, answers.rules)) return false;
    this.#answered++;
    this.#room = Math.min(this.#room, answers.room);
    if (topologyAsks.indexedPods > 0) this.#modules.demand.count(topologyAsks);
    return true;
  }
}
