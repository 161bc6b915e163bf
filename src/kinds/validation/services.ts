import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { forbiddenField, invalidValue, requiredValue } from '../object/field-errors.ts';
import type { JsonObject, JsonValue } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import {
  dnsLabel,
  dnsLabelProblems,
  dnsSubdomain,
  dnsSubdomainProblems,
  duplicate,
  ipAddress,
  isIp,
  labels,
  oneOf,
  portNumber,
  portRef,
  qualifiedName,
  unchanged,
} from './checks.ts';
import { internalJson } from './internal-json.ts';
import { specOf } from './workloads.ts';

/** Checks of services and endpoints (pkg/apis/core/validation, pkg/apis/discovery/validation). */

const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

/** Checks of a service, in upstream's order (ValidateService). */
export function serviceErrors(service: JsonObject): FieldError[] {
  const spec = specOf(service);
  const type = textAt(spec, 'type');
  const isHeadless = isWithoutAddress(spec);
  const ports = objectsAt(spec, 'ports');
  const errors: FieldError[] = [];
  if (ports.length === 0 && !isHeadless && type !== 'ExternalName') errors.push(requiredValue('spec.ports'));
  errors.push(...addressTypeErrors(spec, type, isHeadless), ...portErrors(spec));
  errors.push(...labels('spec.selector', spec['selector']), ...affinityErrors(spec));
  if (type !== 'ExternalName') errors.push(...addressErrors(spec));
  for (const [i, ip] of list(spec, 'externalIPs').map(String).entries()) {
    const field = `spec.externalIPs[${i}]`;
    const wrong = ipAddress(field, ip);
    errors.push(...(wrong.length > 0 ? wrong : specialIpErrors(field, ip)));
  }
  errors.push(...oneOf('spec.type', type, TYPES, true));
  errors.push(...nodePortErrors(spec, type), ...duplicatePortErrors(ports), ...balancerErrors(spec, type));
  return [...errors, ...trafficErrors(spec, type)];
}

function isWithoutAddress(spec: JsonObject): boolean {
  const ips = list(spec, 'clusterIPs');
  return textAt(spec, 'clusterIP') === 'None' || (ips.length === 1 && ips[0] === 'None');
}

const AFFINITY_SECONDS_MAX = 86_400;

/** Checks whether a client stays with one pod, and for how long. */
function affinityErrors(spec: JsonObject): FieldError[] {
  const affinity = textAt(spec, 'sessionAffinity');
  const field = 'spec.sessionAffinityConfig';
  const errors = oneOf('spec.sessionAffinity', affinity, ['ClientIP', 'None'], true);
  const config = objectAt(spec, 'sessionAffinityConfig');
  if (affinity !== 'ClientIP') return errors;
  const why = `when session affinity type is ${affinity}`;
  const client = objectAt(config, 'clientIP');
  const seconds = client?.['timeoutSeconds'];
  if (config === undefined) errors.push(requiredValue(field, why));
  else if (client === undefined) errors.push(requiredValue(`${field}.clientIP`, why));
  else if (typeof seconds !== 'number') errors.push(requiredValue(`${field}.clientIP.timeoutSeconds`, why));
  else if (seconds <= 0 || seconds > AFFINITY_SECONDS_MAX) {
    const range = `must be greater than 0 and less than ${AFFINITY_SECONDS_MAX}`;
    errors.push(invalidValue(`${field}.clientIP.timeoutSeconds`, seconds, range));
  }
  return errors;
}

function list(object: JsonObject, name: string): readonly JsonValue[] {
  const value = object[name];
  return Array.isArray(value) ? value : [];
}

const NOT_FOR_NAMES = 'may not be set for ExternalName services';

