import type { Node } from '../api/node.ts';
import type { Pod } from '../api/pod.ts';
import { podRequests } from '../api/pod-requests.ts';
import { parseQuantity } from '../api/quantity.ts';
import type { Resources } from '../api/resources.ts';
import { toFloat64 } from '../lib/int64.ts';

/** Shares of the allocatable resources of all nodes together, 0 to 1, to six places. */
export interface Utilisation {
  readonly cpu: number;
  readonly memory: number;
  readonly pods: number;
}

interface Amounts {
  cpuMilli: number;
  memoryBytes: number;
  pods: number;
}

/** The share of the nodes' resources that the pods request. */
export function utilisation(nodes: readonly Node[], pods: Iterable<Pod>): Utilisation {
  const offered = offeredBy(nodes);
  const taken = takenBy(pods);
  return {
    cpu: share(taken.cpuMilli, offered.cpuMilli),
    memory: share(taken.memoryBytes, offered.memoryBytes),
    pods: share(taken.pods, offered.pods),
  };
}

function offeredBy(nodes: readonly Node[]): Amounts {
  const sum: Amounts = { cpuMilli: 0, memoryBytes: 0, pods: 0 };
  for (const { status } of nodes) {
    const { cpu = '0', memory = '0', pods = '0' } = status?.allocatable ?? {};
    sum.cpuMilli += toFloat64(parseQuantity(cpu).milliValue);
    sum.memoryBytes += toFloat64(parseQuantity(memory).value);
    sum.pods += toFloat64(parseQuantity(pods).value);
  }
  return sum;
}

function takenBy(pods: Iterable<Pod>): Amounts {
  const sum: Amounts = { cpuMilli: 0, memoryBytes: 0, pods: 0 };
  // Pods with equal signatures share their spec.
  const known = new Map<Pod['spec'], Resources>();
  for (const pod of pods) {
    let requests = known.get(pod.spec);
    if (requests === undefined) {
      requests = podRequests(pod);
      known.set(pod.spec, requests);
    }
    sum.cpuMilli += toFloat64(requests.milliCPU);
    sum.memoryBytes += toFloat64(requests.memoryBytes);
    sum.pods++;
  }
  return sum;
}

function share(taken: number, offered: number): number {
  return offered === 0 ? 0 : Math.round((taken / offered) * 1e6) / 1e6;
}
