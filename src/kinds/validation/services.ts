import { objectsAt, textAt } from '../defaults/members.ts';
import { forbiddenField, invalidValue, requiredValue } from '../object/field-errors.ts';
import type { JsonObject, JsonValue } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import {
  dnsLabel,
  dnsLabelProblems,
  dnsSubdomain,
  duplicate,
  ipAddress,
  isIp,
  labels,
  oneOf,
  portNumber,
  portRef,
  unchanged,
} from './checks.ts';
import { internalJson } from './internal-json.ts';
import { specOf } from './workloads.ts';

/** Checks of services and endpoints (pkg/apis/core/validation, pkg/apis/discovery/validation). */

const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

export function serviceErrors(service: JsonObject): FieldError[] {
  const spec = specOf(service);
  const type = textAt(spec, 'type');
  const isHeadless = textAt(spec, 'clusterIP') === 'None';
  const ports = objectsAt(spec, 'ports');
  const errors: FieldError[] = [];
  if (ports.length === 0 && !isHeadless && type !== 'ExternalName') errors.push(requiredValue('spec.ports'));
  errors.push(...addressTypeErrors(spec, type, isHeadless), ...portErrors(spec));
  errors.push(...labels('spec.selector', spec['selector']));
  errors.push(...oneOf('spec.sessionAffinity', spec['sessionAffinity'], ['ClientIP', 'None'], true));
  errors.push(...oneOf('spec.type', type, TYPES, true));
  for (const [i, ip] of list(spec, 'externalIPs').entries())
    errors.push(...ipAddress(`spec.externalIPs[${i}]`, String(ip)));
  errors.push(...nodePortErrors(spec, type), ...duplicatePortErrors(ports), ...balancerErrors(spec, type));
  errors.push(...trafficErrors(spec, type), ...addressErrors(spec));
  return errors;
}

function list(object: JsonObject, name: string): readonly JsonValue[] {
  const value = object[name];
  return Array.isArray(value) ? value : [];
}

function addressTypeErrors(spec: JsonObject, type: string, isHeadless: boolean): FieldError[] {
  const name = textAt(spec, 'externalName');
  if (type === 'ExternalName') {
    if (textAt(spec, 'clusterIP') !== '') {
      return [forbiddenField('spec.clusterIPs[0]', 'may not be set for ExternalName services')];
    }
    return name === ''
      ? [requiredValue('spec.externalName')]
      : dnsSubdomain('spec.externalName', name.replace(/\.$/, ''));
  }
  if (isHeadless && type !== 'ClusterIP') {
    return [invalidValue('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${type} services`)];
  }
  return [];
}

function portErrors(spec: JsonObject): FieldError[] {
  const ports = objectsAt(spec, 'ports');
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [i, port] of ports.entries()) {
    const path = `spec.ports[${i}]`;
    const name = textAt(port, 'name');
    if (name === '' && ports.length > 1) errors.push(requiredValue(`${path}.name`));
    else if (name !== '') {
      errors.push(...dnsLabel(`${path}.name`, name));
      if (names.has(name)) errors.push(duplicate(`${path}.name`, name));
      names.add(name);
    }
    errors.push(...portNumber(`${path}.port`, port['port'] ?? 0));
    errors.push(...oneOf(`${path}.protocol`, port['protocol'], PROTOCOLS, true));
    errors.push(...portRef(`${path}.targetPort`, port['targetPort']));
  }
  return errors;
}

function nodePortErrors(spec: JsonObject, type: string): FieldError[] {
  if (type !== 'ClusterIP') return [];
  return objectsAt(spec, 'ports').flatMap((port, i) =>
    port['nodePort'] ? [forbiddenField(`spec.ports[${i}].nodePort`, "may not be used when `type` is 'ClusterIP'")] : [],
  );
}

function duplicatePortErrors(ports: readonly JsonObject[]): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, port] of ports.entries()) {
    const key = `${textAt(port, 'protocol')}/${String(port['port'])}`;
    if (seen.has(key)) {
      const bare = { protocol: port['protocol'] ?? '', port: port['port'] ?? 0, targetPort: 0 };
      errors.push(duplicate(`spec.ports[${i}]`, internalJson('core/v1.ServicePort', bare)));
    }
    seen.add(key);
  }
  return errors;
}

