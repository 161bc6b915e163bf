import { compileDeviceCondition } from '../../cel/device-condition.ts';
import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { forbiddenField, invalidValue, requiredValue, tooLong, tooMany } from '../object/field-errors.ts';
import type { JsonObject, JsonValue } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { dnsLabel, dnsSubdomain, duplicate, labels, oneOf, sameJson, unchanged } from './checks.ts';
import { internalJson } from './internal-json.ts';
import { specOf } from './workloads.ts';

/** Checks of `resource.k8s.io` (pkg/apis/resource/validation). */

const EXACTLY_ONE = 'exactly one of `exactly` or `firstAvailable` is required';
const REQUEST_TEXT =
  "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";

export function resourceClaimErrors(claim: JsonObject): FieldError[] {
  return claimSpecErrors('spec.devices', objectAt(specOf(claim), 'devices') ?? {});
}

function claimSpecErrors(field: string, devices: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [i, request] of objectsAt(devices, 'requests').entries()) {
    const path = `${field}.requests[${i}]`;
    const name = textAt(request, 'name');
    errors.push(...requestErrors(path, request, names));
    names.add(name);
    for (const sub of objectsAt(request, 'firstAvailable')) names.add(`${name}/${textAt(sub, 'name')}`);
  }
  for (const part of ['constraints', 'config']) {
    for (const [i, each] of objectsAt(devices, part).entries()) {
      const path = `${field}.${part}[${i}]`;
      const listed = Array.isArray(each['requests']) ? each['requests'].map(String) : [];
      for (const [r, name] of listed.entries()) {
        if (!names.has(name)) errors.push(invalidValue(`${path}.requests[${r}]`, name, REQUEST_TEXT));
      }
      if (part === 'config' && objectAt(each, 'opaque') === undefined) errors.push(requiredValue(`${path}.opaque`));
    }
  }
  return errors;
}

function requestErrors(path: string, request: JsonObject, names: ReadonlySet<string>): FieldError[] {
  const name = textAt(request, 'name');
  const errors = dnsLabel(`${path}.name`, name);
  if (names.has(name)) errors.push(duplicate(path, name));
  const exact = objectAt(request, 'exactly');
  const first = objectsAt(request, 'firstAvailable');
  if (exact === undefined && first.length === 0) return [...errors, requiredValue(path, EXACTLY_ONE)];
  if (exact !== undefined && first.length > 0) {
    return [...errors, invalidValue(path, null, `${EXACTLY_ONE}, but multiple fields are set`)];
  }
  if (exact !== undefined) errors.push(...exactErrors(`${path}.exactly`, exact));
  for (const [i, sub] of first.entries()) {
    const at = `${path}.firstAvailable[${i}]`;
    errors.push(...dnsLabel(`${at}.name`, textAt(sub, 'name')), ...exactErrors(at, sub));
  }
  return errors;
}

function exactErrors(path: string, exact: JsonObject): FieldError[] {
  const deviceClass = textAt(exact, 'deviceClassName');
  const errors =
    deviceClass === ''
      ? [requiredValue(`${path}.deviceClassName`)]
      : dnsSubdomain(`${path}.deviceClassName`, deviceClass);
  errors.push(...selectorErrors(`${path}.selectors`, objectsAt(exact, 'selectors')));
  const mode = textAt(exact, 'allocationMode');
  const count = Number(exact['count'] ?? 0);
  if (mode === 'ExactCount' && count <= 0)
    errors.push(invalidValue(`${path}.count`, count, 'must be greater than zero'));
  else if (mode === 'All' && count !== 0) {
    errors.push(invalidValue(`${path}.count`, count, "must not be specified when allocationMode is 'All'"));
  }
  return [...errors, ...oneOf(`${path}.allocationMode`, mode, ['All', 'ExactCount'])];
}

const SELECTORS_MAX = 32;
const EXPRESSION_BYTES_MAX = 10 * 1024;
const COST_MAX = 1_000_000n;

function selectorErrors(field: string, selectors: readonly JsonObject[]): FieldError[] {
  const errors = selectors.length > SELECTORS_MAX ? [tooMany(field, selectors.length, SELECTORS_MAX)] : [];
  for (const [i, selector] of selectors.slice(0, SELECTORS_MAX).entries()) {
    const cel = objectAt(selector, 'cel');
    if (cel === undefined) errors.push(requiredValue(`${field}[${i}].cel`));
    else errors.push(...conditionErrors(`${field}[${i}].cel.expression`, textAt(cel, 'expression')));
  }
  return errors;
}

/** A condition must compile, and must not be able to cost too much. */
function conditionErrors(field: string, expression: string): FieldError[] {
  if (Buffer.byteLength(expression) > EXPRESSION_BYTES_MAX) {
    return [tooLong(field, `may not be more than ${EXPRESSION_BYTES_MAX} bytes`)];
  }
  const program = compileDeviceCondition(expression);
  if (!('kind' in program)) {
    return program.maxCost > COST_MAX ? [forbiddenField(field, 'too complex, exceeds cost limit')] : [];
  }
  if (program.kind === 'RuleInvalid') return [invalidValue(field, expression, program.message)];
  return [{ reason: 'InternalError', field, message: `Internal error: ${program.message}` }];
}

