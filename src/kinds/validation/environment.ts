import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { invalidValue, requiredValue } from '../object/field-errors.ts';
import type { JsonObject } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';

/** Checks of environment variables and of what they refer to (validateEnv). */

const NAME = /^[\x20-\x3c\x3e-\x7e]+$/;
const NAME_TEXT = "a valid environment variable name must consist only of printable ASCII characters other than '='";
const SOURCES = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'];

const FIELDS = new Set([
  ...['metadata.name', 'metadata.namespace', 'metadata.uid', 'spec.nodeName', 'spec.serviceAccountName'],
  ...['status.hostIP', 'status.podIP', 'status.hostIPs', 'status.podIPs'],
]);
const SUBSCRIPTED = /^metadata\.(?:labels|annotations)\['(.+)'\]$/;

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
    for (const name of given) {
      if (textAt(objectAt(source, name), 'name') === '') errors.push(requiredValue(`${at}.${name}.name`));
    }
    if (given.length === 0) {
      errors.push(invalidValue(at, '', 'must specify one of: `configMapRef` or `secretRef`'));
    } else if (given.length > 1)
      errors.push(invalidValue(at, '', 'may not have more than one field specified at a time'));
  }
  return errors;
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
  if (name === 'fieldRef') return fieldErrors(path, ref);
  if (name === 'resourceFieldRef') return needed('resource');
  if (name === 'fileKeyRef') return [...needed('volumeName'), ...needed('key'), ...needed('path')];
  return [...needed('name'), ...needed('key')];
}

function fieldErrors(path: string, ref: JsonObject): FieldError[] {
  const text = textAt(ref, 'fieldPath');
  if (textAt(ref, 'apiVersion') === '') return [requiredValue(`${path}.apiVersion`)];
  if (text === '') return [requiredValue(`${path}.fieldPath`)];
  if (FIELDS.has(text) || SUBSCRIPTED.test(text)) return [];
  return [invalidValue(`${path}.fieldPath`, text, `error converting fieldPath: field label not supported: ${text}`)];
}
