import { type Container, type ContainerExtendedResourceRequest, isSidecar, type Pod } from '../../../api/pod.ts';
import { parseQuantity } from '../../../api/quantity.ts';
import type { DeviceRequest } from '../../../api/resource-claims.ts';

/** What a pod asks of devices, and which of its containers get them. */
export interface ContainerRequests {
  readonly requests: readonly DeviceRequest[];
  readonly mappings: readonly ContainerExtendedResourceRequest[];
}

/** A request for some devices of a class. */
interface Wanted {
  readonly name: string;
  readonly deviceClassName: string;
  readonly count: number;
}

/** What one container adds for one resource; `wanted` is null if devices of other containers are enough. */
interface Share {
  readonly wanted: Wanted | null;
  readonly mappings: readonly ContainerExtendedResourceRequest[];
}

/**
 * Turns the extended resources of the pod's containers into requests for devices, one for each container and resource
 * (upstream's createRequestsAndMappings). `classes`: the class for each resource that devices provide.
 *
 * An init container that ends before the others start uses the devices of later containers and asks only for the
 * difference; of the differences of several such containers the largest is enough for all.
 */
export function containerRequests({ spec }: Pod, classes: ReadonlyMap<string, string>): ContainerRequests {
  const initContainers = spec?.initContainers ?? [];
  const containers = [...initContainers, ...(spec?.containers ?? [])];
  const isShortLived = (i: number): boolean => i < initContainers.length && !isSidecar(containers[i] as Container);
  const wanted: Wanted[] = [];
  const mappings: ContainerExtendedResourceRequest[] = [];
  for (const [resource, deviceClassName] of [...classes].sort(([a], [b]) => order(a, b))) {
    const shareOf = (i: number, reusable: readonly (Wanted | null)[]): Share =>
      shareOfContainer(containers[i] as Container, i, { resource, deviceClassName, reusable });
    const longLived = containers.map((_, i) => (isShortLived(i) ? NOTHING : shareOf(i, [])));
    const reusable = longLived.map((share) => share.wanted);
    const shortLived = containers.flatMap((_, i) => (isShortLived(i) ? [shareOf(i, reusable.slice(i))] : []));
    const largest = largestOf(shortLived);
    const replaced = new Set(shortLived.map((share) => share.wanted?.name));
    if (largest !== null) wanted.push(largest);
    wanted.push(...reusable.filter((request) => request !== null));
    mappings.push(...longLived.flatMap((share) => share.mappings));
    mappings.push(
      ...shortLived
        .flatMap((share) => share.mappings)
        .map((mapping) =>
          largest !== null && replaced.has(mapping.requestName) ? { ...mapping, requestName: largest.name } : mapping,
        ),
    );
  }
  return { requests: wanted.sort((a, b) => order(a.name, b.name)).map(deviceRequest), mappings };
}

const NOTHING: Share = { wanted: null, mappings: [] };

function shareOfContainer(
  { name: containerName = '', resources }: Container,
  index: number,
  asked: {
    readonly resource: string;
    readonly deviceClassName: string;
    readonly reusable: readonly (Wanted | null)[];
  },
): Share {
  const { resource, deviceClassName, reusable } = asked;
  const requests = resources?.requests ?? {};
  const amount = wholeAmount(requests[resource]);
  if (amount === 0) return NOTHING;
  const mappings: ContainerExtendedResourceRequest[] = [];
  const map = (requestName: string): number => mappings.push({ containerName, resourceName: resource, requestName });
  let reused = 0;
  for (const request of reusable) {
    if (request === null) continue;
    reused += request.count;
    map(request.name);
    if (reused >= amount) return { wanted: null, mappings };
  }
  const position = Object.keys(requests).sort(order).indexOf(resource);
  const name = `container-${index}-request-${position}`;
  map(name);
  return { wanted: { name, deviceClassName, count: amount - reused }, mappings };
}

/** The largest request; the first one where several are equal. */
function largestOf(shares: readonly Share[]): Wanted | null {
  let largest: Wanted | null = null;
  for (const { wanted } of shares) {
    if (wanted !== null && (largest === null || wanted.count > largest.count)) largest = wanted;
  }
  return largest;
}

/** The amount; 0 if there is none, or it is no whole number. */
function wholeAmount(amount: string | number | undefined): number {
  if (amount === undefined) return 0;
  const quantity = parseQuantity(amount);
  return quantity.nano % 1_000_000_000n === 0n ? Number(quantity.value) : 0;
}

function deviceRequest({ name, deviceClassName, count }: Wanted): DeviceRequest {
  return { name, exactly: { deviceClassName, allocationMode: 'ExactCount', count } };
}

function order(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
