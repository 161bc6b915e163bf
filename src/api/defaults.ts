/**
 * Defaults that the API server fills in when an object is created, as far as scheduling reads them
 * (pkg/apis/core/v1/defaults.go). Nothing is mutated; an object that needs nothing is returned as it is. Defaults that
 * need the rest of the cluster are not filled in here: priority, tolerations of the admission plugins, overhead of a
 * RuntimeClass.
 *
 * The API server also rounds every amount up to thousandths. Recorded decisions depend on amounts below that, so they
 * are left exact.
 */
import { combined } from '../lib/combined.ts';
import { mapKeeping, withMembers } from '../lib/map-keeping.ts';
import { type Amounts, sumContainers } from './container-sum.ts';
import { mergeMatchLabelKeys } from './match-label-keys.ts';
import type { Node } from './node.ts';
import type { Container, ContainerPort, Pod, PodSpec, ResourceRequirements } from './pod.ts';
import { formatQuantity, type ResourceList } from './quantity.ts';
import { isHugePageResourceName, isPodLevelResourceName, parseResourceList } from './resources.ts';

const DEFAULT_NAMESPACE = 'default';
export const DEFAULT_SCHEDULER_NAME = 'default-scheduler';

/** The name of the scheduler that is responsible for the pod. */
export function schedulerNameOf(pod: Pod): string {
  return pod.spec?.schedulerName || DEFAULT_SCHEDULER_NAME;
}

/** @throws CodedError `InvalidQuantity`, only for a pod with pod-level resources */
export function defaultPod(pod: Pod): Pod {
  const metadata = pod.metadata?.namespace ? pod.metadata : combined(pod.metadata, { namespace: DEFAULT_NAMESPACE });
  const spec = mergeMatchLabelKeys(defaultPodSpec(pod.spec ?? {}), pod.metadata?.labels);
  return withMembers(pod, { metadata, spec });
}

/** The node with defaults: allocatable is the capacity if the node does not report it. */
export function defaultNode(node: Node): Node {
  const status = node.status;
  if (!status?.capacity || status.allocatable) return node;
  return combined(node, { status: combined(status, { allocatable: status.capacity }) });
}

/** The spec with the defaults that scheduling reads. @throws CodedError `InvalidQuantity`, as `defaultPod` */
export function defaultPodSpec(spec: PodSpec): PodSpec {
  const hostNetwork = spec.hostNetwork === true;
  const containers = mapKeeping(spec.containers, (container) => defaultContainer(container, hostNetwork));
  const initContainers = mapKeeping(spec.initContainers, (container) => defaultContainer(container, hostNetwork));
  const schedulerName = spec.schedulerName || DEFAULT_SCHEDULER_NAME;
  const filled = withMembers(spec, { containers, initContainers, schedulerName });
  // The pod's own requests default to those of its containers, after their defaults.
  return withMembers(filled, { resources: defaultPodLevelResources(filled) });
}

function defaultContainer(container: Container, hostNetwork: boolean): Container {
  const resources = requestsFromLimits(container.resources);
  const ports = mapKeeping(container.ports, (port) => defaultPort(port, hostNetwork));
  return withMembers(container, { resources, ports });
}

function requestsFromLimits(resources: ResourceRequirements | undefined): ResourceRequirements | undefined {
  const requests = withMissing(resources?.requests, resources?.limits);
  return requests === resources?.requests ? resources : { ...resources, requests };
}

function defaultPort(port: ContainerPort, hostNetwork: boolean): ContainerPort {
  const hostPort = hostNetwork && !port.hostPort ? port.containerPort : port.hostPort;
  return withMembers(port, { hostPort, protocol: port.protocol || 'TCP' });
}

function defaultPodLevelResources(spec: PodSpec): ResourceRequirements | undefined {
  const resources = spec.resources;
  if (!resources || (isEmpty(resources.limits) && isEmpty(resources.requests))) return resources;

  const containerLimits = only(
    sumContainers(spec, ({ resources: own }) => parseResourceList(own?.limits)),
    isHugePageResourceName,
  );
  for (const name of Object.keys(resources.requests ?? {})) delete containerLimits[name];
  const limits = withMissing(resources.limits, containerLimits);
  if (isEmpty(limits)) return resources;

  const containerRequests = only(
    sumContainers(spec, ({ resources: own }) => parseResourceList(own?.requests)),
    (name) => name === 'cpu' || name === 'memory',
  );
  const fromContainers = withMissing(resources.requests, containerRequests);
  const supportedLimits = Object.entries(limits ?? {}).filter(([name]) => isPodLevelResourceName(name));
  const requests = withMissing(fromContainers, Object.fromEntries(supportedLimits));
  return withMembers(resources, { limits, requests });
}

function only(amounts: Amounts, accept: (name: string) => boolean): Record<string, string> {
  const accepted = [...amounts].filter(([name]) => accept(name));
  return Object.fromEntries(accepted.map(([name, quantity]) => [name, formatQuantity(quantity)]));
}

/** `list` with the entries of `fallback` that it lacks; `list` itself when it lacks none. */
function withMissing(list: ResourceList | undefined, fallback: ResourceList | undefined): ResourceList | undefined {
  const missing = Object.entries(fallback ?? {}).filter(([name]) => !Object.hasOwn(list ?? {}, name));
  return missing.length === 0 ? list : { ...list, ...Object.fromEntries(missing) };
}

function isEmpty(list: ResourceList | undefined): boolean {
  return Object.keys(list ?? {}).length === 0;
}
