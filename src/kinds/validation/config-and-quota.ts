import { quantityNano } from '../../api/quantity-text.ts';
import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { forbiddenField, invalidValue, requiredValue } from '../object/field-errors.ts';
import type { JsonObject, JsonValue } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { compareAmounts, configKey, duplicate, qualifiedName, sameJson, unchanged } from './checks.ts';
import {
  amountErrors,
  containerResourceNameErrors,
  isExtended,
  OF_QUOTAS,
  resourceNameErrors,
} from './compute-resources.ts';
import { internalJson } from './internal-json.ts';
import { specOf } from './workloads.ts';

/** Checks of config maps, secrets, limit ranges and quotas. */

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
    errors.push(...configKey(`data[${key}]`, key));
    if (binary[key] !== undefined) {
      errors.push(invalidValue(`data[${key}]`, key, 'duplicate of key present in binaryData'));
    }
    bytes += Buffer.byteLength(String(data[key]));
  }
  for (const key of Object.keys(binary).sort()) {
    errors.push(...configKey(`binaryData[${key}]`, key));
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
    errors.push(...configKey(`data[${key}]`, key));
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
  const nameErrors = type === 'Pod' || type === 'Container' ? containerResourceNameErrors : resourceNameErrors;
  const checkNames = (name: string): void => {
    const keys = Object.keys(part(name)).sort();
    errors.push(...keys.flatMap((key) => nameErrors(`${path}.${name}[${key}]`, key)));
  };
  for (const name of ['max', 'min']) checkNames(name);
  for (const name of ['default', 'defaultRequest']) {
    if (type !== 'Pod') checkNames(name);
    else if (Object.keys(part(name)).length > 0) {
      errors.push(forbiddenField(`${path}.${name}`, "may not be specified when `type` is 'Pod'"));
    }
  }
  if (type === 'PersistentVolumeClaim' && least['storage'] === undefined && most['storage'] === undefined) {
    const why = 'either minimum or maximum storage value is required, but neither was provided';
    errors.push(requiredValue(`${path}.limits`, why));
  }
  checkNames('maxLimitRequestRatio');
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
    if (above(usual, max)) add('default', key, max, `default value ${usual} is greater than max value ${max}`);
    if (ratio[key] !== undefined && compareAmounts(ratio[key], '1') < 0) {
      add('maxLimitRequestRatio', key, ratio[key], `ratio ${ratio[key]} is less than 1`);
    }
    const highest = ratioOf(max, min);
    if (ratio[key] !== undefined && highest !== undefined && Number(quantityNano(String(ratio[key]))) / 1e9 > highest) {
      const why = `ratio ${ratio[key]} is greater than max/min = ${highest.toFixed(6)}`;
      add('maxLimitRequestRatio', key, ratio[key], why);
    }
    const isShared = !isExtended(key) && !key.startsWith('hugepages-');
    if (!isShared && usual !== undefined && asked !== undefined && compareAmounts(usual, asked) !== 0) {
      const why = `default value ${usual} must equal to defaultRequest value ${asked} in ${key}`;
      add('defaultRequest', key, asked, why);
    }
  }
  return errors;
}

function ratioOf(most: JsonValue | undefined, least: JsonValue | undefined): number | undefined {
  if (most === undefined || least === undefined) return undefined;
  return Number(quantityNano(String(most))) / Number(quantityNano(String(least)));
}

const SCOPES = new Set([
  ...['Terminating', 'NotTerminating', 'BestEffort', 'NotBestEffort', 'PriorityClass'],
  ...['CrossNamespacePodAffinity', 'VolumeAttributesClass'],
]);
const COMPUTE = new Set(['cpu', 'memory', 'pods', 'requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory']);

export function quotaErrors(quota: JsonObject): FieldError[] {
  const spec = specOf(quota);
  const hard = objectAt(spec, 'hard') ?? {};
  const names = Object.keys(hard).sort();
  const errors: FieldError[] = [];
  for (const name of names) {
    const field = `spec.hard[${name}]`;
    errors.push(...quotaNameErrors(field, name));
    errors.push(...amountErrors(field, name, hard[name]));
  }
  return [...errors, ...scopeErrors(spec, names), ...scopeSelectorErrors(spec, names)];
}

