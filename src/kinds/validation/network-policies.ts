import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { forbiddenField, invalidValue, requiredValue, unsupportedValue } from '../object/field-errors.ts';
import type { JsonObject, JsonValue } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { isRangeWithin } from './address-ranges.ts';
import { labelSelector, portNumber, portRef } from './checks.ts';
import { rangeErrors } from './services.ts';

/** Network policies (pkg/apis/networking/validation). */

const POLICY_TYPES = ['Ingress', 'Egress'];
const PROTOCOLS = ['TCP', 'UDP', 'SCTP'];

export function networkPolicyErrors(policy: JsonObject): FieldError[] {
  const spec = objectAt(policy, 'spec') ?? {};
  const errors = labelSelector('spec.podSelector', objectAt(spec, 'podSelector'));
  for (const [direction, peers] of [
    ['ingress', 'from'],
    ['egress', 'to'],
  ] as const) {
    for (const [i, rule] of objectsAt(spec, direction).entries()) {
      const at = `spec.${direction}[${i}]`;
      errors.push(...objectsAt(rule, 'ports').flatMap((port, j) => portErrors(`${at}.ports[${j}]`, port)));
      errors.push(...objectsAt(rule, peers).flatMap((peer, j) => peerErrors(`${at}.${peers}[${j}]`, peer)));
    }
  }
  const types = Array.isArray(spec['policyTypes']) ? spec['policyTypes'] : [];
  if (types.length > POLICY_TYPES.length) {
    return [...errors, invalidValue('spec.policyTypes', types, 'may not specify more than two policyTypes')];
  }
  for (const [i, type] of types.entries()) {
    if (!POLICY_TYPES.includes(String(type))) {
      errors.push(unsupportedValue(`spec.policyTypes[${i}]`, type, POLICY_TYPES));
    }
  }
  return errors;
}

function portErrors(field: string, { protocol, port, endPort }: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  if (typeof protocol === 'string' && !PROTOCOLS.includes(protocol)) {
    errors.push(unsupportedValue(`${field}.protocol`, protocol, PROTOCOLS));
  }
  if (port !== undefined) {
    if (typeof port === 'string' && endPort !== undefined) {
      errors.push(invalidValue(`${field}.endPort`, endPort, 'may not be specified when `port` is non-numeric'));
    }
    errors.push(...portRef(`${field}.port`, port));
  } else if (endPort !== undefined) {
    errors.push(invalidValue(`${field}.endPort`, endPort, 'may not be specified when `port` is not specified'));
  }
  return [...errors, ...endPortErrors(`${field}.endPort`, port, endPort)];
}

function endPortErrors(field: string, port: JsonValue | undefined, endPort: JsonValue | undefined): FieldError[] {
  if (typeof port !== 'number' || typeof endPort !== 'number') return [];
  const isBefore = endPort < port;
  const errors = isBefore ? [invalidValue(field, port, 'must be greater than or equal to `port`')] : [];
  return [...errors, ...portNumber(field, endPort)];
}

function peerErrors(field: string, peer: JsonObject): FieldError[] {
  const selectors = ['podSelector', 'namespaceSelector'].filter((name) => objectAt(peer, name) !== undefined);
  const block = objectAt(peer, 'ipBlock');
  const errors = selectors.flatMap((name) => labelSelector(`${field}.${name}`, objectAt(peer, name)));
  if (block !== undefined) errors.push(...blockErrors(`${field}.ipBlock`, block));
  else if (selectors.length === 0) errors.push(requiredValue(field, 'must specify a peer'));
  if (block !== undefined && selectors.length > 0) {
    errors.push(forbiddenField(field, 'may not specify both ipBlock and another peer'));
  }
  return errors;
}

function blockErrors(field: string, block: JsonObject): FieldError[] {
  const cidr = textAt(block, 'cidr');
  if (cidr === '') return [requiredValue(`${field}.cidr`)];
  const errors = rangeErrors(`${field}.cidr`, cidr);
  if (errors.length > 0) return errors;
  const except = Array.isArray(block['except']) ? block['except'].map(String) : [];
  for (const [i, part] of except.entries()) {
    const at = `${field}.except[${i}]`;
    const problems = rangeErrors(at, part);
    errors.push(...problems);
    if (problems.length === 0 && !isRangeWithin(part, cidr)) {
      errors.push(invalidValue(at, part, 'must be a strict subset of `cidr`'));
    }
  }
  return errors;
}
