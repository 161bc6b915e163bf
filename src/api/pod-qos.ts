import type { PodSpec, ResourceRequirements } from './pod.ts';
import { parseQuantity, type ResourceList } from './quantity.ts';

export type QosClass = 'Guaranteed' | 'Burstable' | 'BestEffort';

const COMPUTE_RESOURCES = ['cpu', 'memory'];

/**
 * The quality-of-service class of a pod, from its defaulted spec (ComputePodQOS in pkg/apis/core/helper/qos/qos.go).
 *
 * @throws CodedError `InvalidQuantity`
 */
export function podQosClass(spec: PodSpec): QosClass {
  const all = spec.resources ? [spec.resources] : requirementsOfContainers(spec);
  if (!all.every(isLimited)) return all.some(asksAny) ? 'Burstable' : 'BestEffort';
  const isGuaranteed = COMPUTE_RESOURCES.every((name) => {
    const requests = sumOf(all.map((resources) => resources.requests?.[name]));
    return requests === sumOf(all.map((resources) => resources.limits?.[name]));
  });
  return isGuaranteed ? 'Guaranteed' : 'Burstable';
}

function isLimited({ limits }: ResourceRequirements): boolean {
  return isPositive(limits?.['cpu']) && isPositive(limits?.['memory']);
}

function asksAny({ requests, limits }: ResourceRequirements): boolean {
  return asks(requests) || asks(limits);
}

function asks(list: ResourceList | undefined): boolean {
  return isPositive(list?.['cpu']) || isPositive(list?.['memory']);
}

function requirementsOfContainers(spec: PodSpec): ResourceRequirements[] {
  const containers = spec.containers ?? [];
  const all = spec.initContainers?.length ? [...containers, ...spec.initContainers] : containers;
  return all.map(({ resources }) => resources ?? NO_REQUIREMENTS);
}

const NO_REQUIREMENTS: ResourceRequirements = {};

type AmountText = string | number | undefined;

/** Whether the amount is above zero: it has a digit other than 0 in its number, whatever its suffix. */
function isPositive(amount: AmountText): boolean {
  return amount !== undefined && /^\+?[0.]*[1-9]/.test(String(amount));
}

function sumOf(amounts: readonly AmountText[]): bigint {
  return amounts.reduce((sum: bigint, amount) => sum + (amount === undefined ? 0n : parseQuantity(amount).nano), 0n);
}
