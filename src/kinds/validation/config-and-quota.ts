import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { forbiddenField, invalidValue, requiredValue } from '../object/field-errors.ts';
import type { JsonObject, JsonValue } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import {
  compareAmounts,
  duplicate,
  isNegativeAmount,
  isWholeAmount,
  NOT_NEGATIVE,
  qualifiedName,
  sameJson,
  unchanged,
} from './checks.ts';
import { isExtended, isHugePages } from './compute-resources.ts';
import { specOf } from './workloads.ts';

/** Checks of config maps, secrets, limit ranges and quotas. */

const KEY_TEXT =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME', " +
  " or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

function keyErrors(name: string, key: string): FieldError[] {
  const field = `${name}[${key}]`;
  const errors = Buffer.byteLength(key) > 253 ? [invalidValue(field, key, 'must be no more than 253 characters')] : [];
  if (!/^[-._a-zA-Z0-9]+$/.test(key)) errors.push(invalidValue(field, key, KEY_TEXT));
  if (key === '.') errors.push(invalidValue(field, key, "must not be '.'"));
  else if (key === '..') errors.push(invalidValue(field, key, "must not be '..'"));
  else if (key.startsWith('..')) errors.push(invalidValue(field, key, "must not start with '..'"));
  return errors;
}

const DATA_BYTES_MAX = 1024 * 1024;

function sizeErrors(bytes: number, field: string): FieldError[] {
  if (bytes <= DATA_BYTES_MAX) return [];
  return [{ reason: 'FieldValueTooLong', field, message: `Too long: may not be more than ${DATA_BYTES_MAX} bytes` }];
}

export function configMapErrors(map: JsonObject): FieldError[] {
  const data = objectAt(map, 'data') ?? {};
  const binary = objectAt(map, 'binaryData') ?? {};
  const errors: FieldError[] = [];
  let bytes = 0;
  for (const key of Object.keys(data).sort()) {
    errors.push(...keyErrors('data', key));
    if (binary[key] !== undefined) {
      errors.push(invalidValue(`data[${key}]`, key, 'duplicate of key present in binaryData'));
    }
    bytes += Buffer.byteLength(String(data[key]));
  }
  for (const key of Object.keys(binary).sort()) {
    errors.push(...keyErrors('binaryData', key));
    bytes += Buffer.byteLength(String(binary[key]), 'base64');
  }
  return [...errors, ...sizeErrors(bytes, '')];
}

/** What was made immutable stays so, with its data. */
export function immutableDataErrors(object: JsonObject, old: JsonObject): FieldError[] {
  if (old['immutable'] !== true) return [];
  const why = 'field is immutable when `immutable` is set';
  const errors = object['immutable'] === true ? [] : [forbiddenField('immutable', why)];
  for (const name of ['data', 'binaryData']) {
    if (!sameJson(object[name], old[name])) errors.push(forbiddenField(name, why));
  }
  return errors;
}

const NEEDED_KEYS: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
};

export function secretErrors(secret: JsonObject): FieldError[] {
  const data = objectAt(secret, 'data') ?? {};
  const type = textAt(secret, 'type');
  const errors: FieldError[] = [];
  let bytes = 0;
  for (const key of Object.keys(data).sort()) {
    errors.push(...keyErrors('data', key));
    bytes += Buffer.byteLength(String(data[key]), 'base64');
  }
  errors.push(...sizeErrors(bytes, 'data'));
  for (const key of NEEDED_KEYS[type] ?? []) {
    if (data[key] === undefined) errors.push(requiredValue(`data[${key}]`));
    else if (key.startsWith('.docker') && !isJson(String(data[key]))) {
      errors.push(invalidValue(`data[${key}]`, '<secret contents redacted>', 'invalid character'));
    }
  }
  if (type === 'kubernetes.io/basic-auth' && data['username'] === undefined && data['password'] === undefined) {
    errors.push(requiredValue('data[username]'), requiredValue('data[password]'));
  }
  if (type === 'kubernetes.io/service-account-token') {
    const annotations = objectAt(objectAt(secret, 'metadata'), 'annotations');
    const key = 'kubernetes.io/service-account.name';
    if (textAt(annotations, key) === '') errors.push(requiredValue(`metadata.annotations[${key}]`));
  }
  return errors;
}

