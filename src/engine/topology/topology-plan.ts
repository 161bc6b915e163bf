import { INTER_POD_AFFINITY, POD_TOPOLOGY_SPREAD } from '../../framework/plugin-names.ts';
import type { Status } from '../../framework/status.ts';
import type { Trace } from '../../framework/tracing/tracer.ts';
import type { Kernels } from '../../kernels/abi.ts';
import type { Column } from '../../memory/column-table.ts';
import { violationStatus as affinityStatus } from '../../plugins/inter-pod-affinity/plugin.ts';
import { violationStatus as spreadStatus } from '../../plugins/pod-topology-spread/plugin.ts';
import type { AffinityPlan } from './affinity-plan.ts';
import type { SpreadPlan } from './spread-plan.ts';
import type { TopologyRules } from './topology-rules.ts';
import type { TopologyScratch } from './topology-scratch.ts';

/** Where the two plugins stand among the framework's filters; -1 for one that does not filter. */
export interface TopologyPositions {
  readonly spread: number;
  readonly affinity: number;
}

/**
 * What topology spread and inter-pod affinity have to say of one pod signature; null where a plugin has nothing to say.
 */
export class TopologyPlan {
  readonly #spread: SpreadPlan | null;
  readonly #affinity: AffinityPlan | null;
  readonly #positions: TopologyPositions;
  #rules: TopologyRules | null = null;
  #rulesSize = 0;

  constructor(spread: SpreadPlan | null, affinity: AffinityPlan | null, positions: TopologyPositions) {
    this.#spread = spread;
    this.#affinity = affinity;
    this.#positions = positions;
  }

  /** The counters cannot speak for the nodes as they are labelled now. */
  isAmbiguous(nodeCount: number): boolean {
    return this.#spread?.isAmbiguous(nodeCount) ?? false;
  }

  /** What the plan asks of nodes; null when that cannot be said by counts of domains. */
  rules(kernels: Kernels): TopologyRules | null {
    if (this.#spread?.isPartial) return null;
    const size = this.#affinity?.size ?? 0;
    if (this.#rules === null || this.#rulesSize !== size) {
      const { spread, affinity } = this.#positions;
      this.#rulesSize = size;
      this.#rules = {
        rules: [
          ...(spread >= 0 && this.#spread !== null ? this.#spread.rules(kernels) : []),
          ...(affinity >= 0 && this.#affinity !== null ? this.#affinity.rules() : []),
        ],
        spread: this.#spread?.scores() ?? [],
        affinity: this.#affinity?.scores() ?? [],
      };
    }
    return this.#rules;
  }

  /** Where in filter order the first of the two stands. */
  get firstPosition(): number {
    const { spread, affinity } = this.#positions;
    return Math.min(spread < 0 ? Number.POSITIVE_INFINITY : spread, affinity < 0 ? Number.POSITIVE_INFINITY : affinity);
  }

  /** Whether there is anything to check; after this, `filter` may be called. */
  get filters(): boolean {
    const { spread, affinity } = this.#positions;
    return (spread >= 0 && this.#spread?.filters === true) || (affinity >= 0 && this.#affinity?.filters === true);
  }

  /** Clears `feasible` where a constraint or term rejects. */
  filter(kernels: Kernels, feasible: Column<'i32'>, slots: number, trace: Trace | null): void {
    if (this.#positions.spread >= 0 && this.#spread !== null) {
      trace?.startPlugin('filter', POD_TOPOLOGY_SPREAD);
      this.#spread.filter(kernels, feasible, slots);
      trace?.end();
    }
    if (this.#positions.affinity >= 0 && this.#affinity !== null) {
      trace?.startPlugin('filter', INTER_POD_AFFINITY);
      this.#affinity.filter(kernels, feasible, slots);
      trace?.end();
    }
  }

  /** Who rejects the node, and where in the filter order; null when neither does. */
  rejection(slot: number): { readonly status: Status; readonly position: number } | null {
    const { spread, affinity } = this.#positions;
    const spreadViolation = spread < 0 ? null : (this.#spread?.violation(slot) ?? null);
    const affinityViolation = affinity < 0 ? null : (this.#affinity?.violation(slot) ?? null);
    const bySpread = spreadViolation && { status: spreadStatus(spreadViolation), position: spread };
    const byAffinity = affinityViolation && { status: affinityStatus(affinityViolation), position: affinity };
    if (bySpread === null || byAffinity === null) return bySpread ?? byAffinity;
    return spread < affinity ? bySpread : byAffinity;
  }

  /** Fills the scratch columns with a plugin's scores; false when it is skipped for this pod. */
  score(plugin: string, kernels: Kernels, scratch: TopologyScratch, feasible: Column<'i32'>, slots: number): boolean {
    if (plugin === POD_TOPOLOGY_SPREAD) return this.#spread?.score(kernels, scratch, feasible, slots) ?? false;
    if (plugin === INTER_POD_AFFINITY) return this.#affinity?.score(kernels, scratch, feasible, slots) ?? false;
    return false;
  }
}
