import { isScalarResourceName } from '../../api/resources.ts';
import type { ResourceSpec } from '../../framework/column-forms.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { add, type Int64 } from '../../lib/int64.ts';
import { amountOf, podRequestOf } from './resource-amounts.ts';
import { CPU_AND_MEMORY } from './resource-specs.ts';
import { mostAllocatedScore } from './scoring-strategy.ts';

/**
 * How full the nodes are together, in percent, once the pods are on them (NodeResourcesFit as a scorer of placements:
 * fuller placements leave larger ones free, whatever the strategy for nodes is). `resources` are those of the strategy.
 */
export function placementFullness(
  nodes: readonly NodeInfo[],
  pods: readonly PodInfo[],
  resources: readonly ResourceSpec[] = CPU_AND_MEMORY,
): number {
  const uses = resources.map(({ name, weight }) => {
    const added = sum(pods, (pod) => podRequestOf(pod, name, true));
    // As for nodes, the score leaves out scalar resources that nobody requests.
    if (added === 0 && isScalarResourceName(name)) return { requested: 0, allocatable: 0, weight };
    const requested = add(
      added,
      sum(nodes, (node) => requestedOn(node, name)),
    );
    return { requested, allocatable: sum(nodes, ({ allocatable }) => amountOf(allocatable, name)), weight };
  });
  return mostAllocatedScore(uses);
}

function requestedOn({ nonZeroRequested, requested }: NodeInfo, name: string): Int64 {
  if (name === 'cpu') return nonZeroRequested.milliCPU;
  return name === 'memory' ? nonZeroRequested.memoryBytes : amountOf(requested, name);
}

function sum<T>(list: readonly T[], amount: (item: T) => Int64): Int64 {
  return list.reduce<Int64>((total, item) => add(total, amount(item)), 0);
}
