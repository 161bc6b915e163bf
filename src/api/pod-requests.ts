/**
 * The resources that a pod takes from a node, as kube-scheduler v1.36 counts them with its default feature gates
 * (pod-level resources and in-place resize on): component-helpers/resource/helpers.go, and PodInfo.CalculateResource in
 * pkg/scheduler/framework/types.go.
 */

import { someOf } from '../lib/frozen-lists.ts';
import type { Int64 } from '../lib/int64.ts';
import { type Amounts, addAmounts, raiseAmounts, sumContainers } from './container-sum.ts';
import type { Container, ContainerStatus, Pod, PodStatus } from './pod.ts';
import { parseQuantity, type Quantity, type ResourceList } from './quantity.ts';
import { isPodLevelResourceName, parseResourceList, type Resources, toResources } from './resources.ts';

type Defaults = ReadonlyMap<string, Quantity>;

const NO_DEFAULTS: Defaults = new Map();

/** Replaces requests that a container omits, so that such pods are still spread (util/pod_resources.go). */
const NON_ZERO_DEFAULTS: Defaults = new Map([
  ['cpu', parseQuantity('100m')],
  ['memory', parseQuantity('200Mi')],
]);

/**
 * The effective requests of a pod: summed exactly, rounded up once.
 *
 * @throws CodedError `InvalidQuantity`
 */
export function podRequests(pod: Pod): Resources {
  return toResources(effectiveRequests(pod, NO_DEFAULTS));
}

/**
 * The effective requests of a pod before rounding, of every resource that is named, known or not.
 *
 * @throws CodedError `InvalidQuantity`
 */
export function exactPodRequests(pod: Pod): ReadonlyMap<string, Quantity> {
  return effectiveRequests(pod, NO_DEFAULTS);
}

/**
 * The requests that a pod adds to the non-zero totals of its node. With pod-level requests, a default only counts if
 * neither the pod nor any container requests the resource. @internal
 *
 * @throws CodedError `InvalidQuantity`
 */
export function podNonZeroRequests(pod: Pod): { readonly milliCPU: Int64; readonly memoryBytes: Int64 } {
  let defaults = NON_ZERO_DEFAULTS;
  if (hasPodLevelRequests(pod)) {
    const explicit = effectiveRequests(pod, NO_DEFAULTS);
    defaults = new Map([...NON_ZERO_DEFAULTS].filter(([name]) => !explicit.has(name)));
  }
  const { milliCPU, memoryBytes } = toResources(effectiveRequests(pod, defaults));
  return { milliCPU, memoryBytes };
}

/**
 * The requests of the pod being placed, as the strategies of NodeResourcesFit count them. A missing cpu or memory
 * request of a container counts as the default, and pod-level requests and resizes are ignored, because upstream builds
 * that scorer without their gates (noderesources/fit.go), and recorded scores confirm it. @internal
 *
 * @throws CodedError `InvalidQuantity`
 */
export function podFitScoreRequests(pod: Pod): Resources {
  return toResources(specifiedRequests(pod, NON_ZERO_DEFAULTS));
}

/** The three ways in which a pod's requests count. */
export interface CountedRequests {
  readonly requests: Resources;
  readonly fitScoreRequests: Resources;
  readonly nonZeroRequests: { readonly milliCPU: Int64; readonly memoryBytes: Int64 };
}

/**
 * `podRequests`, `podFitScoreRequests` and `podNonZeroRequests`, which differ only where a container omits a request,
 * the pod has requests of its own, or is being resized.
 *
 * @throws CodedError `InvalidQuantity`
 */
export function countedRequests(pod: Pod): CountedRequests {
  const requests = podRequests(pod);
  if (hasPodLevelRequests(pod) || mayBeResized(pod.status)) {
    return { requests, fitScoreRequests: podFitScoreRequests(pod), nonZeroRequests: podNonZeroRequests(pod) };
  }
  const fitScoreRequests = omitsRequests(pod) ? podFitScoreRequests(pod) : requests;
  const { milliCPU, memoryBytes } = fitScoreRequests;
  return { requests, fitScoreRequests, nonZeroRequests: { milliCPU, memoryBytes } };
}