const ONLY_BALANCER = "may only be used when `type` is 'LoadBalancer'";

function balancerErrors(spec: JsonObject, type: string): FieldError[] {
  const errors: FieldError[] = [];
  const isBalancer = type === 'LoadBalancer';
  const ranges = list(spec, 'loadBalancerSourceRanges');
  if (ranges.length > 0) {
    if (!isBalancer) errors.push(forbiddenField('spec.LoadBalancerSourceRanges', ONLY_BALANCER));
    for (const [i, range] of ranges.entries()) {
      errors.push(...rangeErrors(`spec.LoadBalancerSourceRanges[${i}]`, String(range).trim()));
    }
  }
  if (spec['allocateLoadBalancerNodePorts'] !== undefined && !isBalancer) {
    errors.push(forbiddenField('spec.allocateLoadBalancerNodePorts', ONLY_BALANCER));
  }
  if (spec['loadBalancerClass'] !== undefined && !isBalancer) {
    errors.push(forbiddenField('spec.loadBalancerClass', ONLY_BALANCER));
  }
  return errors;
}

const CIDR_TEXT = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';

/** A range of addresses: `10.0.0.0/8`. */
export function rangeErrors(field: string, text: string): FieldError[] {
  const [ip = '', bits = '', more] = text.split('/');
  const isForm = isIp(ip) && /^\d+$/.test(bits) && Number(bits) <= (ip.includes(':') ? 128 : 32) && more === undefined;
  if (!isForm) return [invalidValue(field, text, CIDR_TEXT)];
  if (ip.includes(':')) return [];
  const address = ip.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  if (address % 2 ** (32 - Number(bits)) === 0) return [];
  return [invalidValue(field, text, 'must not have bits set beyond the prefix length')];
}

function trafficErrors(spec: JsonObject, type: string): FieldError[] {
  const errors: FieldError[] = [];
  const external = textAt(spec, 'externalTrafficPolicy');
  const isExposed = type === 'NodePort' || type === 'LoadBalancer' || list(spec, 'externalIPs').length > 0;
  if (external !== '') {
    if (!isExposed) {
      const why = 'may only be set for externally-accessible services';
      errors.push(invalidValue('spec.externalTrafficPolicy', external, why));
    } else errors.push(...oneOf('spec.externalTrafficPolicy', external, ['Cluster', 'Local']));
  }
  return [...errors, ...oneOf('spec.internalTrafficPolicy', spec['internalTrafficPolicy'], ['Cluster', 'Local'])];
}

/** Problems of a service's own addresses. */
export function addressErrors(spec: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  for (const [i, family] of list(spec, 'ipFamilies').entries()) {
    errors.push(...oneOf(`spec.ipFamilies[${i}]`, family, ['IPv4', 'IPv6']));
  }
  for (const [i, ip] of list(spec, 'clusterIPs').entries()) {
    if (ip !== 'None') errors.push(...ipAddress(`spec.clusterIPs[${i}]`, String(ip)));
  }
  return errors;
}

export function serviceUpdateErrors(service: JsonObject, old: JsonObject): FieldError[] {
  const [spec, before] = [specOf(service), specOf(old)];
  const errors: FieldError[] = [];
  if (textAt(before, 'type') !== 'ExternalName' && textAt(spec, 'type') !== 'ExternalName') {
    const [ip] = list(spec, 'clusterIPs');
    const [oldIp] = list(before, 'clusterIPs');
    if (oldIp !== undefined && ip !== oldIp) {
      errors.push(invalidValue('spec.clusterIPs[0]', spec['clusterIPs'] ?? null, 'may not change once set'));
    }
  }
  return [...errors, ...serviceErrors(service)];
}

const LOOPBACK = 'may not be in the loopback range (127.0.0.0/8, ::1/128)';

