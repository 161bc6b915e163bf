import type { NodeInfo } from '../../framework/node-info.ts';
import { MAX_NODE_SCORE } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';

/**
 * How full the nodes are together, in percent, once the pods are on them: the mean of processors and memory
 * (NodeResourcesFit as a scorer of placements: fuller placements leave larger ones free).
 */
export function placementFullness(nodes: readonly NodeInfo[], pods: readonly PodInfo[]): number {
  const requests = [
    ...nodes.map((node) => node.nonZeroRequested),
    ...pods.map((pod) => pod.requirements.nonZeroRequests),
  ];
  const allocatable = nodes.map((node) => node.allocatable);
  const processors = share(
    sum(requests, ({ milliCPU }) => milliCPU),
    sum(allocatable, ({ milliCPU }) => milliCPU),
  );
  const memory = share(
    sum(requests, ({ memoryBytes }) => memoryBytes),
    sum(allocatable, ({ memoryBytes }) => memoryBytes),
  );
  const shares = [processors, memory].filter((each) => each !== null);
  return shares.length === 0 ? 0 : Number(shares.reduce((a, b) => a + b, 0n) / BigInt(shares.length));
}

/** The share in percent, rounded down; null if there is nothing to share. */
function share(requested: bigint, allocatable: bigint): bigint | null {
  if (allocatable === 0n) return null;
  return ((requested < allocatable ? requested : allocatable) * BigInt(MAX_NODE_SCORE)) / allocatable;
}

function sum<T>(list: readonly T[], amountOf: (item: T) => number | bigint): bigint {
  return list.reduce((total, item) => total + BigInt(amountOf(item)), 0n);
}