function addressTypeErrors(spec: JsonObject, type: string, isHeadless: boolean): FieldError[] {
  if (type !== 'ExternalName') {
    if (!isHeadless || (type !== 'LoadBalancer' && type !== 'NodePort')) return [];
    return [invalidValue('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${type} services`)];
  }
  const errors: FieldError[] = [];
  if (list(spec, 'clusterIPs').length > 0) errors.push(forbiddenField('spec.clusterIPs', NOT_FOR_NAMES));
  if (list(spec, 'ipFamilies').length > 0) errors.push(forbiddenField('spec.ipFamilies', NOT_FOR_NAMES));
  if (spec['ipFamilyPolicy'] !== undefined) errors.push(forbiddenField('spec.ipFamilyPolicy', NOT_FOR_NAMES));
  const name = textAt(spec, 'externalName').replace(/\.$/, '');
  const wrong = name === '' ? [requiredValue('spec.externalName')] : dnsSubdomain('spec.externalName', name);
  return [...errors, ...wrong];
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
    const protocol = port['appProtocol'];
    if (typeof protocol === 'string') errors.push(...qualifiedName(`${path}.appProtocol`, protocol));
  }
  return errors;
}

function nodePortErrors(spec: JsonObject, type: string): FieldError[] {
  const [unused, repeated]: FieldError[][] = [[], []];
  const seen = new Set<string>();
  for (const [i, port] of objectsAt(spec, 'ports').entries()) {
    const number = port['nodePort'];
    if (!number) continue;
    const field = `spec.ports[${i}].nodePort`;
    if (type === 'ClusterIP') unused!.push(forbiddenField(field, "may not be used when `type` is 'ClusterIP'"));
    const key = `${textAt(port, 'protocol')}/${String(number)}`;
    if (seen.has(key)) repeated!.push(duplicate(field, number));
    seen.add(key);
  }
  return [...unused!, ...repeated!];
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
  const balancer = spec['loadBalancerClass'];
  if (balancer !== undefined && !isBalancer) errors.push(forbiddenField('spec.loadBalancerClass', ONLY_BALANCER));
  else if (balancer !== undefined) errors.push(...qualifiedName('spec.loadBalancerClass', String(balancer)));
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
  const check = spec['healthCheckNodePort'];
  const isChecked = type === 'LoadBalancer' && external === 'Local';
  if (check && !isChecked) {
    const why = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
    errors.push(invalidValue('spec.healthCheckNodePort', check, why));
  } else if (check) errors.push(...portNumber('spec.healthCheckNodePort', check));
  errors.push(...oneOf('spec.internalTrafficPolicy', spec['internalTrafficPolicy'], ['Cluster', 'Local']));
  return [...errors, ...oneOf('spec.trafficDistribution', spec['trafficDistribution'], DISTRIBUTIONS)];
}

const DISTRIBUTIONS = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];
const FAMILY_POLICIES = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];

