import type { BalanceForm } from '../../framework/column-forms.ts';
import type { CycleState } from '../../framework/cycle-state.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import { MAX_NODE_SCORE, type PreScorePlugin, type ScorePlugin } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { type Status, skip } from '../../framework/status.ts';
import { type Int64, toFloat64 } from '../../lib/int64.ts';
import { CPU_AND_MEMORY, podRequestOf, type ResourceSpec, resourceUse, withPod } from './resource-amounts.ts';

export const NODE_RESOURCES_BALANCED_ALLOCATION = 'NodeResourcesBalancedAllocation';

/** Prefers nodes on which the pod evens out the use of different resources (upstream's balanced_allocation.go). */
export class NodeResourcesBalancedAllocation implements PreScorePlugin, ScorePlugin {
  readonly name = NODE_RESOURCES_BALANCED_ALLOCATION;
  readonly scoreReads = 'kernel';
  readonly resources: readonly ResourceSpec[];
  readonly resourceScore: BalanceForm;

  constructor(resources: readonly ResourceSpec[] = CPU_AND_MEMORY) {
    this.resources = resources;
    this.resourceScore = { kind: 'balance', resources };
  }

  /** A pod that asks for none of the resources changes no balance. */
  preScore(_state: CycleState, pod: PodInfo): Status | null {
    return this.#asksForNothing(pod) ? skip(this.name) : null;
  }

  /** 75 when the pod changes nothing; each point of balance gained or lost counts half. */
  score(_state: CycleState, pod: PodInfo, node: NodeInfo): number {
    // Only where PreScore, which would have said Skip, is not part of the profile.
    if (this.#asksForNothing(pod)) return 0;
    const after: number[] = [];
    const before: number[] = [];
    for (const { name } of this.resources) {
      const use = resourceUse(pod, node, name, false);
      if (use === null || use.allocatable === 0) continue;
      after.push(usedFraction(withPod(use), use.allocatable));
      before.push(usedFraction(use.requested, use.allocatable));
    }
    const half = MAX_NODE_SCORE / 2;
    return half + Math.trunc((half + balance(after) - balance(before)) / 2);
  }

  #asksForNothing(pod: PodInfo): boolean {
    return this.resources.every(({ name }) => podRequestOf(pod, name, false) === 0);
  }
}

/** At most 1: a node may be overcommitted. */
function usedFraction(requested: Int64, allocatable: Int64): number {
  return Math.min(1, toFloat64(requested) / toFloat64(allocatable));
}

/**
 * 100 for equal fractions, less the further they spread. Same operations in the same order as Go: bit for bit equal.
 */
function balance(fractions: readonly number[]): number {
  const [first = 0, second = 0] = fractions;
  let deviation = 0;
  if (fractions.length === 2) {
    deviation = Math.abs((first - second) / 2);
  } else if (fractions.length > 2) {
    const mean = fractions.reduce((sum, value) => sum + value, 0) / fractions.length;
    const squares = fractions.reduce((sum, value) => sum + (value - mean) * (value - mean), 0);
    deviation = Math.sqrt(squares / fractions.length);
  }
  return Math.trunc((1 - deviation) * MAX_NODE_SCORE);
}