/** Whether some container omits a request that has a default. */
function omitsRequests({ spec }: Pod): boolean {
  const omits = ({ resources }: Container): boolean =>
    resources?.requests?.['cpu'] === undefined || resources.requests['memory'] === undefined;
  return Boolean(spec?.containers?.some(omits) || spec?.initContainers?.some(omits));
}

/** Whether `spec.resources.requests` names a resource that can be set for the pod as a whole. */
function hasPodLevelRequests(pod: Pod): boolean {
  const requests = pod.spec?.resources?.requests;
  return requests !== undefined && requests !== null && Object.keys(requests).some(isPodLevelResourceName);
}

function effectiveRequests(pod: Pod, defaults: Defaults): Amounts {
  const infeasible = isResizeInfeasible(pod.status);
  const statuses = containerStatusesByName(pod.status);
  const total = sumContainers(pod.spec, (container, longRunning) => {
    // Only these containers can be resized while the pod runs; a plain init container always counts as specified.
    const amounts = containerRequests(container, longRunning ? statuses : undefined, infeasible);
    return withDefaults(amounts, defaults);
  });
  if (hasPodLevelRequests(pod)) {
    for (const [name, quantity] of podLevelRequests(pod, infeasible)) total.set(name, quantity);
  }
  addAmounts(total, parseResourceList(pod.spec?.overhead));
  return total;
}

/** The requests of the containers, and the overhead, without pod-level requests and status. */
function specifiedRequests(pod: Pod, defaults: Defaults): Amounts {
  const total = sumContainers(pod.spec, (container) =>
    withDefaults(parseResourceList(container.resources?.requests), defaults),
  );
  addAmounts(total, parseResourceList(pod.spec?.overhead));
  return total;
}

/** Adds defaults. A request that is set, even to 0, is kept. */
function withDefaults(amounts: Amounts, defaults: Defaults): Amounts {
  for (const [name, quantity] of defaults) if (!amounts.has(name)) amounts.set(name, quantity);
  return amounts;
}

/**
 * The requests of a container. During a resize the largest of the desired, allocated and actual amounts counts, but an
 * infeasible desired amount does not.
 */
function containerRequests(
  container: Container,
  statuses: ReadonlyMap<string, ContainerStatus> | undefined,
  infeasible: boolean,
): Amounts {
  const wanted = container.resources?.requests;
  const status = statuses?.get(container.name ?? '');
  if (!status?.resources) return parseResourceList(wanted);
  return largest(infeasible ? undefined : wanted, status.resources.requests, status.allocatedResources);
}

function podLevelRequests(pod: Pod, infeasible: boolean): Amounts {
  const wanted = pod.spec?.resources?.requests;
  const requests = parseResourceList(wanted);
  const status = pod.status;
  const effective = status?.resources
    ? largest(infeasible ? undefined : wanted, status.resources.requests, status.allocatedResources)
    : requests;
  for (const name of [...requests.keys()]) {
    if (isPodLevelResourceName(name)) requests.set(name, effective.get(name) ?? parseQuantity(0));
    else requests.delete(name);
  }
  return requests;
}

function largest(...lists: readonly (ResourceList | undefined)[]): Amounts {
  const result: Amounts = new Map();
  for (const list of lists) raiseAmounts(result, parseResourceList(list));
  return result;
}

function isResizeInfeasible(status: PodStatus | undefined): boolean {
  return status?.conditions?.find((condition) => condition.type === 'PodResizePending')?.reason === 'Infeasible';
}

function containerStatusesByName(status: PodStatus | undefined): ReadonlyMap<string, ContainerStatus> | undefined {
  if (!status?.containerStatuses && !status?.initContainerStatuses) return undefined;
  const all = [...(status.containerStatuses ?? []), ...(status.initContainerStatuses ?? [])];
  return new Map(all.map((containerStatus) => [containerStatus.name, containerStatus]));
}

/** Whether the status shows a resize in progress: only a status with resources counts besides the spec. */
export function mayBeResized(status: PodStatus | undefined): boolean {
  if (status === undefined) return false;
  const { resources, containerStatuses, initContainerStatuses } = status;
  return Boolean(resources) || sayResources(containerStatuses) || sayResources(initContainerStatuses);
}

function sayResources(statuses: readonly ContainerStatus[] | undefined): boolean {
  return someOf(statuses, ({ resources }) => Boolean(resources));
}
