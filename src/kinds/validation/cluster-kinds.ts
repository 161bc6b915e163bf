import { labelValueProblems } from '../../api/label-syntax.ts';
import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { forbiddenField, invalidValue, requiredValue } from '../object/field-errors.ts';
import type { JsonObject } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { tolerationErrors } from './affinity.ts';
import {
  dnsLabel,
  duplicate,
  intOrPercent,
  labelSelector,
  labels,
  notAboveWhole,
  notNegative,
  oneOf,
  qualifiedName,
  unchanged,
} from './checks.ts';
import { amountErrors, resourceErrors } from './compute-resources.ts';
import { internalJson } from './internal-json.ts';
import { rangeErrors } from './services.ts';
import { specOf } from './workloads.ts';

/** Checks of nodes, namespaces, leases, priorities, budgets, runtime classes and revisions. */

export function nodeErrors(node: JsonObject): FieldError[] {
  const ranges = rangesOf(node);
  const errors = [...taintErrors(node), ...nodeResourceErrors(node)];
  for (const [i, range] of ranges.entries()) errors.push(...rangeErrors(`spec.podCIDRs[${i}]`, range));
  const families = new Set(ranges.map((range) => range.includes(':')));
  if (ranges.length > 2 || (ranges.length === 2 && families.size === 1)) {
    errors.push(invalidValue('spec.podCIDRs', ranges, 'may specify no more than one CIDR for each IP family'));
  }
  for (const [i, range] of ranges.entries()) {
    if (ranges.indexOf(range) < i) errors.push(duplicate(`spec.podCIDRs[${i}]`, range));
  }
  return errors;
}

function rangesOf(node: JsonObject): string[] {
  const ranges = specOf(node)['podCIDRs'];
  return Array.isArray(ranges) ? ranges.map(String) : [];
}

function taintErrors(node: JsonObject): FieldError[] {
  const taints = new Set<string>();
  return objectsAt(specOf(node), 'taints').flatMap((taint, i) => {
    const at = `metadata.taints[${i}]`;
    const value = textAt(taint, 'value');
    const problems = labelValueProblems(value);
    const errors = [
      ...qualifiedName(`${at}.key`, textAt(taint, 'key')),
      ...(problems.length === 0 ? [] : [invalidValue(`${at}.value`, value, problems.join(';'))]),
      ...oneOf(`${at}.effect`, taint['effect'], ['NoSchedule', 'PreferNoSchedule', 'NoExecute'], true),
    ];
    const key = `${textAt(taint, 'key')}:${textAt(taint, 'effect')}`;
    if (taints.has(key)) {
      const error = duplicate(at, internalJson('core/v1.Taint', taint));
      errors.push({ ...error, message: `${error.message}: taints must be unique by key and effect pair` });
    }
    taints.add(key);
    return errors;
  });
}

function nodeResourceErrors(node: JsonObject): FieldError[] {
  return ['capacity', 'allocatable'].flatMap((part) => {
    const amounts = objectAt(objectAt(node, 'status'), part) ?? {};
    const names = Object.keys(amounts).sort();
    return names.flatMap((name) => amountErrors(`status.${part}.${name}`, name, amounts[name]));
  });
}

export function nodeUpdateErrors(node: JsonObject, old: JsonObject): FieldError[] {
  const errors = nodeResourceErrors(node);
  const addresses = new Set<string>();
  for (const [i, address] of objectsAt(objectAt(node, 'status'), 'addresses').entries()) {
    const key = JSON.stringify([textAt(address, 'type'), textAt(address, 'address')]);
    if (addresses.has(key)) {
      errors.push(duplicate(`status.addresses[${i}]`, internalJson('core/v1.NodeAddress', address)));
    }
    addresses.add(key);
  }
  const [ranges, before] = [rangesOf(node), rangesOf(old)];
  const isOther = ranges.length === before.length ? before.filter((range, i) => range !== ranges[i]) : [''];
  if (before.length > 0) {
    const why = 'node updates may not change podCIDR except from "" to valid';
    errors.push(...isOther.map(() => forbiddenField('spec.podCIDRs', why)));
  }
  const [id, oldId] = [textAt(specOf(node), 'providerID'), textAt(specOf(old), 'providerID')];
  if (oldId !== '' && id !== oldId) {
    errors.push(forbiddenField('spec.providerID', 'node updates may not change providerID except from "" to valid'));
  }
  return [...errors, ...taintErrors(node)];
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

/** Why a class is none of the system's own. */
function systemProblem(name: string, value: number, isDefault: boolean): string | undefined {
  const wanted = SYSTEM[name];
  if (wanted === undefined) return `${name} is not a known system priority class`;
  if (wanted !== value) return `value of ${name} PriorityClass must be ${wanted}`;
  return isDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

export function priorityClassErrors(object: JsonObject): FieldError[] {
  const name = textAt(objectAt(object, 'metadata'), 'name');
  const errors: FieldError[] = [];
  const value = Number(object['value'] ?? 0);
  const problem = name.startsWith('system-') ? systemProblem(name, value, object['globalDefault'] === true) : undefined;
  if (problem !== undefined) {
    const why = "priority class names with 'system-' prefix are reserved for system use only. error: ";
    errors.push(forbiddenField('metadata.name', why + problem));
  } else if (!name.startsWith('system-') && value > USER_PRIORITY_MAX) {
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
