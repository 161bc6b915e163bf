import { assert } from '../lib/assert.ts';
import type { BatchResult } from './batch-result.ts';
import type { ClusterState } from './cache/cluster-state.ts';
import type { ClassLane } from './engine/class-index/class-lane.ts';
import type { IndexedEngine, TieBreak } from './engine/engine.ts';
import type { NodeInfo } from './framework/node-info.ts';
import type { PodInfo } from './framework/pod-info.ts';
import { numFeasibleNodesToFind } from './node-search.ts';
import type { PodTemplate } from './pod-templates.ts';
import type { SchedulePodModules } from './schedule-pod.ts';

/** A pod of a batch on its way. */
export interface ExpectedPod {
  readonly info: PodInfo;
  readonly template: PodTemplate;
}

/** A node that the index has chosen and charged. */
interface IndexedPlace {
  readonly node: NodeInfo;
  readonly score: number;
  readonly feasibleNodes: number;
  readonly ties: number;
}

/**
 * The short way to a decision, for pods about which their class says everything: no cycle, no PreFilter, one look into
 * the class index. What it cannot decide (no node fits, ties that need the search order) is left to a cycle.
 */
export class PlaceByIndex {
  readonly #cluster: ClusterState;
  readonly #tieBreak: TieBreak;
  readonly #draw: (ties: number) => number;

  constructor(cluster: ClusterState, tieBreak: TieBreak, draw: (ties: number) => number) {
    this.#cluster = cluster;
    this.#tieBreak = tieBreak;
    this.#draw = draw;
  }

  /** Places pods from `from` on, as many as one run takes; returns where it stopped. */
  placeRun(pods: readonly ExpectedPod[], from: number, results: BatchResult): number {
    const first = pods[from];
    const engine = first?.template.engine;
    if (!engine || !this.#isOpen(engine, first?.template.modules)) return from;
    const { index } = engine;
    if (this.#tieBreak !== 'first' || !index.isOn) {
      const place = this.#placeOne(engine, first);
      if (place === null) return from;
      results.setPlaced(from, place.node, place.score, place.feasibleNodes);
      return from + 1;
    }
    index.begin();
    const isQuiet = engine.isQuiet;
    let end = from;
    for (; end < pods.length; end++) {
      const pod = pods[end] as ExpectedPod;
      if (pod.template.engine !== engine) break;
      const lane = this.#laneOf(engine, pod, isQuiet);
      // Its gate has to look at the node on which the pod before it went.
      if (lane === null || (lane.podClass.gate.readsPods && end > from)) break;
      if (!index.enqueue(lane)) break;
    }
    const placed = index.place();
    for (let i = 0; i < placed; i++) {
      const { node, score, feasibleNodes } = this.#settle(engine, (pods[from + i] as ExpectedPod).info, i);
      results.setPlaced(from + i, node, score, feasibleNodes);
    }
    return from + placed;
  }

  /** Places one expected pod; null: a cycle has to decide. */
  place(pod: ExpectedPod): IndexedPlace | null {
    const { engine, modules } = pod.template;
    return engine && this.#isOpen(engine, modules) ? this.#placeOne(engine, pod) : null;
  }

  #placeOne(engine: IndexedEngine, pod: ExpectedPod): IndexedPlace | null {
    const { index } = engine;
    index.begin();
    const lane = this.#laneOf(engine, pod, engine.isQuiet);
    if (lane === null) return null;
    let ties = 1;
    const isPlaced = index.placeOne(lane, (slots) => {
      ties = slots.length;
      if (this.#tieBreak === 'upstream') return null;
      return slots[this.#tieBreak === 'random' ? this.#draw(ties) : 0] ?? null;
    });
    return isPlaced ? { ...this.#settle(engine, pod.info, 0), ties } : null;
  }

  /** Whether every node is looked at and nothing but classes decides. */
  #isOpen({ index }: IndexedEngine, modules: SchedulePodModules | undefined): boolean {
    const { nodeCount, hasNominations } = this.#cluster;
    if (modules === undefined || nodeCount === 0 || hasNominations || !index.isUsable) return false;
    return numFeasibleNodesToFind(modules.percentageOfNodesToScore, nodeCount) >= nodeCount;
  }

  #laneOf(engine: IndexedEngine, { info, template }: ExpectedPod, isQuiet: boolean): ClassLane | null {
    if (info.nominatedNodeName !== '' || template.modules?.framework.runPreEnqueue(info) !== null) return null;
    if ((template.hasTopology || !isQuiet) && !engine.isPlain(info)) return null;
    let { podClass } = template;
    if (podClass === null) {
      podClass = engine.classOf(info);
      template.podClass = podClass;
    }
    const { lane } = podClass;
    if (lane && lane.lastRun === engine.index.run) return lane;
    return engine.laneOf(podClass);
  }

  #settle(engine: IndexedEngine, info: PodInfo, i: number): Omit<IndexedPlace, 'ties'> {
    const { results } = engine.index;
    const node = this.#cluster.nodeAt(results[i * 3] ?? -1);
    assert(node !== undefined, 'the index chose a slot without a node');
    this.#cluster.settle(info, node, engine);
    engine.podPlaced(node, info);
    return { node, score: results[i * 3 + 1] ?? 0, feasibleNodes: results[i * 3 + 2] ?? 0 };
  }
}
