import { compileDeviceCondition } from '../../cel/device-condition.ts';
import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { forbiddenField, invalidValue, requiredValue, tooLong, unsupportedValue } from '../object/field-errors.ts';
import type { JsonObject } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { dnsLabel, dnsSubdomain, sameJson, templateObjectMetadata } from './checks.ts';
import { isExtended } from './compute-resources.ts';
import { deviceTolerationErrors, fullyQualifiedName, listErrors, rawObjectErrors, setErrors } from './device-names.ts';
import { internalJson } from './internal-json.ts';
import { csiDriverName } from './volume-sources.ts';
import { specOf } from './workloads.ts';

/** Checks of claims to devices, their templates and the classes of devices (pkg/apis/resource/validation). */

const EXACTLY_ONE = 'exactly one of `exactly` or `firstAvailable` is required';
const ONE_ATTRIBUTE = 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set';
const REQUEST_TEXT =
  "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";
const LIST_MAX = 32;
const ALTERNATIVES_MAX = 8;
const MODES = ['All', 'ExactCount'];

export function resourceClaimErrors(claim: JsonObject): FieldError[] {
  return claimSpecErrors('spec.devices', objectAt(specOf(claim), 'devices') ?? {});
}

function claimSpecErrors(field: string, devices: JsonObject): FieldError[] {
  const requests = objectsAt(devices, 'requests');
  const isKnown = requestsOf(requests);
  return [
    ...setErrors(`${field}.requests`, requests, LIST_MAX, requestErrors, nameOf),
    ...listErrors(`${field}.constraints`, objectsAt(devices, 'constraints'), LIST_MAX, (path, constraint) => [
      ...referenceErrors(`${path}.requests`, constraint, isKnown),
      ...constraintErrors(path, constraint),
    ]),
    ...listErrors(`${field}.config`, objectsAt(devices, 'config'), LIST_MAX, (path, config) => [
      ...referenceErrors(`${path}.requests`, config, isKnown),
      ...configErrors(path, config),
    ]),
  ];
}

function nameOf(object: JsonObject): string {
  return textAt(object, 'name');
}

export type NameTest = (name: string) => boolean;

/** Whether a name is that of a request, or of a request and one of its alternatives. */
export function requestsOf(requests: readonly JsonObject[]): NameTest {
  const alternatives = new Map(
    requests.map((request) => [nameOf(request), new Set(objectsAt(request, 'firstAvailable').map(nameOf))]),
  );
  return (text) => {
    const [name = '', alternative, more] = text.split('/');
    const known = alternatives.get(name);
    if (known === undefined || more !== undefined) return false;
    return alternative === undefined || known.has(alternative);
  };
}

/** The problems of the member `requests`, which names requests, at `field`. */
export function referenceErrors(field: string, owner: JsonObject, isKnown: NameTest): FieldError[] {
  const names = Array.isArray(owner['requests']) ? owner['requests'].map(String) : [];
  const check = (path: string, name: string): FieldError[] => requestNameErrors(path, name, isKnown);
  return setErrors(field, names, LIST_MAX, check, (name) => name);
}

export function requestNameErrors(path: string, name: string, isKnown: NameTest): FieldError[] {
  const parts = name.split('/');
  if (parts.length > 2) return [invalidValue(path, name, REQUEST_TEXT)];
  const errors = parts.flatMap((part) => dnsLabel(path, part));
  return isKnown(name) ? errors : [...errors, invalidValue(path, name, REQUEST_TEXT)];
}

function constraintErrors(field: string, constraint: JsonObject): FieldError[] {
  for (const name of ['matchAttribute', 'distinctAttribute']) {
    if (constraint[name] !== undefined) return fullyQualifiedName(`${field}.${name}`, textAt(constraint, name));
  }
  return [requiredValue(field, ONE_ATTRIBUTE)];
}

const PARAMETERS_BYTES_MAX = 10 * 1024;

export function configErrors(field: string, config: JsonObject): FieldError[] {
  const opaque = objectAt(config, 'opaque');
  const at = `${field}.opaque`;
  if (opaque === undefined) return [requiredValue(at)];
  return [
    ...csiDriverName(`${at}.driver`, textAt(opaque, 'driver')),
    ...rawObjectErrors(`${at}.parameters`, opaque['parameters'], PARAMETERS_BYTES_MAX),
  ];
}

function requestErrors(path: string, request: JsonObject): FieldError[] {
  const errors = dnsLabel(`${path}.name`, nameOf(request));
  const exact = objectAt(request, 'exactly');
  const first = objectsAt(request, 'firstAvailable');
  if (exact !== undefined && first.length > 0) {
    return [...errors, invalidValue(path, null, `${EXACTLY_ONE}, but multiple fields are set`)];
  }
  if (exact !== undefined) return [...errors, ...exactErrors(`${path}.exactly`, exact)];
  if (first.length === 0) return [...errors, requiredValue(path, EXACTLY_ONE)];
  const check = (at: string, sub: JsonObject): FieldError[] => [
    ...dnsLabel(`${at}.name`, nameOf(sub)),
    ...exactErrors(at, sub),
  ];
  return [...errors, ...setErrors(`${path}.firstAvailable`, first, ALTERNATIVES_MAX, check, nameOf)];
}

function exactErrors(path: string, exact: JsonObject): FieldError[] {
  const deviceClass = textAt(exact, 'deviceClassName');
  const at = `${path}.deviceClassName`;
  const errors = deviceClass === '' ? [requiredValue(at)] : dnsSubdomain(at, deviceClass);
  errors.push(...selectorErrors(`${path}.selectors`, objectsAt(exact, 'selectors')));
  const mode = textAt(exact, 'allocationMode');
  const count = Number(exact['count'] ?? 0);
  if (!MODES.includes(mode)) errors.push(unsupportedValue(`${path}.allocationMode`, mode, MODES));
  else if (mode === 'ExactCount' && count <= 0) {
    errors.push(invalidValue(`${path}.count`, count, 'must be greater than zero'));
  } else if (mode === 'All' && count !== 0) {
    errors.push(invalidValue(`${path}.count`, count, "must not be specified when allocationMode is 'All'"));
  }
  const tolerations = objectsAt(exact, 'tolerations');
  return [...errors, ...tolerations.flatMap((one, i) => deviceTolerationErrors(`${path}.tolerations[${i}]`, one))];
}

const EXPRESSION_BYTES_MAX = 10 * 1024;
const COST_MAX = 1_000_000n;

function selectorErrors(field: string, selectors: readonly JsonObject[]): FieldError[] {
  return listErrors(field, selectors, LIST_MAX, (path, selector) => {
    const cel = objectAt(selector, 'cel');
    if (cel === undefined) return [requiredValue(`${path}.cel`)];
    return conditionErrors(`${path}.cel.expression`, textAt(cel, 'expression'));
  });
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
    ...templateObjectMetadata('spec.metadata', objectAt(spec, 'metadata')),
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
  const errors = [
    ...selectorErrors('spec.selectors', objectsAt(spec, 'selectors')),
    ...listErrors('spec.config', objectsAt(spec, 'config'), LIST_MAX, configErrors),
  ];
  const name = spec['extendedResourceName'];
  if (typeof name !== 'string' || isExtended(name)) return errors;
  return [...errors, invalidValue('spec.extendedResourceName', name, 'must be a valid extended resource name')];
}
