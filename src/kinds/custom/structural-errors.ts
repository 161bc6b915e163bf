import { regexError } from '../../cel/values/regex.ts';
import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { forbiddenField, invalidValue, requiredValue } from '../object/field-errors.ts';
import { isJsonObject, type JsonObject } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';

/**
 * Whether a schema is structural: whether it says of every part what it is, outside of `allOf` and its like
 * (apiextensions-apiserver/pkg/apiserver/schema/validation.go).
 */
export function structuralErrors(schema: JsonObject, path: string): FieldError[] {
  const errors = invariantErrors(schema, 'root', path);
  const text = ({ field, message }: FieldError): string => `${field}: ${message}`;
  return errors.sort((a, b) => (text(a) < text(b) ? -1 : text(a) > text(b) ? 1 : 0));
}

type Level = 'root' | 'item' | 'field';

const UNTYPED: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};
const EMBEDDED = 'x-kubernetes-embedded-resource';
const INT_OR_STRING = 'x-kubernetes-int-or-string';
const PRESERVE = 'x-kubernetes-preserve-unknown-fields';

function invariantErrors(schema: JsonObject, level: Level, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const items = objectAt(schema, 'items');
  const type = textAt(schema, 'type');
  if (type === 'array' && schema['items'] === undefined)
    errors.push(requiredValue(`${path}.items`, 'must be specified'));
  if (items !== undefined) errors.push(...invariantErrors(items, 'item', `${path}.items`));
  const properties = objectAt(schema, 'properties') ?? {};
  for (const [name, part] of Object.entries(properties)) {
    if (isJsonObject(part)) errors.push(...invariantErrors(part, 'field', `${path}.properties[${name}]`));
  }
  const additional = schema['additionalProperties'];
  if (additional !== undefined && level === 'root') {
    errors.push(forbiddenField(`${path}.additionalProperties`, 'must not be used at the root'));
  }
  if (isJsonObject(additional)) errors.push(...invariantErrors(additional, 'field', `${path}.additionalProperties`));
  errors.push(...extensionErrors(schema, path), ...valueErrors(schema, path), ...typeErrors(schema, level, path));
  if (level === 'root' || schema[EMBEDDED] === true) errors.push(...headErrors(properties, level, path));
  return errors;
}

function typeErrors(schema: JsonObject, level: Level, path: string): FieldError[] {
  const type = textAt(schema, 'type');
  const isEmbedded = schema[EMBEDDED] === true;
  const errors: FieldError[] = [];
  const why = `must be object if ${EMBEDDED} is true`;
  if (isEmbedded && type !== 'object') {
    errors.push(type === '' ? requiredValue(`${path}.type`, why) : invalidValue(`${path}.type`, type, why));
  } else if (type === '' && schema[INT_OR_STRING] !== true && schema[PRESERVE] !== true) {
    errors.push(requiredValue(`${path}.type`, UNTYPED[level]));
  }
  if (isEmbedded && schema['additionalProperties'] !== undefined) {
    errors.push(forbiddenField(`${path}.additionalProperties`, `must not be used if ${EMBEDDED} is set`));
  }
  if (level === 'root' && type !== '' && type !== 'object') {
    errors.push(invalidValue(`${path}.type`, type, 'must be object at the root'));
  }
  const isEmpty = Object.keys(objectAt(schema, 'properties') ?? {}).length === 0;
  if (isEmbedded && schema[PRESERVE] !== true && isEmpty) {
    errors.push(requiredValue(`${path}.properties`, `must not be empty if ${EMBEDDED} is true without ${PRESERVE}`));
  }
  return errors;
}

