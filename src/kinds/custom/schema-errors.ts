import { isDeepStrictEqual } from 'node:util';
import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { invalidValue, requiredValue, tooLong, tooMany, unsupportedValue } from '../object/field-errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { hasFormat } from './formats.ts';

/**
 * The problems that a value has with the schema of a custom resource, in the words of the API and in the order of
 * kube-openapi's validators. `old`: the value that stood there before.
 */
export function schemaErrors(value: JsonValue, schema: JsonObject, path: string, old?: JsonValue): FieldError[] {
  // What an update leaves as it was is not checked again.
  if (old !== undefined && isDeepStrictEqual(value, old)) return [];
  if (value === null) return schema['nullable'] === true ? [] : typeErrors(value, schema, path);
  const errors = [...typeErrors(value, schema, path), ...combinationErrors(value, schema, path, old)];
  if (typeof value === 'string') errors.push(...textErrors(value, schema, path), ...formatErrors(value, schema, path));
  if (typeof value === 'number') errors.push(...numberErrors(value, schema, path));
  if (Array.isArray(value)) errors.push(...listErrors(value, schema, path, old));
  errors.push(...enumErrors(value, schema, path));
  return isJsonObject(value) ? [...errors, ...objectErrors(value, schema, path, old)] : errors;
}

function kindOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function typeErrors(value: JsonValue, schema: JsonObject, path: string): FieldError[] {
  const wanted = textAt(schema, 'type');
  const given = kindOf(value);
  if (schema['x-kubernetes-int-or-string'] === true) {
    if (given === 'integer' || given === 'string') return [];
    return [typeError(path, given, 'integer,string')];
  }
  if (wanted === '' || wanted === given || (wanted === 'number' && given === 'integer')) return [];
  const errors = [typeError(path, given, wanted)];
  const isBounded = schema['minimum'] !== undefined || schema['maximum'] !== undefined;
  if (wanted === 'integer' && given === 'number' && isBounded) {
    const message = `Invalid value: "": Checked value must be of type integer (default format) in ${path}`;
    errors.push({ reason: 'FieldValueInvalid', field: '<nil>', message });
  }
  return errors;
}

function typeError(field: string, given: string, wanted: string): FieldError {
  const message = `Invalid value: "${given}": ${field} in body must be of type ${wanted}: "${given}"`;
  return { reason: 'FieldValueTypeInvalid', field, message };
}

function enumErrors(value: JsonValue, schema: JsonObject, path: string): FieldError[] {
  const choices = schema['enum'];
  if (!Array.isArray(choices)) return [];
  const text = JSON.stringify(value);
  if (choices.some((choice) => JSON.stringify(choice) === text)) return [];
  return [
    unsupportedValue(
      path,
      value,
      choices.map((choice) => (typeof choice === 'string' ? choice : JSON.stringify(choice))),
    ),
  ];
}

function formatErrors(value: string, schema: JsonObject, field: string): FieldError[] {
  const format = textAt(schema, 'format');
  if (hasFormat(value, format)) return [];
  const quoted = JSON.stringify(value);
  const message = `Invalid value: ${quoted}: ${field} in body must be of type ${format}: ${quoted}`;
  return [{ reason: 'FieldValueTypeInvalid', field, message }];
}

function numberErrors(value: number, schema: JsonObject, path: string): FieldError[] {
  const { maximum, minimum, multipleOf, exclusiveMaximum, exclusiveMinimum } = schema;
  const errors: FieldError[] = [];
  const add = (why: string): void => {
    errors.push(invalidValue(path, value, `${path} in body should be ${why}`));
  };
  if (typeof maximum === 'number') {
    if (exclusiveMaximum === true && value >= maximum) add(`less than ${maximum}`);
    else if (value > maximum) add(`less than or equal to ${maximum}`);
  }
  if (typeof minimum === 'number') {
    if (exclusiveMinimum === true && value <= minimum) add(`greater than ${minimum}`);
    else if (value < minimum) add(`greater than or equal to ${minimum}`);
  }
  if (typeof multipleOf === 'number' && !Number.isInteger(value / multipleOf)) add(`a multiple of ${multipleOf}`);
  return errors;
}

/** The first thing that is wrong with a text. */
function textErrors(value: string, schema: JsonObject, path: string): FieldError[] {
  const { maxLength, minLength, pattern } = schema;
  const length = [...value].length;
  if (typeof maxLength === 'number' && length > maxLength) {
    return [tooLong(path, `may not be more than ${maxLength} bytes`)];
  }
  if (typeof minLength === 'number' && length < minLength) {
    return [invalidValue(path, value, `${path} in body should be at least ${minLength} chars long`)];
  }
  if (typeof pattern !== 'string' || matches(pattern, value)) return [];
  return [invalidValue(path, value, `${path} in body should match '${pattern}'`)];
}

