import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { invalidValue, requiredValue, unsupportedValue } from '../object/field-errors.ts';
import type { JsonObject } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { configKey, dnsSubdomain, dnsSubdomainProblems, qualifiedName } from './checks.ts';

/** Checks of environment variables and of what they refer to (validateEnv). */

const NAME = /^[\x20-\x3c\x3e-\x7e]+$/;
const NAME_TEXT = "a valid environment variable name must consist only of printable ASCII characters other than '='";
const SOURCES = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'];

const ENVIRONMENT_FIELDS = [
  ...['metadata.name', 'metadata.namespace', 'metadata.uid', 'spec.nodeName', 'spec.serviceAccountName'],
  ...['status.hostIP', 'status.hostIPs', 'status.podIP', 'status.podIPs'],
];
export const VOLUME_FIELDS = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];
/** All fields that can be referred to (ConvertDownwardAPIFieldLabel). */
const FIELDS = new Set([
  ...ENVIRONMENT_FIELDS,
  ...VOLUME_FIELDS,
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
]);
const SUBSCRIPTED = /^metadata\.(labels|annotations)\['(.*)'\]$/;

export function environmentErrors(path: string, container: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  for (const [i, variable] of objectsAt(container, 'env').entries()) {
    const at = `${path}.env[${i}]`;
    const name = textAt(variable, 'name');
    if (name === '') errors.push(requiredValue(`${at}.name`));
    else if (!NAME.test(name)) errors.push(invalidValue(`${at}.name`, name, NAME_TEXT));
    errors.push(...sourceErrors(`${at}.valueFrom`, variable));
  }
  for (const [i, source] of objectsAt(container, 'envFrom').entries()) {
    const at = `${path}.envFrom[${i}]`;
    const prefix = textAt(source, 'prefix');
    if (prefix !== '' && !NAME.test(prefix)) errors.push(invalidValue(`${at}.prefix`, prefix, NAME_TEXT));
    const given = ['configMapRef', 'secretRef'].filter((name) => objectAt(source, name) !== undefined);
    for (const ref of given) {
      const name = textAt(objectAt(source, ref), 'name');
      errors.push(...(name === '' ? [requiredValue(`${at}.${ref}.name`)] : namePrefix(`${at}.${ref}.name`, name)));
    }
    // Upstream names the list here, and not its entry.
    const list = `${path}.envFrom`;
    if (given.length === 0) {
      errors.push(invalidValue(list, '', 'must specify one of: `configMapRef` or `secretRef`'));
    } else if (given.length > 1)
      errors.push(invalidValue(list, '', 'may not have more than one field specified at a time'));
  }
  return errors;
}

/** Checks a name that may be the beginning of one, so that it may end in a dash. */
function namePrefix(field: string, name: string): FieldError[] {
  const whole = name.length > 1 && name.endsWith('-') ? `${name.slice(0, -1)}a` : name;
  return dnsSubdomainProblems(whole).map((why) => invalidValue(field, name, why));
}

function sourceErrors(field: string, variable: JsonObject): FieldError[] {
  const from = objectAt(variable, 'valueFrom');
  if (from === undefined) return [];
  const errors: FieldError[] = [];
  const given = SOURCES.filter((name) => objectAt(from, name) !== undefined);
  for (const name of given) errors.push(...refErrors(`${field}.${name}`, name, objectAt(from, name)!));
  if (given.length === 0) {
    const list = SOURCES.slice(0, -1).map((name) => `\`${name}\``);
    errors.push(invalidValue(field, '', `must specify one of: ${list.join(', ')} or \`fileKeyRef\``));
  } else if (textAt(variable, 'value') !== '') {
    errors.push(invalidValue(field, '', 'may not be specified when `value` is not empty'));
  } else if (given.length > 1) {
    errors.push(invalidValue(field, '', 'may not have more than one field specified at a time'));
  }
  return errors;
}

