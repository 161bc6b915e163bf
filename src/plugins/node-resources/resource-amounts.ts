import { isScalarResourceName, type Resources } from '../../api/resources.ts';
import type { ResourceSpec } from '../../framework/column-forms.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { add, type Int64 } from '../../lib/int64.ts';
import type { DeviceResources } from './device-resources.ts';

/** The amounts of one resource on one node from which a score is computed. */
export interface ResourceUse {
  readonly allocatable: Int64;
  /** The requests of the pods on the node, without the pod to schedule. */
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

/** The pod's request; with `nonZero`, the request that the scoring of NodeResourcesFit counts. */
export function podRequestOf(pod: PodInfo, name: string, nonZero: boolean): Int64 {
  return amountOf(nonZero ? pod.requirements.fitScoreRequests : pod.requirements.requests, name);
}

/**
 * Returns null for a scalar resource that the pod does not request: the score leaves it out. Of a resource that devices
 * of the node provide, the devices are counted.
 */
export function resourceUse(
  pod: PodInfo,
  node: NodeInfo,
  name: string,
  nonZero: boolean,
  devices?: DeviceResources,
): ResourceUse | null {
  const podRequest = podRequestOf(pod, name, nonZero);
  if (podRequest === 0 && isScalarResourceName(name)) return null;
  const counted = devices?.count(name, node) ?? null;
  if (counted !== null) return { ...counted, podRequest };
  const requested =
    nonZero && name === 'cpu'
      ? node.nonZeroRequested.milliCPU
      : nonZero && name === 'memory'
        ? node.nonZeroRequested.memoryBytes
        : amountOf(node.requested, name);
  return { allocatable: amountOf(node.allocatable, name), requested, podRequest };
}

/** Whether a score by these resources counts devices for the pod on some nodes. */
export function scoresDevices(
  pod: PodInfo,
  resources: readonly ResourceSpec[],
  nonZero: boolean,
  devices: DeviceResources | undefined,
): boolean {
  if (devices === undefined) return false;
  for (let i = 0; i < resources.length; i++) {
    const { name } = resources[i] as ResourceSpec;
    if (isScalarResourceName(name) && podRequestOf(pod, name, nonZero) !== 0 && devices.backs(name)) return true;
  }
  return false;
}

/** The requests on the node with the pod to schedule. */
export function withPod(use: ResourceUse): Int64 {
  return add(use.requested, use.podRequest);
}
