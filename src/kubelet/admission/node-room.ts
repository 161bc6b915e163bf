import type { Node } from '../../api/node.ts';
import type { Pod } from '../../api/pod.ts';
import { isExtendedResourceName, type Resources } from '../../api/resources.ts';
import { type Int64, subtract } from '../../lib/int64.ts';
import { type NodeLoad, requestsOf } from './node-load.ts';

/** A resource of which there is not enough. */
export interface Shortage {
  /** The resource, such as `cpu`, `pods` or `nvidia.com/gpu`. */
  readonly resource: string;
  readonly requested: Int64;
  readonly used: Int64;
  readonly capacity: Int64;
}

/**
 * The first resource of which a node has too little for one more pod; undefined if the pod fits. Extended resources
 * that the node does not know count for nothing, and neither do those that devices of a claim stand for. Upstream:
 * removeMissingExtendedResources in pkg/kubelet/lifecycle/predicate.go, and fitsRequest in
 * pkg/scheduler/framework/plugins/noderesources/fit.go, as the kubelet calls it.
 */
export function findShortage(node: Node, load: NodeLoad, pod: Pod): Shortage | undefined {
  const { resources, podCount } = load.allocatableOf(node);
  const count = load.podCount;
  if (count + 1 > podCount) return { resource: 'pods', requested: 1, used: count, capacity: podCount };
  for (const [resource, requested] of requestsOf(pod)) {
    if (requested <= 0) continue;
    const capacity = amountOf(resources, resource);
    if (isProvidedOtherwise(resource, capacity, pod)) continue;
    const [has, taken] = [capacity ?? 0, load.used(resource)];
    if (requested > subtract(has, taken)) return { resource, requested, used: taken, capacity: has };
  }
  return undefined;
}

/** The amount of the resource; undefined for an extended one that is not named. */
function amountOf({ milliCPU, memoryBytes, ephemeralStorageBytes, scalar }: Resources, name: string) {
  if (name === 'cpu') return milliCPU;
  if (name === 'memory') return memoryBytes;
  return name === 'ephemeral-storage' ? ephemeralStorageBytes : scalar.get(name);
}

function isProvidedOtherwise(resource: string, amount: Int64 | undefined, { status }: Pod): boolean {
  if (!isExtendedResourceName(resource)) return false;
  if (amount === undefined) return true;
  const mappings = status?.extendedResourceClaimStatus?.requestMappings ?? [];
  return amount === 0 && mappings.some(({ resourceName }) => resourceName === resource);
}
