/** Addresses and node ports of services (upstream: pkg/registry/core/service/storage/alloc.go). */
import { isDeepStrictEqual } from 'node:util';
import { invalidValue, requiredValue } from '../../kinds/object/field-errors.ts';
import type { ApiObject } from '../../kinds/object/json.ts';
import { refuseInvalid } from '../../kinds/object/refusals.ts';
import { addressErrors } from '../../kinds/validation/services.ts';
import { pathSegment } from '../metadata/name-rules.ts';
import { ADDRESS_PREFIX, PORT_MAX, PORT_MIN, type ServicePool } from './service-pool.ts';
import type { ServicePort, ServiceSpec } from './service-spec.ts';

const SERVICE = { group: '', kind: 'Service' };

/** Gives a service the addresses and ports that it asks for, or free ones. @throws StatusError Invalid */
export function allocateAddresses(pool: ServicePool, service: ApiObject, old: ApiObject | undefined): void {
  const spec = { ...(service['spec'] as ServiceSpec) };
  service['spec'] = spec;
  if (old !== undefined) {
    keepAllocated(spec, old['spec'] as ServiceSpec);
    dropUnneeded(spec, old['spec'] as ServiceSpec);
  }
  if (spec.type === 'ExternalName') return;
  allocateClusterIp(pool, service, spec);
  if (hasNodePorts(spec)) allocatePorts(pool, service, spec);
  if (needsHealthPort(spec)) spec.healthCheckNodePort ||= pool.freePort();
}

/** What an update leaves out is as it was, if the service still has use for it. */
function keepAllocated(spec: ServiceSpec, old: ServiceSpec): void {
  const needsIp = spec.type !== 'ExternalName' && old.type !== 'ExternalName';
  if (needsIp && !spec.clusterIP && (spec.clusterIPs ?? []).length === 0) {
    if (old.clusterIP !== undefined) spec.clusterIP = old.clusterIP;
    if (old.clusterIPs !== undefined) spec.clusterIPs = old.clusterIPs;
  } else if (needsIp && spec.clusterIP && spec.clusterIP === old.clusterIP && (spec.clusterIPs ?? []).length === 0) {
    spec.clusterIPs = [spec.clusterIP];
  }
  if (needsIp && spec.ipFamilies === undefined && old.ipFamilies !== undefined) spec.ipFamilies = old.ipFamilies;
  if (needsIp && spec.ipFamilyPolicy === undefined && old.ipFamilyPolicy !== undefined) {
    spec.ipFamilyPolicy = old.ipFamilyPolicy;
  }
  if (hasNodePorts(spec) && hasNodePorts(old)) {
    spec.ports = (spec.ports ?? []).map((port) => {
      const same = old.ports?.find((one) => one.port === port.port && one.protocol === port.protocol);
      return port.nodePort === undefined && same?.nodePort !== undefined ? { ...port, nodePort: same.nodePort } : port;
    });
  }
  if (needsHealthPort(spec) && needsHealthPort(old) && spec.healthCheckNodePort === undefined) {
    if (old.healthCheckNodePort !== undefined) spec.healthCheckNodePort = old.healthCheckNodePort;
  }
}

/** What an update leaves as it was is dropped, if the service's new type has no use for it. */
function dropUnneeded(spec: ServiceSpec, old: ServiceSpec): void {
  const dropSame = (isNeeded: (spec: ServiceSpec) => boolean, ...names: string[]): void => {
    if (isNeeded(spec) || !isNeeded(old)) return;
    if (names.every((name) => isDeepStrictEqual(spec[name], old[name]))) for (const name of names) delete spec[name];
  };
  const needsIp = ({ type }: ServiceSpec): boolean => type !== 'ExternalName';
  const isBalancer = ({ type }: ServiceSpec): boolean => type === 'LoadBalancer';
  dropSame(needsIp, 'clusterIP', 'clusterIPs');
  dropSame(needsIp, 'ipFamilies');
  dropSame(needsIp, 'ipFamilyPolicy');
  dropSame(needsHealthPort, 'healthCheckNodePort');
  dropSame(isBalancer, 'allocateLoadBalancerNodePorts');
  dropSame(isBalancer, 'loadBalancerClass');
  dropSame(isExposed, 'externalTrafficPolicy');
  if (hasNodePorts(spec) || !hasNodePorts(old)) return;
  spec.ports = (spec.ports ?? []).map((port) => {
    const isOld = old.ports?.some((one) => one.nodePort === port.nodePort);
    if (!isOld) return port;
    const { nodePort: _, ...rest } = port;
    return rest as ServicePort;
  });
}