function isJson(base64: string): boolean {
  try {
    JSON.parse(Buffer.from(base64, 'base64').toString());
    return true;
  } catch {
    return false;
  }
}

export function secretUpdateErrors(secret: JsonObject, old: JsonObject): FieldError[] {
  const type = unchanged('type', secret['type'], old['type']);
  return [...type, ...immutableDataErrors(secret, old), ...secretErrors(secret)];
}

const LIMIT_TYPES = new Set(['Pod', 'Container', 'PersistentVolumeClaim']);

export function limitRangeErrors(range: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const types = new Set<string>();
  for (const [i, limit] of objectsAt(specOf(range), 'limits').entries()) {
    const path = `spec.limits[${i}]`;
    const type = textAt(limit, 'type');
    const named = qualifiedName(`${path}.type`, type);
    errors.push(...named);
    if (named.length === 0 && !LIMIT_TYPES.has(type) && !type.includes('/')) {
      errors.push(invalidValue(`${path}.type`, type, 'must be a standard limit type or fully qualified'));
    }
    if (types.has(type)) errors.push(duplicate(`${path}.type`, type));
    types.add(type);
    errors.push(...limitErrors(path, limit, type));
  }
  return errors;
}

function limitErrors(path: string, limit: JsonObject, type: string): FieldError[] {
  const part = (name: string): JsonObject => objectAt(limit, name) ?? {};
  const [least, most, preset, request] = ['min', 'max', 'default', 'defaultRequest'].map(part) as [
    JsonObject,
    JsonObject,
    JsonObject,
    JsonObject,
  ];
  const ratio = part('maxLimitRequestRatio');
  const errors: FieldError[] = [];
  if (type === 'Pod') {
    for (const name of ['default', 'defaultRequest']) {
      if (Object.keys(part(name)).length === 0) continue;
      errors.push(forbiddenField(`${path}.${name}`, "may not be specified when `type` is 'Pod'"));
    }
  }
  if (type === 'PersistentVolumeClaim' && least['storage'] === undefined && most['storage'] === undefined) {
    const why = 'either minimum or maximum storage value is required, but neither was provided';
    errors.push(requiredValue(`${path}.limits`, why));
  }
  const names = new Set([least, most, preset, request, ratio].flatMap((each) => Object.keys(each)));
  const above = (low: JsonValue | undefined, high: JsonValue | undefined): boolean =>
    low !== undefined && high !== undefined && compareAmounts(low, high) > 0;
  const add = (name: string, key: string, value: JsonValue | undefined, why: string): void => {
    errors.push(invalidValue(`${path}.${name}[${key}]`, String(value), why));
  };
  for (const key of [...names].sort()) {
    const [min, max, usual, asked] = [least[key], most[key], preset[key], request[key]];
    if (above(min, max)) add('min', key, min, `min value ${min} is greater than max value ${max}`);
    if (above(min, asked)) {
      add('defaultRequest', key, asked, `min value ${min} is greater than default request value ${asked}`);
    }
    if (above(asked, max)) {
      add('defaultRequest', key, asked, `default request value ${asked} is greater than max value ${max}`);
    }
    if (above(asked, usual)) {
      add('defaultRequest', key, asked, `default request value ${asked} is greater than default limit value ${usual}`);
    }
    if (above(min, usual)) add('default', key, min, `min value ${min} is greater than default value ${usual}`);
    if (above(usual, max)) add('default', key, usual, `default value ${usual} is greater than max value ${max}`);
    if (ratio[key] !== undefined && compareAmounts(ratio[key], '1') < 0) {
      add('maxLimitRequestRatio', key, ratio[key], `ratio ${ratio[key]} is less than 1`);
    }
  }
  return errors;
}