export function resourceClaimUpdateErrors(claim: JsonObject, old: JsonObject): FieldError[] {
  return immutableSpec(claim, old, 'resource/v1.ResourceClaimSpec');
}

function immutableSpec(object: JsonObject, old: JsonObject, type: string): FieldError[] {
  if (sameJson(object['spec'], old['spec'])) return [];
  return [invalidValue('spec', internalJson(type, object['spec']), 'field is immutable')];
}

export function claimTemplateErrors(template: JsonObject): FieldError[] {
  const spec = specOf(template);
  const devices = objectAt(objectAt(spec, 'spec'), 'devices') ?? {};
  return [
    ...labels('spec.metadata.labels', objectAt(spec, 'metadata')?.['labels']),
    ...claimSpecErrors('spec.spec.devices', devices),
  ];
}

export function claimTemplateUpdateErrors(template: JsonObject, old: JsonObject): FieldError[] {
  if (sameJson(template['spec'], old['spec'])) return [];
  const spec = specOf(template);
  const shown = {
    ...(objectAt(spec, 'metadata') ?? {}),
    Spec: internalJson('resource/v1.ResourceClaimSpec', spec['spec']),
  };
  return [invalidValue('spec', shown, 'field is immutable')];
}

export function deviceClassErrors(deviceClass: JsonObject): FieldError[] {
  const spec = specOf(deviceClass);
  const errors = selectorErrors('spec.selectors', objectsAt(spec, 'selectors'));
  for (const [i, config] of objectsAt(spec, 'config').entries()) {
    if (objectAt(config, 'opaque') === undefined) errors.push(requiredValue(`spec.config[${i}].opaque`));
  }
  return errors;
}

const PLACES = ['nodeName', 'nodeSelector', 'allNodes', 'perDeviceNodeSelection'];
const VALUES = ['int', 'bool', 'string', 'version'];

export function resourceSliceErrors(slice: JsonObject): FieldError[] {
  const spec = specOf(slice);
  const pool = objectAt(spec, 'pool') ?? {};
  const errors: FieldError[] = [];
  const driver = textAt(spec, 'driver');
  errors.push(...(driver === '' ? [requiredValue('spec.driver')] : dnsSubdomain('spec.driver', driver)));
  const name = textAt(pool, 'name');
  if (name === '') errors.push(requiredValue('spec.pool.name'));
  else for (const part of name.split('/')) errors.push(...dnsSubdomain('spec.pool.name', part));
  if (Number(pool['resourceSliceCount'] ?? 0) <= 0) {
    const count = pool['resourceSliceCount'] ?? 0;
    errors.push(invalidValue('spec.pool.resourceSliceCount', count, 'must be greater than zero'));
  }
  if (Number(pool['generation'] ?? 0) < 0) {
    errors.push(invalidValue('spec.pool.generation', pool['generation'], 'must be greater than or equal to zero'));
  }
  errors.push(...placeErrors(spec));
  const names = new Set<string>();
  for (const [i, device] of objectsAt(spec, 'devices').entries()) {
    const path = `spec.devices[${i}]`;
    const deviceName = textAt(device, 'name');
    errors.push(...dnsLabel(`${path}.name`, deviceName));
    if (names.has(deviceName)) errors.push(duplicate(path, deviceName));
    names.add(deviceName);
    errors.push(...attributeErrors(path, objectAt(device, 'attributes') ?? {}));
  }
  return errors;
}

function placeErrors(spec: JsonObject): FieldError[] {
  const given = PLACES.filter((name) => spec[name] !== undefined && spec[name] !== false && spec[name] !== '');
  const rule = `exactly one of ${PLACES.map((name) => `\`${name}\``).join(', ')} is required`;
  if (given.length === 0) return [requiredValue('spec', rule)];
  if (given.length === 1) return [];
  const shown = `{${given.map((name) => `\`${name}\``).join(', ')}}`;
  return [invalidValue('spec', shown, `${rule}, but multiple fields are set`)];
}

function attributeErrors(path: string, attributes: JsonObject): FieldError[] {
  return Object.keys(attributes)
    .sort()
    .flatMap((name) => {
      const attribute: JsonValue | undefined = attributes[name];
      const given = VALUES.filter((value) => objectAt(attributes, name)?.[value] !== undefined);
      if (given.length === 1) return [];
      const field = `${path}.attributes[${name}]`;
      if (given.length === 0) return [invalidValue(field, '', 'exactly one value must be specified')];
      const shown = internalJson('resource/v1.DeviceAttribute', attribute);
      return [invalidValue(field, shown, 'exactly one value must be specified')];
    });
}

export function resourceSliceUpdateErrors(slice: JsonObject, old: JsonObject): FieldError[] {
  const [spec, before] = [specOf(slice), specOf(old)];
  const errors = resourceSliceErrors(slice);
  const poolName = (object: JsonObject): JsonValue | undefined => objectAt(object, 'pool')?.['name'];
  errors.push(...unchanged('spec.driver', spec['driver'], before['driver']));
  errors.push(...unchanged('spec.pool.name', poolName(spec), poolName(before)));
  return [...errors, ...unchanged('spec.nodeName', spec['nodeName'], before['nodeName'])];
}
