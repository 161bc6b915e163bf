import type { BalanceForm, ResourceSpec } from '../../framework/column-forms.ts';
import type { CycleState } from '../../framework/cycle-state.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import { MAX_NODE_SCORE, type PreScorePlugin, type ScorePlugin } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { type Status, skip } from '../../framework/status.ts';
import { type Int64, toFloat64 } from '../../lib/int64.ts';
import type { DeviceResources } from './device-resources.ts';
import { podRequestOf, resourceUse, scoresDevices, withPod } from './resource-amounts.ts';
import { CPU_AND_MEMORY } from './resource-specs.ts';

export const NODE_RESOURCES_BALANCED_ALLOCATION = 'NodeResourcesBalancedAllocation';

/** Prefers nodes on which the pod balances the use of different resources (upstream's balanced_allocation.go). */
export class NodeResourcesBalancedAllocation implements PreScorePlugin, ScorePlugin {
  readonly name = NODE_RESOURCES_BALANCED_ALLOCATION;
  readonly scoreReads = 'kernel';
  readonly resources: readonly ResourceSpec[];
  readonly resourceScore: BalanceForm;

  readonly #devices: DeviceResources | undefined;

  /** `devices`: the extended resources that devices back; absent if none can. */
  constructor(resources: readonly ResourceSpec[] = CPU_AND_MEMORY, devices?: DeviceResources) {
    this.resources = resources;
    this.resourceScore = { kind: 'balance', resources, ...(devices && { counted: devices }) };
    this.#devices = devices;
  }

  needsMethods(pod: PodInfo): boolean {
    return scoresDevices(pod, this.resources, false, this.#devices);
  }

  formsVersion(): number {
    return this.#devices?.version ?? 0;
  }

  /** Skips pods that request none of the resources: they change no balance. */
  preScore(_state: CycleState, pod: PodInfo): Status | null {
    return this.#requestsNothing(pod) ? skip(this.name) : null;
  }

  /** The score is 75 when the pod changes no balance; each point of balance gained or lost counts half. */
  score(_state: CycleState, pod: PodInfo, node: NodeInfo): number {
    // PreScore returns Skip for such pods, so this is reached only in profiles without PreScore.
    if (this.#requestsNothing(pod)) return 0;
    const after: number[] = [];
    const before: number[] = [];
    for (const { name } of this.resources) {
      const use = resourceUse(pod, node, name, false, this.#devices);
      if (use === null || use.allocatable === 0) continue;
      after.push(usedFraction(withPod(use), use.allocatable));
      before.push(usedFraction(use.requested, use.allocatable));
    }
    const half = MAX_NODE_SCORE / 2;
    return half + Math.trunc((half + balance(after) - balance(before)) / 2);
  }

  #requestsNothing(pod: PodInfo): boolean {
    return this.resources.every(({ name }) => podRequestOf(pod, name, false) === 0);
  }
}

/** The fraction is 1 at most, also on nodes that are overcommitted. */
function usedFraction(requested: Int64, allocatable: Int64): number {
  return Math.min(1, toFloat64(requested) / toFloat64(allocatable));
}

/**
 * The balance is 100 for equal fractions, and less the more they differ. The operations come in the same order as
 * upstream's, so that results are equal bit for bit.
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