function specialIpErrors(field: string, ip: string): FieldError[] {
  if (!isIp(ip)) return [invalidValue(field, ip, 'must be a valid IP address')];
  if (ip.startsWith('127.') || ip === '::1') return [invalidValue(field, ip, LOOPBACK)];
  if (ip === '0.0.0.0' || ip === '::') return [invalidValue(field, ip, `may not be unspecified (${ip})`)];
  const isLocal = ip.startsWith('169.254.') || /^fe80:/i.test(ip);
  if (isLocal) return [invalidValue(field, ip, 'may not be in the link-local range (169.254.0.0/16, fe80::/10)')];
  return [];
}

export function endpointsErrors(endpoints: JsonObject): FieldError[] {
  return objectsAt(endpoints, 'subsets').flatMap((subset, i) => {
    const path = `subsets[${i}]`;
    const errors: FieldError[] = [];
    const groups = ['addresses', 'notReadyAddresses'] as const;
    if (groups.every((name) => objectsAt(subset, name).length === 0)) {
      errors.push(requiredValue(path, 'must specify `addresses` or `notReadyAddresses`'));
    }
    for (const name of groups) {
      for (const [a, address] of objectsAt(subset, name).entries()) {
        const at = `${path}.${name}[${a}].ip`;
        const ip = textAt(address, 'ip');
        errors.push(...ipAddress(at, ip), ...specialIpErrors(at, ip));
      }
    }
    const ports = objectsAt(subset, 'ports');
    for (const [p, port] of ports.entries()) {
      const at = `${path}.ports[${p}]`;
      const name = textAt(port, 'name');
      if (name === '' && ports.length > 1) errors.push(requiredValue(`${at}.name`));
      else if (name !== '') errors.push(...dnsLabel(`${at}.name`, name));
      errors.push(...portNumber(`${at}.port`, port['port'] ?? 0));
      errors.push(...oneOf(`${at}.protocol`, port['protocol'], PROTOCOLS, true));
    }
    return errors;
  });
}

export function endpointSliceErrors(slice: JsonObject): FieldError[] {
  const type = textAt(slice, 'addressType');
  const errors = oneOf('addressType', type, ['FQDN', 'IPv4', 'IPv6'], true);
  errors.push(...slicePortErrors(objectsAt(slice, 'ports')));
  for (const [i, endpoint] of objectsAt(slice, 'endpoints').entries()) {
    const path = `endpoints[${i}]`;
    const addresses = list(endpoint, 'addresses').map(String);
    if (addresses.length === 0) errors.push(requiredValue(`${path}.addresses`, 'must contain at least 1 address'));
    for (const [a, address] of addresses.entries()) {
      errors.push(...sliceAddressErrors(`${path}.addresses[${a}]`, address, type));
    }
    const hostname = endpoint['hostname'];
    if (typeof hostname === 'string') errors.push(...dnsLabel(`${path}.hostname`, hostname));
  }
  return errors;
}

function sliceAddressErrors(field: string, address: string, type: string): FieldError[] {
  if (type === 'FQDN') return dnsSubdomain(field, address);
  if (type !== 'IPv4' && type !== 'IPv6') return [];
  const errors = ipAddress(field, address);
  if (errors.length > 0) return errors;
  if (address.includes(':') !== (type === 'IPv6')) {
    return [invalidValue(field, address, `must be an ${type} address`)];
  }
  return specialIpErrors(field, address);
}

function slicePortErrors(ports: readonly JsonObject[]): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [i, port] of ports.entries()) {
    const name = textAt(port, 'name');
    const path = `ports[${i}]`;
    if (name !== '') errors.push(...dnsLabelProblems(name).map((why) => invalidValue(`${path}.name`, name, why)));
    if (names.has(name)) errors.push(duplicate(`${path}.name`, name));
    names.add(name);
    if (port['port'] !== undefined) errors.push(...portNumber(`${path}.port`, port['port']));
    errors.push(...oneOf(`${path}.protocol`, port['protocol'], PROTOCOLS, true));
  }
  return errors;
}

export function endpointSliceUpdateErrors(slice: JsonObject, old: JsonObject): FieldError[] {
  const type = unchanged('addressType', slice['addressType'], old['addressType']);
  return type.length > 0 ? type : endpointSliceErrors(slice);
}
