import type { Node } from '../api/node.ts';
import type { Pod } from '../api/pod.ts';
import { podRequests } from '../api/pod-requests.ts';
import { allocatable, type Resources } from '../api/resources.ts';
import { type Int64, toFloat64 } from '../lib/int64.ts';

/** Shares of the allocatable resources of all nodes together, 0 to 1, to six places. */
export interface Utilisation {
  readonly cpu: number;
  readonly memory: number;
  readonly pods: number;
}

/** The share of the nodes' resources that the pods request. */
export function utilisation(nodes: readonly Node[], pods: readonly Pod[]): Utilisation {
  const offers = nodes.map(({ status }) => allocatable(status?.allocatable));
  // Pods with equal signatures share their spec.
  const known = new Map<Pod['spec'], Resources>();
  for (const pod of pods) if (!known.has(pod.spec)) known.set(pod.spec, podRequests(pod));
  const requests = pods.map((pod) => known.get(pod.spec) as Resources);
  const share = (amountOf: (resources: Resources) => Int64): number =>
    ratio(sum(requests.map(amountOf)), sum(offers.map(({ resources }) => amountOf(resources))));
  return {
    cpu: share(({ milliCPU }) => milliCPU),
    memory: share(({ memoryBytes }) => memoryBytes),
    pods: ratio(pods.length, sum(offers.map(({ podCount }) => podCount))),
  };
}

function sum(amounts: readonly Int64[]): number {
  return amounts.reduce<number>((total, amount) => total + toFloat64(amount), 0);
}

function ratio(taken: number, offered: number): number {
  return offered === 0 ? 0 : Math.round((taken / offered) * 1e6) / 1e6;
}
