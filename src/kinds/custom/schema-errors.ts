import { objectAt, textAt } from '../defaults/members.ts';
import { invalidValue, requiredValue, unsupportedValue } from '../object/field-errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { duplicate } from '../validation/checks.ts';

/**
 * The problems that a value has with the schema of a custom resource, in the words of the API (kube-openapi's
 * validation, and listtype of apiextensions-apiserver).
 */
export function schemaErrors(value: JsonValue, schema: JsonObject, path: string): FieldError[] {
  if (value === null) return schema['nullable'] === true ? [] : typeErrors(value, schema, path);
  const errors = typeErrors(value, schema, path);
  if (errors.length > 0) return errors;
  errors.push(...enumErrors(value, schema, path), ...formatErrors(value, schema, path));
  if (typeof value === 'number') errors.push(...numberErrors(value, schema, path));
  if (typeof value === 'string') errors.push(...textErrors(value, schema, path));
  if (Array.isArray(value)) errors.push(...listErrors(value, schema, path));
  else if (isJsonObject(value)) errors.push(...objectErrors(value, schema, path));
  return [...errors, ...combinationErrors(value, schema, path)];
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

const FORMATS: Readonly<Record<string, RegExp>> = {
  'date-time': /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/,
  date: /^\d{4}-\d\d-\d\d$/,
  uuid: /^[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12}$/,
  ipv4: /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/,
  email: /^[^@\s]+@[^@\s]+$/,
  byte: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
  duration: /^(\d+(\.\d+)?(ns|us|µs|ms|s|m|h|d|w))+$/,
};

function formatErrors(value: JsonValue, schema: JsonObject, field: string): FieldError[] {
  const format = textAt(schema, 'format');
  const form = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  if (form === undefined || typeof value !== 'string' || form.test(value)) return [];
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

function textErrors(value: string, schema: JsonObject, path: string): FieldError[] {
  const { maxLength, minLength, pattern } = schema;
  const errors: FieldError[] = [];
  const length = [...value].length;
  if (typeof maxLength === 'number' && length > maxLength) {
    errors.push({
      reason: 'FieldValueTooLong',
      field: path,
      message: `Too long: may not be more than ${maxLength} bytes`,
    });
  }
  if (typeof minLength === 'number' && length < minLength) {
    errors.push(invalidValue(path, value, `${path} in body should be at least ${minLength} chars long`));
  }
  if (typeof pattern === 'string' && !matches(pattern, value)) {
    errors.push(invalidValue(path, value, `${path} in body should match '${pattern}'`));
  }
  return errors;
}

function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return true;
  }
}

function listErrors(value: readonly JsonValue[], schema: JsonObject, path: string): FieldError[] {
  const { maxItems, minItems } = schema;
  const errors: FieldError[] = [];
  const items = objectAt(schema, 'items');
  if (items !== undefined) errors.push(...value.flatMap((item, i) => schemaErrors(item, items, `${path}[${i}]`)));
  if (typeof maxItems === 'number' && value.length > maxItems) {
    const message = `Too many: ${value.length}: must have at most ${maxItems} items`;
    errors.push({ reason: 'FieldValueTooMany', field: path, message });
  }
  if (typeof minItems === 'number' && value.length < minItems) {
    errors.push(invalidValue(path, value.length, `${path} in body should have at least ${minItems} items`));
  }
  return [...errors, ...repeatedErrors(value, schema, path)];
}

/** Items of sets and of lists with keys may stand in a list once. */
function repeatedErrors(value: readonly JsonValue[], schema: JsonObject, path: string): FieldError[] {
  const kind = schema['x-kubernetes-list-type'];
  const keys = schema['x-kubernetes-list-map-keys'];
  if (kind !== 'set' && kind !== 'map') return [];
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  const items = objectAt(objectAt(schema, 'items'), 'properties') ?? {};
  for (const [i, item] of value.entries()) {
    let name: JsonValue = item;
    if (kind === 'map' && Array.isArray(keys) && isJsonObject(item)) {
      const found: JsonObject = {};
      for (const key of keys.map(String)) {
        const part = item[key] ?? objectAt(items, key)?.['default'];
        if (part !== undefined) found[key] = part;
      }
      name = found;
    }
    const text = JSON.stringify(name);
    if (seen.has(text)) errors.push(duplicate(`${path}[${i}]`, name));
    seen.add(text);
  }
  return errors;
}

function objectErrors(value: JsonObject, schema: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const at = (name: string): string => (path === '' ? name : `${path}.${name}`);
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
  for (const name of required) if (value[name] === undefined) errors.push(requiredValue(at(name)));
  const count = Object.keys(value).length;
  const { maxProperties, minProperties } = schema;
  if (typeof maxProperties === 'number' && count > maxProperties) {
    const message = `Too many: ${count}: must have at most ${maxProperties} items`;
    errors.push({ reason: 'FieldValueTooMany', field: path, message });
  }
  if (typeof minProperties === 'number' && count < minProperties) {
    errors.push(invalidValue(path, count, `${path} in body should have at least ${minProperties} properties`));
  }
  const properties = objectAt(schema, 'properties') ?? {};
  const additional = objectAt(schema, 'additionalProperties');
  for (const name of Object.keys(value).sort()) {
    const property = objectAt(properties, name) ?? additional;
    const member = value[name];
    if (property !== undefined && member !== undefined) errors.push(...schemaErrors(member, property, at(name)));
  }
  return errors;
}

function combinationErrors(value: JsonValue, schema: JsonObject, path: string): FieldError[] {
  const parts = (name: string): JsonObject[] => {
    const list = schema[name];
    return Array.isArray(list) ? list.filter(isJsonObject) : [];
  };
  const fits = (part: JsonObject): boolean => schemaErrors(value, part, path).length === 0;
  const bad = (why: string): FieldError => ({
    reason: 'FieldValueInvalid',
    field: path,
    message: `Invalid value: "": ${JSON.stringify(path)} must ${why}`,
  });
  const errors = parts('allOf').flatMap((part) => schemaErrors(value, part, path));
  const any = parts('anyOf');
  if (any.length > 0 && !any.some(fits)) errors.push(bad('validate at least one schema (anyOf)'));
  const one = parts('oneOf');
  const count = one.filter(fits).length;
  if (one.length > 0 && count !== 1) {
    const found = count === 0 ? 'none valid' : `${count} valid alternatives`;
    errors.push(bad(`validate one and only one schema (oneOf). Found ${found}`));
  }
  const not = objectAt(schema, 'not');
  if (not !== undefined && fits(not)) errors.push(bad('not validate the schema (not)'));
  return errors;
}