function quotaNameErrors(field: string, name: string): FieldError[] {
  const errors = resourceNameErrors(field, name);
  if (name.includes('/') || OF_QUOTAS.has(name) || /^(?:requests\.)?hugepages-/.test(name)) return errors;
  return [...errors, invalidValue(field, name, 'must be a standard resource for quota')];
}

function scopeErrors(spec: JsonObject, names: readonly string[]): FieldError[] {
  const scopes = Array.isArray(spec['scopes']) ? spec['scopes'].map(String) : [];
  const errors: FieldError[] = [];
  for (const scope of scopes) {
    if (!SCOPES.has(scope)) errors.push(invalidValue('spec.scopes', scopes, 'unsupported scope'));
    for (const name of names) {
      // What is no resource of quotas has a problem of its own.
      if (!OF_QUOTAS.has(name) || fitsScope(scope, name)) continue;
      errors.push(invalidValue('spec.scopes', scopes, 'unsupported scope applied to resource'));
    }
  }
  return [...errors, ...conflictErrors('spec.scopes', scopes, scopes)];
}

function scopeSelectorErrors(spec: JsonObject, names: readonly string[]): FieldError[] {
  const selector = objectAt(spec, 'scopeSelector');
  const path = 'spec.scopeSelector.matchExpressions';
  const rules = objectsAt(selector, 'matchExpressions');
  const errors = rules.flatMap((rule) => {
    const scope = textAt(rule, 'scopeName');
    const values = Array.isArray(rule['values']) ? rule['values'] : [];
    const operator = textAt(rule, 'operator');
    const found = SCOPES.has(scope) ? [] : [invalidValue(`${path}.scopeName`, scope, 'unsupported scope')];
    for (const name of names) {
      if (!OF_QUOTAS.has(name) || fitsScope(scope, name)) continue;
      const shown = internalJson('core/v1.ScopeSelector', selector);
      found.push(invalidValue(path, shown, 'unsupported scope applied to resource'));
    }
    if (EXISTING.has(scope) && operator !== 'Exists')
      found.push(invalidValue(`${path}.operator`, operator, EXISTS_TEXT));
    if (operator === 'In' || operator === 'NotIn') {
      const why = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
      if (values.length === 0) found.push(requiredValue(`${path}.values`, why));
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      const why = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
      if (values.length > 0) found.push(invalidValue(`${path}.values`, values, why));
    } else found.push(invalidValue(`${path}.operator`, operator, 'not a valid selector operator'));
    return found;
  });
  const scopes = rules.map((rule) => textAt(rule, 'scopeName'));
  const shown = Array.isArray(spec['scopes']) ? spec['scopes'] : null;
  return [...errors, ...conflictErrors(path, scopes, shown)];
}

const EXISTING = new Set(['BestEffort', 'NotBestEffort', 'Terminating', 'NotTerminating', 'CrossNamespacePodAffinity']);
const EXISTS_TEXT =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, " +
  'ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity';

/** Scopes that exclude each other. */
function conflictErrors(field: string, scopes: readonly string[], shown: JsonValue): FieldError[] {
  return [
    ['BestEffort', 'NotBestEffort'],
    ['Terminating', 'NotTerminating'],
  ]
    .filter((pair) => pair.every((scope) => scopes.includes(scope)))
    .map(() => invalidValue(field, shown, 'conflicting scopes'));
}

/** Whether a quota of this resource can be limited to the scope. */
function fitsScope(scope: string, name: string): boolean {
  if (scope === 'BestEffort') return name === 'pods';
  if (scope === 'VolumeAttributesClass') return VOLUMES.has(name);
  return !SCOPES.has(scope) || COMPUTE.has(name);
}

const VOLUMES = new Set(['persistentvolumeclaims', 'requests.storage']);
