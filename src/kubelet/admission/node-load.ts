import type { Node } from '../../api/node.ts';
import type { Pod } from '../../api/pod.ts';
import { mayBeResized, podRequests } from '../../api/pod-requests.ts';
import type { ResourceList } from '../../api/quantity.ts';
import { type Allocatable, allocatable, type Resources } from '../../api/resources.ts';
import { getOrMake } from '../../lib/get-or-make.ts';
import { add, type Int64, subtract } from '../../lib/int64.ts';
import { SmallMap } from '../../lib/small-map.ts';

/** Amounts by resource. */
export type Amounts = ReadonlyMap<string, Int64>;

interface CountedPod {
  readonly pod: Pod;
  readonly requests: Amounts;
}

/** The pods of a node that admission counts, and the sums of what they request, which follow each change. */
export class NodeLoad {
  readonly #pods = new SmallMap<string, CountedPod>();
  readonly #used = new Map<string, Int64>();
  #list: ResourceList | undefined;
  #offer: Allocatable | undefined;

  /** What the node offers; its list is read once, as long as it is the same frozen one. */
  allocatableOf({ status }: Node): Allocatable {
    const list = status?.allocatable;
    if (this.#offer === undefined || list !== this.#list || !Object.isFrozen(list)) {
      this.#offer = allocatable(list);
      this.#list = list;
    }
    return this.#offer;
  }

  get podCount(): number {
    return this.#pods.size;
  }

  /** How much of the resource the pods request. */
  used(resource: string): Int64 {
    return this.#used.get(resource) ?? 0;
  }

  *pods(): Iterable<Pod> {
    for (const { pod } of this.#pods.values()) yield pod;
  }

  /** Counts the pod, in the place of its earlier version. */
  set(uid: string, pod: Pod): void {
    const before = this.#pods.get(uid)?.requests;
    const requests = requestsOf(pod);
    this.#pods.set(uid, { pod, requests });
    // Most versions of a pod share their requests.
    if (before === requests) return;
    if (before !== undefined) this.#take(before);
    for (const [name, amount] of requests) this.#used.set(name, add(this.used(name), amount));
  }

  /** Counts the pod anew, if it is counted and its requests may follow from its status, which has changed. */
  statusChanged(uid: string, before: Pod, pod: Pod): void {
    if ((mayBeResized(before.status) || mayBeResized(pod.status)) && this.#pods.has(uid)) this.set(uid, pod);
  }

  delete(uid: string): void {
    const known = this.#pods.get(uid);
    if (known === undefined) return;
    this.#pods.delete(uid);
    this.#take(known.requests);
  }

  #take(requests: Amounts): void {
    for (const [name, amount] of requests) this.#used.set(name, subtract(this.used(name), amount));
  }
}

/**
 * Requests by the list of containers, which pods of one template share. Used only for pods whose requests depend on
 * nothing else.
 */
const known = new WeakMap<object, Amounts>();

/** What the pod requests of each resource. */
export function requestsOf(pod: Pod): Amounts {
  const { containers, initContainers, overhead, resources } = pod.spec ?? {};
  if (containers === undefined || initContainers?.length || overhead || resources || mayBeResized(pod.status)) {
    return amountsOf(podRequests(pod));
  }
  return getOrMake(known, containers, () => amountsOf(podRequests(pod)));
}

function amountsOf({ milliCPU, memoryBytes, ephemeralStorageBytes, scalar }: Resources): Amounts {
  return new Map([['cpu', milliCPU], ['memory', memoryBytes], ['ephemeral-storage', ephemeralStorageBytes], ...scalar]);
}
