import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { forbiddenField, invalidValue, requiredValue } from '../object/field-errors.ts';
import type { JsonObject } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { tolerationErrors } from './affinity.ts';
import {
  dnsLabel,
  duplicate,
  intOrPercent,
  isNegativeAmount,
  labelSelector,
  labels,
  NOT_NEGATIVE,
  notAboveWhole,
  notNegative,
  oneOf,
  qualifiedName,
  sameJson,
  unchanged,
} from './checks.ts';
import { resourceErrors } from './compute-resources.ts';
import { internalJson } from './internal-json.ts';
import { rangeErrors } from './services.ts';
import { specOf } from './workloads.ts';

/** Checks of nodes, namespaces, leases, priorities, budgets, runtime classes and revisions. */

export function nodeErrors(node: JsonObject): FieldError[] {
  const spec = specOf(node);
  const errors: FieldError[] = [];
  const capacity = objectAt(objectAt(node, 'status'), 'capacity') ?? {};
  const taints = new Set<string>();
  for (const [i, taint] of objectsAt(spec, 'taints').entries()) {
    const at = `metadata.taints[${i}]`;
    errors.push(...qualifiedName(`${at}.key`, textAt(taint, 'key')));
    errors.push(...oneOf(`${at}.effect`, taint['effect'], ['NoSchedule', 'PreferNoSchedule', 'NoExecute'], true));
    const key = `${textAt(taint, 'key')}:${textAt(taint, 'effect')}`;
    if (taints.has(key)) {
      const error = duplicate(at, internalJson('core/v1.Taint', taint));
      errors.push({ ...error, message: `${error.message}: taints must be unique by key and effect pair` });
    }
    taints.add(key);
  }
  for (const name of Object.keys(capacity).sort()) {
    if (isNegativeAmount(capacity[name])) {
      errors.push(invalidValue(`status.capacity.${name}`, capacity[name], NOT_NEGATIVE));
    }
  }
  const ranges = Array.isArray(spec['podCIDRs']) ? spec['podCIDRs'].map(String) : [];
  for (const [i, range] of ranges.entries()) errors.push(...rangeErrors(`spec.podCIDRs[${i}]`, range));
  const families = ranges.map((range) => range.includes(':'));
  if (ranges.length > 2 || (ranges.length === 2 && families[0] === families[1])) {
    errors.push(invalidValue('spec.podCIDRs', ranges, 'may specify no more than one CIDR for each IP family'));
  }
  return errors;
}

export function nodeUpdateErrors(node: JsonObject, old: JsonObject): FieldError[] {
  const errors = nodeErrors(node);
  const [ranges, before] = [specOf(node)['podCIDRs'], specOf(old)['podCIDRs']];
  if (before !== undefined && !sameJson(ranges, before)) {
    errors.push(forbiddenField('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid'));
  }
  const [id, oldId] = [textAt(specOf(node), 'providerID'), textAt(specOf(old), 'providerID')];
  if (oldId !== '' && id !== oldId) {
    errors.push(forbiddenField('spec.providerID', 'node updates may not change providerID except from "" to valid'));
  }
  return errors;
}

export function namespaceErrors(namespace: JsonObject): FieldError[] {
  const names = specOf(namespace)['finalizers'];
  return (Array.isArray(names) ? names.map(String) : []).flatMap((name) => {
    const errors = qualifiedName('spec.finalizers', name);
    if (name.includes('/') || name === 'kubernetes') return errors;
    const why = 'name is neither a standard finalizer name nor is it fully qualified';
    return [...errors, invalidValue('spec.finalizers', name, why)];
  });
}

export function leaseErrors(lease: JsonObject): FieldError[] {
  const spec = specOf(lease);
  const seconds = spec['leaseDurationSeconds'];
  const errors: FieldError[] = [];
  if (typeof seconds === 'number' && seconds <= 0) {
    errors.push(invalidValue('spec.leaseDurationSeconds', seconds, 'must be greater than 0'));
  }
  return [...errors, ...notNegative('spec.leaseTransitions', spec['leaseTransitions'])];
}