function refErrors(path: string, name: string, ref: JsonObject): FieldError[] {
  const needed = (member: string): FieldError[] =>
    textAt(ref, member) === '' ? [requiredValue(`${path}.${member}`)] : [];
  if (name === 'fieldRef') return fieldRefErrors(path, ref, ENVIRONMENT_FIELDS);
  if (name === 'resourceFieldRef') return resourceRefErrors(path, ref, false);
  if (name === 'fileKeyRef') return [...needed('volumeName'), ...needed('key'), ...needed('path')];
  const key = textAt(ref, 'key');
  return [
    ...dnsSubdomain(`${path}.name`, textAt(ref, 'name')),
    ...(key === '' ? [requiredValue(`${path}.key`)] : configKey(`${path}.key`, key)),
  ];
}

/** Checks a reference to a field of the pod, which must be a supported one (validateObjectFieldSelector). */
export function fieldRefErrors(path: string, ref: JsonObject, supported: readonly string[]): FieldError[] {
  const text = textAt(ref, 'fieldPath');
  if (textAt(ref, 'apiVersion') === '') return [requiredValue(`${path}.apiVersion`)];
  if (text === '') return [requiredValue(`${path}.fieldPath`)];
  const version = textAt(ref, 'apiVersion');
  if (version !== 'v1') {
    const why = `error converting fieldPath: unsupported pod version: ${version}`;
    return [invalidValue(`${path}.fieldPath`, text, why)];
  }
  const [, part, key = ''] = SUBSCRIPTED.exec(text) ?? [];
  if (part !== undefined) return qualifiedName(path, part === 'annotations' ? key.toLowerCase() : key);
  if (!FIELDS.has(text)) {
    const [whole] = text.split('[');
    const isPart = text.includes("['") && text.endsWith("']");
    const what = isPart ? `field label does not support subscript: ${whole}` : `field label not supported: ${text}`;
    return [invalidValue(`${path}.fieldPath`, text, `error converting fieldPath: ${what}`)];
  }
  return supported.includes(text) ? [] : [unsupportedValue(`${path}.fieldPath`, text, supported)];
}

const RESOURCES = ['cpu', 'ephemeral-storage', 'memory'];
const RESOURCE_FIELDS = ['limits', 'requests'].flatMap((part) => RESOURCES.map((name) => `${part}.${name}`));
const BYTE_DIVISORS = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];

/** Checks a reference to an amount of a container (validateContainerResourceFieldSelector). */
export function resourceRefErrors(path: string, ref: JsonObject, isVolume: boolean): FieldError[] {
  const resource = textAt(ref, 'resource');
  const isPages = /^(?:limits|requests)\.hugepages-/.test(resource);
  const errors: FieldError[] = [];
  if (isVolume && textAt(ref, 'containerName') === '') errors.push(requiredValue(`${path}.containerName`));
  else if (resource === '') errors.push(requiredValue(`${path}.resource`));
  else if (!RESOURCE_FIELDS.includes(resource) && !isPages) {
    errors.push(unsupportedValue(`${path}.resource`, resource, RESOURCE_FIELDS));
  }
  const divisor = String(ref['divisor'] ?? '0');
  if (divisor === '0') return errors;
  const refuse = (values: string, what: string): FieldError =>
    invalidValue(
      `${path}.divisor`,
      resource,
      `only divisor's values ${values} are supported with the ${what} resource`,
    );
  if (resource.endsWith('.cpu') && RESOURCE_FIELDS.includes(resource)) {
    if (!['1m', '1'].includes(divisor)) errors.push(refuse('1m and 1', 'cpu'));
  } else if ((RESOURCE_FIELDS.includes(resource) || isPages) && !BYTE_DIVISORS.includes(divisor)) {
    const what = isPages ? 'hugepages' : resource.endsWith('.memory') ? 'memory' : 'local ephemeral storage';
    errors.push(refuse(BYTE_DIVISORS.join(', '), what));
  }
  return errors;
}
