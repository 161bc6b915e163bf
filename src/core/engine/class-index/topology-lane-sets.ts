import type { Kernels } from '../../../kernels/abi.ts';
import type { PodClass } from '../pod-class.ts';
import type { TopologyPlan } from '../topology/topology-plan.ts';
import type { TopologyRules } from '../topology/topology-rules.ts';
import type { ClassIndex } from './class-index.ts';
import { NodeKinds, type NodeKindsModules, splitCounts } from './node-kinds.ts';
import { type TopologyBest, TopologyLanes } from './topology-lanes.ts';
import { countsOf } from './topology-totals.ts';

/** Kinds of nodes that are kept for sets of lanes, all together. */
const BUDGET_BYTES = 64 * 1024 * 1024;
const FEWEST_SETS = 16;

export interface TopologyLaneSetsModules extends NodeKindsModules {
  readonly kernels: Kernels;
  readonly index: ClassIndex;
}

/** Lanes by pod class and by what its rules count; those that were used longest ago make room for new ones. */
export class TopologyLaneSets {
  readonly #modules: TopologyLaneSetsModules;
  /** In the order of use. */
  readonly #sets = new Map<string, TopologyLanes>();
  readonly #ids = new WeakMap<object, number>();
  #nextId = 1;

  constructor(modules: TopologyLaneSetsModules) {
    this.#modules = modules;
  }

  /** null when no node fits, or the index cannot tell. After `ClassIndex.begin`, and after the gate has caught up. */
  best(podClass: PodClass, plan: TopologyPlan, rules: TopologyRules): TopologyBest | null {
    const split = splitCounts(countsOf(rules));
    if (split === null) return null;
    // Scores by node are part of the totals; where there are none, plans share their lanes.
    const owner = split.nodeCounts.length > 0 ? [plan, ...split.nodeCounts] : [];
    const key = [podClass, ...split.shared, this, ...owner].map((part) => this.#idOf(part)).join(' ');
    let lanes = this.#sets.get(key);
    if (lanes !== undefined) {
      this.#sets.delete(key);
      if (lanes.isReleased) {
        lanes.release();
        lanes = undefined;
      }
    }
    if (lanes === undefined) {
      const { kernels, index, cluster } = this.#modules;
      const form = index.formOf(podClass);
      if (form === null) return null;
      this.#makeRoom();
      const kinds = new NodeKinds(this.#modules, podClass.gate, split);
      lanes = new TopologyLanes({ kernels, index, slotCount: () => cluster.slotCount }, podClass, form, kinds);
    }
    this.#sets.set(key, lanes);
    return lanes.best(rules);
  }

  #makeRoom(): void {
    const most = Math.max(FEWEST_SETS, Math.floor(BUDGET_BYTES / (2 * this.#modules.table.capacity)));
    for (const [key, lanes] of this.#sets) {
      if (this.#sets.size < most) return;
      lanes.release();
      this.#sets.delete(key);
    }
  }

  #idOf(part: object): number {
    let id = this.#ids.get(part);
    if (id === undefined) {
      id = this.#nextId++;
      this.#ids.set(part, id);
    }
    return id;
  }
}
