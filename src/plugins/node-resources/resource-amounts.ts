import { isScalarResourceName, type Resources } from '../../api/resources.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { add, type Int64 } from '../../lib/int64.ts';

/** A resource that a scoring plugin looks at. */
export interface ResourceSpec {
  readonly name: string;
  readonly weight: number;
}

export const CPU_AND_MEMORY: readonly ResourceSpec[] = [
  { name: 'cpu', weight: 1 },
  { name: 'memory', weight: 1 },
];

/** One resource on one node as scoring sees it. */
export interface ResourceUse {
  readonly allocatable: Int64;
  /** Without the pod in question. */
  readonly requested: Int64;
  readonly podRequest: Int64;
}

export function amountOf(resources: Resources, name: string): Int64 {
  switch (name) {
    case 'cpu':
      return resources.milliCPU;
    case 'memory':
      return resources.memoryBytes;
    case 'ephemeral-storage':
      return resources.ephemeralStorageBytes;
    default:
      return resources.scalar.get(name) ?? 0;
  }
}

/** What the pod asks for; with `nonZero`, as NodeResourcesFit's scoring counts it. */
export function podRequestOf(pod: PodInfo, name: string, nonZero: boolean): Int64 {
  return amountOf(nonZero ? pod.requirements.fitScoreRequests : pod.requirements.requests, name);
}

/** null: the resource plays no part in this score (an extended resource that the pod does not ask for). */
export function resourceUse(pod: PodInfo, node: NodeInfo, name: string, nonZero: boolean): ResourceUse | null {
  const podRequest = podRequestOf(pod, name, nonZero);
  if (podRequest === 0 && isScalarResourceName(name)) return null;
  const requested =
    nonZero && name === 'cpu'
      ? node.nonZeroRequested.milliCPU
      : nonZero && name === 'memory'
        ? node.nonZeroRequested.memoryBytes
        : amountOf(node.requested, name);
  return { allocatable: amountOf(node.allocatable, name), requested, podRequest };
}

export function withPod(use: ResourceUse): Int64 {
  return add(use.requested, use.podRequest);
}