/** Problems of a service's own addresses (ValidateServiceClusterIPsRelatedFields). */
export function addressErrors(spec: JsonObject): FieldError[] {
  const ips = list(spec, 'clusterIPs').map(String);
  const [ip, families] = [textAt(spec, 'clusterIP'), list(spec, 'ipFamilies').map(String)];
  const field = 'spec.clusterIPs';
  const errors: FieldError[] = [];
  if (ip !== '' && ips.length > 0 && ips[0] !== ip) {
    errors.push(invalidValue(field, ips, 'first value must match `clusterIP`'));
  } else if (ip === '' && ips.length > 0) {
    errors.push(invalidValue(field, ips, 'must be empty when `clusterIP` is not specified'));
  }
  for (const [i, family] of families.entries()) {
    const at = `spec.ipFamilies[${i}]`;
    errors.push(...oneOf(at, family, ['IPv4', 'IPv6']));
    if (families.indexOf(family) < i) errors.push(duplicate(at, family));
  }
  errors.push(...oneOf('spec.ipFamilyPolicy', spec['ipFamilyPolicy'], FAMILY_POLICIES));
  const wrong: FieldError[] = [];
  for (const [i, one] of ips.entries()) {
    if (i > 0 || one !== 'None') wrong.push(...ipAddress(`${field}[${i}]`, one));
    else if (ips.length > 1) wrong.push(invalidValue(field, ips, "'None' must be the first and only value"));
  }
  errors.push(...wrong);
  if (ips.length > 2) errors.push(invalidValue(field, ips, 'may only hold up to 2 values'));
  if (wrong.length > 0) return errors;
  if (ips.length > 1 && new Set(ips.map((one) => one.includes(':'))).size < 2) {
    errors.push(invalidValue(field, ips, 'may specify no more than one IP for each IP family'));
  }
  for (const [i, one] of ips.entries()) {
    const family = families[i];
    if (one === 'None' || (family !== 'IPv4' && family !== 'IPv6')) continue;
    if (one.includes(':') === (family === 'IPv6')) continue;
    const why = `expected an ${family} value as indicated by \`ipFamilies[${i}]\``;
    errors.push(invalidValue(`${field}[${i}]`, one, why));
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
  const isBalancer = textAt(spec, 'type') === 'LoadBalancer';
  if (isBalancer && textAt(before, 'type') === 'LoadBalancer') {
    errors.push(...sameBalancer(spec['loadBalancerClass'], before['loadBalancerClass']));
  }
  return [...errors, ...serviceErrors(service)];
}

function sameBalancer(now: JsonValue | undefined, before: JsonValue | undefined): FieldError[] {
  return now === before ? [] : [invalidValue('spec.loadBalancerClass', now, 'may not change once set')];
}

const LOOPBACK = 'may not be in the loopback range (127.0.0.0/8, ::1/128)';

function specialIpErrors(field: string, ip: string): FieldError[] {
  if (!isIp(ip)) return [invalidValue(field, ip, 'must be a valid IP address')];
  if (ip.startsWith('127.') || ip === '::1') return [invalidValue(field, ip, LOOPBACK)];
  if (ip === '0.0.0.0' || ip === '::') return [invalidValue(field, ip, `may not be unspecified (${ip})`)];
  const isLocal = ip.startsWith('169.254.') || /^fe[89ab]/i.test(ip);
  if (isLocal) return [invalidValue(field, ip, 'may not be in the link-local range (169.254.0.0/16, fe80::/10)')];
  if (!ip.startsWith('224.0.0.') && !/^ff.2:/i.test(ip)) return [];
  return [invalidValue(field, ip, 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)')];
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
        const at = `${path}.${name}[${a}]`;
        const ip = textAt(address, 'ip');
        errors.push(...ipAddress(`${at}.ip`, ip));
        const [hostname, node] = [textAt(address, 'hostname'), address['nodeName']];
        if (hostname !== '') errors.push(...dnsLabel(`${at}.hostname`, hostname));
        if (typeof node === 'string') errors.push(...dnsSubdomain(`${at}.nodeName`, node));
        errors.push(...specialIpErrors(`${at}.ip`, ip));
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
      const protocol = port['appProtocol'];
      if (typeof protocol === 'string') errors.push(...qualifiedName(`${at}.appProtocol`, protocol));
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
  if (type === 'FQDN') return domainErrors(field, address);
  if (type !== 'IPv4' && type !== 'IPv6') return [];
  const errors = ipAddress(field, address);
  if (errors.length > 0) return errors;
  if (address.includes(':') !== (type === 'IPv6')) {
    return [invalidValue(field, address, `must be an ${type} address`)];
  }
  return specialIpErrors(field, address);
}

/** A full domain, which may end in a dot (IsFullyQualifiedDomainName). */
function domainErrors(field: string, text: string): FieldError[] {
  if (text === '') return [requiredValue(field)];
  const name = text.replace(/\.$/, '');
  const problems = dnsSubdomainProblems(name);
  if (problems.length > 0) return [invalidValue(field, name, problems.join(','))];
  if (!name.includes('.')) {
    return [invalidValue(field, name, 'should be a domain with at least two segments separated by dots')];
  }
  const long = name.split('.').find((label) => dnsLabelProblems(label).length > 0);
  return long === undefined ? [] : [invalidValue(field, long, dnsLabelProblems(long).join(','))];
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
    const protocol = port['appProtocol'];
    if (typeof protocol === 'string') errors.push(...qualifiedName(`${path}.appProtocol`, protocol));
  }
  return errors;
}

export function endpointSliceUpdateErrors(slice: JsonObject, old: JsonObject): FieldError[] {
  const type = unchanged('addressType', slice['addressType'], old['addressType']);
  return type.length > 0 ? type : endpointSliceErrors(slice);
}
