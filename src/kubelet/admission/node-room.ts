import type { Node } from '../../api/node.ts';
import type { Pod } from '../../api/pod.ts';
import { mayBeResized, podRequests } from '../../api/pod-requests.ts';
import { allocatable, isExtendedResourceName, type Resources } from '../../api/resources.ts';
import { getOrMake } from '../../lib/get-or-make.ts';
import { add, type Int64, subtract } from '../../lib/int64.ts';

/** A resource of which there is not enough. */
export interface Shortage {
  /** The resource, such as `cpu`, `pods` or `nvidia.com/gpu`. */
  readonly resource: string;
  readonly requested: Int64;
  readonly used: Int64;
  readonly capacity: Int64;
}

type Amounts = ReadonlyMap<string, Int64>;

/**
 * The first resource of which a node has too little for one more pod; undefined if the pod fits. Extended resources
 * that the node does not know count for nothing, and neither do those that devices of a claim stand for. Upstream:
 * removeMissingExtendedResources in pkg/kubelet/lifecycle/predicate.go, and fitsRequest in
 * pkg/scheduler/framework/plugins/noderesources/fit.go, as the kubelet calls it.
 */
export function findShortage(node: Node, pods: Iterable<Pod>, pod: Pod): Shortage | undefined {
  const { resources, podCount } = allocatable(node.status?.allocatable);
  const capacity = amountsOf(resources);
  const used = new Map<string, Int64>();
  let count = 0;
  for (const other of pods) {
    count++;
    for (const [name, amount] of requestsOf(other)) used.set(name, add(used.get(name) ?? 0, amount));
  }
  if (count + 1 > podCount) return { resource: 'pods', requested: 1, used: count, capacity: podCount };
  for (const [resource, requested] of requestsOf(pod)) {
    if (requested <= 0 || isProvidedOtherwise(resource, capacity, pod)) continue;
    const [has, taken] = [capacity.get(resource) ?? 0, used.get(resource) ?? 0];
    if (requested > subtract(has, taken)) return { resource, requested, used: taken, capacity: has };
  }
  return undefined;
}

function isProvidedOtherwise(resource: string, capacity: Amounts, { status }: Pod): boolean {
  if (!isExtendedResourceName(resource)) return false;
  const amount = capacity.get(resource);
  if (amount === undefined) return true;
  const mappings = status?.extendedResourceClaimStatus?.requestMappings ?? [];
  return amount === 0 && mappings.some(({ resourceName }) => resourceName === resource);
}

/**
 * Requests by the list of containers, which pods of one template share. Used only for pods whose requests depend on
 * nothing else.
 */
const known = new WeakMap<object, Amounts>();

function requestsOf(pod: Pod): Amounts {
  const { containers, initContainers, overhead, resources } = pod.spec ?? {};
  if (containers === undefined || initContainers?.length || overhead || resources || mayBeResized(pod.status)) {
    return amountsOf(podRequests(pod));
  }
  return getOrMake(known, containers, () => amountsOf(podRequests(pod)));
}

function amountsOf({ milliCPU, memoryBytes, ephemeralStorageBytes, scalar }: Resources): Amounts {
  return new Map([['cpu', milliCPU], ['memory', memoryBytes], ['ephemeral-storage', ephemeralStorageBytes], ...scalar]);
}