const USER_PRIORITY_MAX = 1_000_000_000;
const SYSTEM: Readonly<Record<string, number>> = {
  'system-node-critical': 2_000_001_000,
  'system-cluster-critical': 2_000_000_000,
};

export function priorityClassErrors(object: JsonObject): FieldError[] {
  const name = textAt(objectAt(object, 'metadata'), 'name');
  const errors: FieldError[] = [];
  if (name.startsWith('system-')) {
    if (SYSTEM[name] !== object['value']) {
      const why = "priority class names with 'system-' prefix are reserved for system use only. error: ";
      errors.push(forbiddenField('metadata.name', `${why}${name} is not a known system priority class`));
    }
  } else if (Number(object['value'] ?? 0) > USER_PRIORITY_MAX) {
    const why = `maximum allowed value of a user defined priority is ${USER_PRIORITY_MAX}`;
    errors.push(forbiddenField('value', why));
  }
  const policies = ['PreemptLowerPriority', 'Never'];
  return [...errors, ...oneOf('preemptionPolicy', object['preemptionPolicy'], policies)];
}

export function priorityClassUpdateErrors(object: JsonObject, old: JsonObject): FieldError[] {
  const errors = object['value'] === old['value'] ? [] : [forbiddenField('value', 'may not be changed in an update.')];
  return [...errors, ...unchanged('preemptionPolicy', object['preemptionPolicy'], old['preemptionPolicy'])];
}

export function budgetErrors(budget: JsonObject): FieldError[] {
  const spec = specOf(budget);
  const errors: FieldError[] = [];
  const [least, most] = [spec['minAvailable'], spec['maxUnavailable']];
  if (least !== undefined && most !== undefined) {
    const shown = internalJson('policy/v1.PodDisruptionBudgetSpec', spec);
    errors.push(invalidValue('spec', shown, 'minAvailable and maxUnavailable cannot be both set'));
  }
  for (const [name, value] of [
    ['minAvailable', least],
    ['maxUnavailable', most],
  ] as const) {
    errors.push(...intOrPercent(`spec.${name}`, value), ...notAboveWhole(`spec.${name}`, value));
  }
  errors.push(...labelSelector('spec.selector', objectAt(spec, 'selector')));
  const policies = ['AlwaysAllow', 'IfHealthyBudget'];
  return [...errors, ...oneOf('spec.unhealthyPodEvictionPolicy', spec['unhealthyPodEvictionPolicy'], policies)];
}

export function runtimeClassErrors(runtimeClass: JsonObject): FieldError[] {
  const scheduling = objectAt(runtimeClass, 'scheduling');
  const overhead = objectAt(objectAt(runtimeClass, 'overhead'), 'podFixed');
  return [
    ...dnsLabel('handler', textAt(runtimeClass, 'handler')),
    ...resourceErrors('overhead.podFixed', overhead && { limits: overhead }, new Set()),
    ...labels('scheduling.nodeSelector', scheduling?.['nodeSelector']),
    ...tolerationErrors('scheduling.tolerations', objectsAt(scheduling, 'tolerations')),
  ];
}

export function runtimeClassUpdateErrors(runtimeClass: JsonObject, old: JsonObject): FieldError[] {
  return unchanged('handler', runtimeClass['handler'], old['handler']);
}

export function revisionErrors(revision: JsonObject): FieldError[] {
  const missing = revision['data'] === undefined || revision['data'] === null;
  return [
    ...(missing ? [requiredValue('data', 'data is mandatory')] : []),
    ...notNegative('revision', revision['revision']),
  ];
}

export function revisionUpdateErrors(revision: JsonObject, old: JsonObject): FieldError[] {
  return [...revisionErrors(revision), ...unchanged('data', revision['data'], old['data'])];
}