const QUOTA_NAMES = new Set([
  ...['cpu', 'memory', 'ephemeral-storage', 'storage', 'pods', 'services', 'replicationcontrollers', 'resourcequotas'],
  ...['secrets', 'configmaps', 'persistentvolumeclaims', 'services.nodeports', 'services.loadbalancers'],
  ...['requests.cpu', 'requests.memory', 'requests.storage', 'requests.ephemeral-storage', 'limits.cpu'],
  ...['limits.memory', 'limits.ephemeral-storage'],
]);
const COUNTED = new Set([
  ...['pods', 'services', 'replicationcontrollers', 'resourcequotas', 'secrets', 'configmaps'],
  ...['persistentvolumeclaims', 'services.nodeports', 'services.loadbalancers'],
]);
const SCOPES = new Set([
  ...['Terminating', 'NotTerminating', 'BestEffort', 'NotBestEffort', 'PriorityClass'],
  ...['CrossNamespacePodAffinity', 'VolumeAttributesClass'],
]);
const COMPUTE = new Set(['cpu', 'memory', 'pods', 'requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory']);

export function quotaErrors(quota: JsonObject): FieldError[] {
  const spec = specOf(quota);
  const hard = objectAt(spec, 'hard') ?? {};
  const errors: FieldError[] = [];
  for (const name of Object.keys(hard).sort()) {
    const field = `spec.hard[${name}]`;
    errors.push(...quotaNameErrors(field, name));
    if (isNegativeAmount(hard[name])) errors.push(invalidValue(field, hard[name], NOT_NEGATIVE));
    const isWhole = !COUNTED.has(name) && !name.startsWith('count/') && !isExtended(name);
    if (!isWhole && !isWholeAmount(hard[name])) errors.push(invalidValue(field, hard[name], 'must be an integer'));
  }
  return [...errors, ...scopeErrors(spec, Object.keys(hard)), ...scopeSelectorErrors(spec)];
}

function quotaNameErrors(field: string, name: string): FieldError[] {
  const errors = qualifiedName(field, name);
  if (errors.length > 0 || name.includes('/') || isHugePages(name) || name.startsWith('requests.hugepages-'))
    return errors;
  if (QUOTA_NAMES.has(name)) return [];
  return [
    invalidValue(field, name, 'must be a standard resource type or fully qualified'),
    invalidValue(field, name, 'must be a standard resource for quota'),
  ];
}

function scopeErrors(spec: JsonObject, names: readonly string[]): FieldError[] {
  const scopes = Array.isArray(spec['scopes']) ? spec['scopes'].map(String) : [];
  const errors: FieldError[] = [];
  for (const scope of scopes) {
    if (!SCOPES.has(scope)) errors.push(invalidValue('spec.scopes', scopes, 'unsupported scope'));
    for (const name of names) {
      // What is no resource of quotas has a problem of its own.
      if (name.includes('/') || !QUOTA_NAMES.has(name)) continue;
      const fits = scope === 'BestEffort' ? name === 'pods' : COMPUTE.has(name);
      if (SCOPES.has(scope) && !fits && scope !== 'VolumeAttributesClass') {
        errors.push(invalidValue('spec.scopes', scopes, 'unsupported scope applied to resource'));
      }
    }
  }
  for (const pair of [
    ['Terminating', 'NotTerminating'],
    ['BestEffort', 'NotBestEffort'],
  ]) {
    if (pair.every((scope) => scopes.includes(scope))) {
      errors.push(invalidValue('spec.scopes', scopes, 'conflicting scopes'));
    }
  }
  return errors;
}

function scopeSelectorErrors(spec: JsonObject): FieldError[] {
  const path = 'spec.scopeSelector.matchExpressions';
  return objectsAt(objectAt(spec, 'scopeSelector'), 'matchExpressions').flatMap((rule) => {
    const count = Array.isArray(rule['values']) ? rule['values'].length : 0;
    const operator = rule['operator'];
    if ((operator === 'In' || operator === 'NotIn') && count === 0) {
      const why = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
      return [requiredValue(`${path}.values`, why)];
    }
    if ((operator === 'Exists' || operator === 'DoesNotExist') && count > 0) {
      const why = "must be no value when `operator` is 'Exists' or 'DoesNotExist' for scope selector";
      return [invalidValue(`${path}.values`, rule['values'], why)];
    }
    return [];
  });
}
