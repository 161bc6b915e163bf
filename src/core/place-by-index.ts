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

/** The pods of a batch on their way, side by side: no object a pod but what stays of it. */
export class ExpectedPods {
  readonly infos: PodInfo[];
  readonly #templates: PodTemplate[];
  #length = 0;

  constructor(capacity: number) {
    this.infos = new Array(capacity);
    this.#templates = new Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  add(info: PodInfo, template: PodTemplate): void {
    this.infos[this.#length] = info;
    this.#templates[this.#length] = template;
    this.#length++;
  }

  info(index: number): PodInfo {
    return this.infos[index] as PodInfo;
  }

  template(index: number): PodTemplate {
    return this.#templates[index] as PodTemplate;
  }
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
  placeRun(pods: ExpectedPods, from: number, results: BatchResult): number {
    const { engine, modules } = pods.template(from);
    if (engine === null || !this.#isOpen(engine, modules)) return from;
    if (this.#tieBreak !== 'first' || !engine.index.isOn) {
      const place = this.#placeOne(engine, pods.info(from), pods.template(from));
      if (place === null) return from;
      results.setPlaced(from, place.node, place.score, place.feasibleNodes);
      return from + 1;
    }
    const end = this.#enqueue(engine, pods, from);
    const placed = end > from ? engine.index.place() : 0;
    for (let i = 0; i < placed; i++) {
      const node = this.#settle(engine, pods.info(from + i), i);
      results.setPlaced(from + i, node, engine.index.total(i), engine.index.feasibleNodes(i));
    }
    return from + placed;
  }

  /** Returns behind the last pod that can be placed in the same run. */
  #enqueue(engine: IndexedEngine, pods: ExpectedPods, from: number): number {
    const { index, isQuiet } = engine;
    index.begin();
    let end = from;
    for (; end < pods.length; end++) {
      const template = pods.template(end);
      if (template.engine !== engine) break;
      const lane = this.#laneOf(engine, pods.info(end), template, isQuiet);
      // Its gate has to look at the node on which the pod before it went.
      if (lane === null || (lane.podClass.gate.readsPods && end > from)) break;
      if (!index.enqueue(lane)) break;
    }
    return end;
  }

  /** Places one expected pod; null: a cycle has to decide. */
  place(pod: PodInfo, template: PodTemplate): IndexedPlace | null {
    const { engine, modules } = template;
    return engine && this.#isOpen(engine, modules) ? this.#placeOne(engine, pod, template) : null;
  }

  #placeOne(engine: IndexedEngine, pod: PodInfo, template: PodTemplate): IndexedPlace | null {
    const { index } = engine;
    index.begin();
    const lane = this.#laneOf(engine, pod, template, engine.isQuiet);
    if (lane === null) return null;
    let ties = 1;
    const isPlaced = index.placeOne(lane, (slots) => {
      ties = slots.length;
      if (this.#tieBreak === 'upstream') return null;
      return slots[this.#tieBreak === 'random' ? this.#draw(ties) : 0] ?? null;
    });
    if (!isPlaced) return null;
    const node = this.#settle(engine, pod, 0);
    return { node, score: index.total(0), feasibleNodes: index.feasibleNodes(0), ties };
  }

  /** Whether every node is looked at and nothing but classes decides. */
  #isOpen({ index }: IndexedEngine, modules: SchedulePodModules | undefined): boolean {
    const { nodeCount, hasNominations } = this.#cluster;
    if (modules === undefined || nodeCount === 0 || hasNominations || !index.isUsable) return false;
    return numFeasibleNodesToFind(modules.percentageOfNodesToScore, nodeCount) >= nodeCount;
  }

  #laneOf(engine: IndexedEngine, pod: PodInfo, template: PodTemplate, isQuiet: boolean): ClassLane | null {
    if (pod.nominatedNodeName !== '' || template.modules?.framework.runPreEnqueue(pod) !== null) return null;
    if ((template.hasTopology || !isQuiet) && !engine.isPlain(pod)) return null;
    let { podClass } = template;
    if (podClass === null) {
      podClass = engine.classOf(pod);
      template.podClass = podClass;
    }
    const { lane } = podClass;
    if (lane && lane.lastRun === engine.index.run) return lane;
    return engine.laneOf(podClass);
  }

  #settle(engine: IndexedEngine, pod: PodInfo, i: number): NodeInfo {
    const node = this.#cluster.nodeAt(engine.index.slot(i));
    assert(node !== undefined, 'the index chose a slot without a node');
    this.#cluster.settle(pod, node, engine);
    engine.podPlaced(node, pod);
    return node;
  }
}