/** Kind, version and metadata are what they are in every object. */
function headErrors(properties: JsonObject, level: Level, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const name of ['kind', 'apiVersion']) {
    const part = objectAt(properties, name);
    if (part === undefined || textAt(part, 'type') === 'string') continue;
    errors.push(invalidValue(`${path}.properties[${name}].type`, textAt(part, 'type'), 'must be string'));
  }
  const metadata = objectAt(properties, 'metadata');
  if (metadata === undefined) return errors;
  const at = `${path}.properties[metadata]`;
  if (textAt(metadata, 'type') !== 'object') {
    errors.push(invalidValue(`${at}.type`, textAt(metadata, 'type'), 'must be object'));
  }
  if (level !== 'root') return errors;
  const { type: _, default: __, properties: given, ...others } = metadata;
  const names = Object.keys(isJsonObject(given) ? given : {});
  if (names.every((name) => name === 'name' || name === 'generateName') && Object.keys(others).length === 0)
    return errors;
  const why = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
  return [...errors, forbiddenField(at, why)];
}

function extensionErrors(schema: JsonObject, path: string): FieldError[] {
  if (schema[INT_OR_STRING] !== true) return [];
  return [PRESERVE, EMBEDDED]
    .filter((name) => schema[name] === true)
    .map((name) => invalidValue(`${path}.${name}`, true, `must be false if ${INT_OR_STRING} is true`));
}

/** The only choice by which the two types of an int-or-string may be told. */
function isIntOrString(choices: readonly JsonObject[]): boolean {
  const types = choices.map((choice) => (Object.keys(choice).length === 1 ? textAt(choice, 'type') : ''));
  return types.length === 2 && types[0] === 'integer' && types[1] === 'string';
}

function valueErrors(schema: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const junctor of ['anyOf', 'allOf', 'oneOf']) {
    const parts = objectsAt(schema, junctor);
    if (junctor === 'anyOf' && isIntOrString(parts)) continue;
    for (const [i, part] of parts.entries()) {
      const skips = junctor === 'allOf' && i === 0 && isIntOrString(objectsAt(part, 'anyOf'));
      errors.push(...nestedErrors(skips ? withoutAnyOf(part) : part, `${path}.${junctor}[${i}]`));
    }
  }
  const not = objectAt(schema, 'not');
  if (not !== undefined) errors.push(...nestedErrors(not, `${path}.not`));
  return [...errors, ...patternErrors(schema, path)];
}

function withoutAnyOf({ anyOf: _, ...part }: JsonObject): JsonObject {
  return part;
}

const NESTED_FORBIDDEN: readonly (readonly [string, string])[] = [
  ['type', 'must be empty to be structural'],
  ['additionalProperties', 'must be undefined to be structural'],
  ['default', 'must be undefined to be structural'],
  ['title', 'must be empty to be structural'],
  ['description', 'must be empty to be structural'],
  ['nullable', 'must be false to be structural'],
  ['externalDocs', 'must be undefined to be structural'],
  [PRESERVE, 'must be false to be structural'],
  [EMBEDDED, 'must be false to be structural'],
  [INT_OR_STRING, 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural'],
  ['x-kubernetes-list-type', 'must be undefined to be structural'],
  ['x-kubernetes-map-type', 'must be undefined to be structural'],
  ['x-kubernetes-validations', 'must be empty to be structural'],
];

function nestedErrors(schema: JsonObject, path: string): FieldError[] {
  const errors = valueErrors(schema, path);
  const items = objectAt(schema, 'items');
  const properties = objectAt(schema, 'properties') ?? {};
  if (items !== undefined) errors.push(...nestedErrors(items, `${path}.items`));
  for (const [name, part] of Object.entries(properties)) {
    if (isJsonObject(part)) errors.push(...nestedErrors(part, `${path}.properties[${name}]`));
  }
  for (const [name, why] of NESTED_FORBIDDEN) {
    const value = schema[name];
    if (value !== undefined && value !== false && value !== '') errors.push(forbiddenField(`${path}.${name}`, why));
  }
  if (properties['metadata'] !== undefined) {
    errors.push(forbiddenField(`${path}.properties[metadata]`, 'must not be specified in a nested context'));
  }
  return errors;
}

function patternErrors(schema: JsonObject, path: string): FieldError[] {
  const pattern = schema['pattern'];
  if (typeof pattern !== 'string') return [];
  const problem = regexError(pattern);
  if (problem === null) return [];
  return [invalidValue(`${path}.pattern`, pattern, `must be a valid regular expression, but isn't: ${problem}`)];
}
