import { labelKeyProblems, labelValueProblems } from '../../api/label-syntax.ts';
import { textAt } from '../defaults/members.ts';
import { invalidValue, requiredValue, tooLong, tooMany } from '../object/field-errors.ts';
import type { JsonObject, JsonValue } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { dnsSubdomain, duplicate, oneOf } from './checks.ts';
import { csiDriverName } from './volume-sources.ts';

/** Checks that claims and slices of devices share (pkg/apis/resource/validation). */

const POOL_LENGTH_MAX = 253;
const ID_LENGTH_MAX = 32;
const IDENTIFIER = '[A-Za-z_][A-Za-z0-9_]*';
const IDENTIFIER_TEXT =
  "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters " +
  `or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '${IDENTIFIER}')`;
const EFFECTS = ['NoExecute', 'NoSchedule', 'None'];

/** The entries of a list. Of too many entries only their number is told. */
export function listErrors<Entry>(
  field: string,
  list: readonly Entry[],
  max: number,
  check: (path: string, entry: Entry) => FieldError[],
): FieldError[] {
  if (list.length > max) return [tooMany(field, list.length, max)];
  return list.flatMap((entry, i) => check(`${field}[${i}]`, entry));
}

/** The entries of a list, each with a key of its own: what repeats a key is told after all entries. */
export function setErrors<Entry>(
  field: string,
  list: readonly Entry[],
  max: number,
  check: (path: string, entry: Entry) => FieldError[],
  keyOf: (entry: Entry) => string,
): FieldError[] {
  const errors = listErrors(field, list, max, check);
  if (list.length > max) return errors;
  const keys = list.map(keyOf);
  return [...errors, ...keys.flatMap((key, i) => (keys.indexOf(key) < i ? [duplicate(`${field}[${i}]`, key)] : []))];
}

export function poolErrors(field: string, name: string): FieldError[] {
  if (name === '') return [requiredValue(field)];
  const isLong = Buffer.byteLength(name) > POOL_LENGTH_MAX;
  const errors = isLong ? [tooLong(field, `may not be more than ${POOL_LENGTH_MAX} bytes`)] : [];
  return [...errors, ...name.split('/').flatMap((part) => dnsSubdomain(field, part))];
}

/** A name of an attribute or of a capacity, with or without the domain of a driver. */
export function deviceQualifiedName(field: string, name: string): FieldError[] {
  const parts = name.split('/');
  const [first = '', second = ''] = parts;
  if (parts.length === 1) return identifierErrors(field, first);
  // Upstream accepts names with more parts.
  if (parts.length > 2) return [];
  return [
    ...(first === '' ? [invalidValue(field, '', 'the domain must not be empty')] : csiDriverName(field, first)),
    ...(second === '' ? [invalidValue(field, '', 'the name must not be empty')] : identifierErrors(field, second)),
  ];
}

export function fullyQualifiedName(field: string, name: string): FieldError[] {
  const errors = deviceQualifiedName(field, name);
  if (name.includes('/')) return errors;
  const why = 'a fully qualified name must be a domain and a name separated by a slash';
  return [...errors, invalidValue(field, name, why)];
}

function identifierErrors(field: string, id: string): FieldError[] {
  const isLong = Buffer.byteLength(id) > ID_LENGTH_MAX;
  const errors = isLong ? [tooLong(field, `may not be more than ${ID_LENGTH_MAX} bytes`)] : [];
  return new RegExp(`^${IDENTIFIER}$`).test(id) ? errors : [...errors, invalidValue(field, id, IDENTIFIER_TEXT)];
}

function labelName(field: string, name: string): FieldError[] {
  return labelKeyProblems(name).map((why) => invalidValue(field, name, why));
}

function labelValue(field: string, value: string): FieldError[] {
  return labelValueProblems(value).map((why) => invalidValue(field, value, why));
}

export function deviceTaintErrors(field: string, taint: JsonObject): FieldError[] {
  return [
    ...labelName(`${field}.key`, textAt(taint, 'key')),
    ...labelValue(`${field}.value`, textAt(taint, 'value')),
    ...oneOf(`${field}.effect`, taint['effect'], EFFECTS, true),
  ];
}

export function deviceTolerationErrors(field: string, toleration: JsonObject): FieldError[] {
  const [key, operator, value] = ['key', 'operator', 'value'].map((name) => textAt(toleration, name));
  const errors = key === '' ? [] : labelName(`${field}.key`, key as string);
  if (operator === 'Exists') {
    if (value !== '') errors.push(invalidValue(`${field}.value`, value, 'must be empty for operator `Exists`'));
  } else if (operator === 'Equal') errors.push(...labelValue(`${field}.value`, value as string));
  else errors.push(...oneOf(`${field}.operator`, operator, ['Equal', 'Exists'], true));
  return [...errors, ...oneOf(`${field}.effect`, toleration['effect'], EFFECTS)];
}

/** An object of any form, as JSON. */
export function rawObjectErrors(field: string, value: JsonValue | undefined, bytesMax: number): FieldError[] {
  if (value === undefined || value === null) return [requiredValue(field)];
  if (Buffer.byteLength(JSON.stringify(value)) > bytesMax) {
    return [tooLong(field, `may not be more than ${bytesMax} bytes`)];
  }
  if (typeof value === 'object' && !Array.isArray(value)) return [];
  return [invalidValue(field, '<value omitted>', 'must be a valid JSON object')];
}

/** The conditions that a device waits for, or fails with: both or none. */
export function bindingErrors(field: string, device: JsonObject): FieldError[] {
  const [wanted, failures] = ['bindingConditions', 'bindingFailureConditions'].map((name) => {
    const list = device[name];
    return Array.isArray(list) ? list.map(String) : [];
  }) as [string[], string[]];
  const [at, failuresAt] = [`${field}.bindingConditions`, `${field}.bindingFailureConditions`];
  const errors = [
    ...listErrors(at, wanted, BINDING_CONDITIONS_MAX, labelName),
    ...listErrors(failuresAt, failures, BINDING_CONDITIONS_MAX, labelName),
  ];
  for (const [i, name] of wanted.entries()) if (wanted.indexOf(name) < i) errors.push(duplicate(`${at}[${i}]`, name));
  for (const [i, name] of failures.entries()) {
    if (failures.indexOf(name) < i) errors.push(duplicate(`${failuresAt}[${i}]`, name));
    if (!wanted.includes(name)) continue;
    const why = 'bindingFailureConditions must not overlap with bindingConditions';
    errors.push(invalidValue(`${failuresAt}[${i}]`, name, why));
  }
  if (wanted.length === 0 && failures.length > 0) {
    const why = 'bindingConditions are required to use bindingFailureConditions';
    errors.push(invalidValue(at, device['bindingConditions'] ?? null, why));
  }
  if (failures.length > 0 || wanted.length === 0) return errors;
  const why = 'bindingFailureConditions are required to use bindingConditions';
  return [...errors, invalidValue(failuresAt, device['bindingFailureConditions'] ?? null, why)];
}

const BINDING_CONDITIONS_MAX = 4;