function isExposed(spec: ServiceSpec): boolean {
  const { type, externalIPs } = spec;
  return type === 'NodePort' || type === 'LoadBalancer' || (Array.isArray(externalIPs) && externalIPs.length > 0);
}

function hasNodePorts({ type, allocateLoadBalancerNodePorts }: ServiceSpec): boolean {
  return type === 'NodePort' || (type === 'LoadBalancer' && allocateLoadBalancerNodePorts !== false);
}

function needsHealthPort({ type, externalTrafficPolicy }: ServiceSpec): boolean {
  return type === 'LoadBalancer' && externalTrafficPolicy === 'Local';
}

function allocateClusterIp(pool: ServicePool, service: ApiObject, spec: ServiceSpec): void {
  const wanted = spec.clusterIP || spec.clusterIPs?.[0] || '';
  const name = service.metadata?.name ?? '';
  const isHeadless = wanted === 'None';
  if (spec.ipFamilyPolicy === 'RequireDualStack' && !isHeadless) {
    const why = 'this cluster is not configured for dual-stack services';
    refuseInvalid(SERVICE, name, [invalidValue('spec.ipFamilyPolicy', spec.ipFamilyPolicy, why)]);
  }
  const isOpen = isHeadless && Object.keys((spec['selector'] ?? {}) as object).length === 0;
  spec.ipFamilyPolicy ??= isOpen ? 'RequireDualStack' : 'SingleStack';
  spec.ipFamilies ??= isOpen ? ['IPv4', 'IPv6'] : ['IPv4'];
  if (isHeadless) {
    spec.clusterIP = 'None';
    spec.clusterIPs = ['None'];
    return;
  }
  if (wanted === '') spec.clusterIP = freeAddress(pool, service);
  else {
    refuseInvalid(SERVICE, name, addressErrors({ clusterIPs: [wanted], ...spec }));
    refuseAddress(name, wanted, pool);
    spec.clusterIP = wanted;
  }
  if ((spec.clusterIPs ?? []).length === 0) spec.clusterIPs = [spec.clusterIP];
}

/** A free address. It is noted under the service's name, which therefore has to fit into a path. */
function freeAddress(pool: ServicePool, { metadata }: ApiObject): string {
  const address = pool.freeAddress();
  const name = metadata?.name ?? '';
  const field = 'spec.parentRef.name';
  const errors =
    name === '' ? [requiredValue(field)] : pathSegment(name, false).map((why) => invalidValue(field, name, why));
  if (errors.length === 0) return address;
  const texts = errors.map((error) => `${error.field}: ${error.message}`);
  const all = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  const why = `failed to allocate IP: IPAddress.networking.k8s.io "${address}" is invalid: ${all}`;
  refuseInvalid(SERVICE, name, [invalidValue('spec.clusterIPs', [''], why)]);
  return address;
}

function refuseAddress(name: string, address: string, pool: ServicePool): void {
  const refuse = (why: string): void =>
    refuseInvalid(SERVICE, name, [
      invalidValue('spec.clusterIPs', [address], `failed to allocate IP ${address}: ${why}`),
    ]);
  if (!address.startsWith(ADDRESS_PREFIX)) refuse('the provided network does not match the current range');
  if (pool.isUsedAddress(address)) refuse('provided IP is already allocated');
}

function allocatePorts(pool: ServicePool, service: ApiObject, spec: ServiceSpec): void {
  spec.ports = (spec.ports ?? []).map((port, i) => {
    if (!port.nodePort) return { ...port, nodePort: pool.freePort() };
    refusePort(service, `spec.ports[${i}].nodePort`, port.nodePort, pool);
    return port;
  });
}

function refusePort(service: ApiObject, field: string, port: number, pool: ServicePool): void {
  const range = `The range of valid ports is ${PORT_MIN}-${PORT_MAX}`;
  const isInside = port >= PORT_MIN && port <= PORT_MAX;
  if (isInside && !pool.isUsedPort(port)) return;
  const why = isInside ? 'provided port is already allocated' : `provided port is not in the valid range. ${range}`;
  refuseInvalid(SERVICE, service.metadata?.name ?? '', [invalidValue(field, port, why)]);
}