function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return true;
  }
}

function listErrors(
  value: readonly JsonValue[],
  schema: JsonObject,
  path: string,
  old: JsonValue | undefined,
): FieldError[] {
  const { maxItems, minItems } = schema;
  const items = objectAt(schema, 'items');
  const before = elementsBefore(old, schema);
  const errors = value.flatMap((item, i) =>
    items === undefined ? [] : schemaErrors(item, items, `${path}[${i}]`, before(item)),
  );
  if (typeof maxItems === 'number' && value.length > maxItems) errors.push(tooMany(path, value.length, maxItems));
  if (typeof minItems === 'number' && value.length < minItems) {
    errors.push(invalidValue(path, value.length, `${path} in body should have at least ${minItems} items`));
  }
  return errors;
}

/** Finds the element that stood in the list before: that with the same keys. Elements of other lists have no past. */
export function elementsBefore(
  old: JsonValue | undefined,
  schema: JsonObject,
): (item: JsonValue) => JsonValue | undefined {
  const keys = schema['x-kubernetes-list-map-keys'];
  if (schema['x-kubernetes-list-type'] !== 'map' || !Array.isArray(keys) || !Array.isArray(old)) return () => undefined;
  const textOf = (item: JsonObject): string => JSON.stringify(keys.map((key) => item[String(key)] ?? NO_KEY));
  const byKeys = new Map<string, JsonValue>();
  for (const item of old.toReversed()) if (isJsonObject(item)) byKeys.set(textOf(item), item);
  return (item) => (isJsonObject(item) ? byKeys.get(textOf(item)) : undefined);
}

/** Stands for a key that is absent, which no value is. */
const NO_KEY: JsonValue = [];

function objectErrors(value: JsonObject, schema: JsonObject, path: string, old: JsonValue | undefined): FieldError[] {
  const at = (name: string): string => (path === '' ? name : `${path}.${name}`);
  const count = Object.keys(value).length;
  const { maxProperties, minProperties } = schema;
  if (typeof minProperties === 'number' && count < minProperties) {
    return [invalidValue(path, count, `${path} in body should have at least ${minProperties} properties`)];
  }
  if (typeof maxProperties === 'number' && count > maxProperties) return [tooMany(path, count, maxProperties)];
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
  const errors = required.filter((name) => value[name] === undefined).map((name) => requiredValue(at(name)));
  const properties = objectAt(schema, 'properties') ?? {};
  const additional = objectAt(schema, 'additionalProperties');
  const before = isJsonObject(old) ? old : {};
  for (const name of Object.keys(value).sort()) {
    const property = objectAt(properties, name) ?? additional;
    const member = value[name];
    if (property === undefined || member === undefined) continue;
    errors.push(...schemaErrors(member, property, at(name), before[name]));
  }
  return errors;
}

/** Where choices fail, the problems of the first of them are told as well. */
function combinationErrors(
  value: JsonValue,
  schema: JsonObject,
  path: string,
  old: JsonValue | undefined,
): FieldError[] {
  const errorsOf = (part: JsonObject): FieldError[] => schemaErrors(value, part, path, old);
  const all = (name: string): FieldError[][] => objectsAt(schema, name).map(errorsOf);
  const bad = (why: string): FieldError => ({
    reason: 'FieldValueInvalid',
    field: '<nil>',
    message: `Invalid value: "": ${JSON.stringify(path)} must ${why}`,
  });
  const fits = (found: readonly FieldError[]): boolean => found.length === 0;
  const errors: FieldError[] = [];
  const any = all('anyOf');
  if (any.length > 0 && !any.some(fits)) {
    errors.push(bad('validate at least one schema (anyOf)'), ...(any[0] as FieldError[]));
  }
  const one = all('oneOf');
  const count = one.filter(fits).length;
  if (one.length > 0 && count !== 1) {
    const found = count === 0 ? 'none valid' : `${count} valid alternatives`;
    errors.push(bad(`validate one and only one schema (oneOf). Found ${found}`));
    if (count === 0) errors.push(...(one[0] as FieldError[]));
  }
  const every = all('allOf');
  errors.push(...every.flat());
  if (!every.every(fits)) {
    errors.push(bad(`validate all the schemas (allOf)${every.some(fits) ? '' : '. None validated'}`));
  }
  const not = objectAt(schema, 'not');
  return not !== undefined && fits(errorsOf(not)) ? [...errors, bad('not validate the schema (not)')] : errors;
}
