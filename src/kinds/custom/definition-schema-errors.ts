import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { forbiddenField, invalidValue, requiredValue, unsupportedValue } from '../object/field-errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { checkRuleDefinitions, type RuleCost, type RulePlace, totalCostErrors } from './rule-definition-errors.ts';
import { schemaErrors } from './schema-errors.ts';
import { mostElements } from './schema-sizes.ts';
import { structuralErrors } from './structural-errors.ts';

/**
 * Problems of the schema that a definition states (ValidateCustomResourceDefinitionOpenAPISchema and its kin in
 * apiextensions-apiserver).
 */
export function schemaDefinitionErrors(schema: JsonObject, path: string, hasStatus: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const type = textAt(schema, 'type');
  if (hasStatus && type !== '' && type !== 'object') {
    const why = 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    errors.push(invalidValue(`${path}.type`, type, why));
  }
  if (schema['nullable'] === true)
    errors.push(forbiddenField(`${path}.nullable`, 'nullable cannot be true at the root'));
  const structural = structuralErrors(schema, path);
  const basic = structural.length === 0 ? defaultErrors(schema, path) : structural;
  // Rules are compiled when the schema says what everything is.
  const checksRules = basic.length === 0;
  errors.push(...basic);
  const found = partErrors(schema, { path, isRoot: true, count: 1 });
  errors.push(...found.schema, ...(checksRules ? found.rules : []));
  return checksRules ? [...errors, ...totalCostErrors(found.costs, path)] : errors;
}

interface Found {
  readonly schema: FieldError[];
  readonly rules: FieldError[];
  readonly costs: RuleCost[];
}

function partErrors(schema: JsonObject, where: RulePlace): Found {
  const { path, count } = where;
  const found: Found = { schema: standardErrors(schema, path), rules: [], costs: [] };
  const descend = (part: JsonObject, below: string, times = 1): void => {
    const errors = partErrors(part, { path: `${path}.${below}`, isRoot: false, count: count * times });
    found.schema.push(...errors.schema);
    found.rules.push(...errors.rules);
    found.costs.push(...errors.costs);
  };
  if (schema['uniqueItems'] === true) {
    const why = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    found.schema.push(forbiddenField(`${path}.uniqueItems`, why));
  }
  const properties = objectAt(schema, 'properties') ?? {};
  const additional = schema['additionalProperties'];
  if (additional !== undefined) {
    if (Object.keys(properties).length > 0 && additional !== true) {
      const why = 'additionalProperties and properties are mutual exclusive';
      found.schema.push(forbiddenField(`${path}.additionalProperties`, why));
    }
    if (isJsonObject(additional)) descend(additional, 'additionalProperties', mostElements(schema));
  }
  for (const [name, part] of Object.entries(properties)) if (isJsonObject(part)) descend(part, `properties[${name}]`);
  if (isJsonObject(schema['not'])) descend(schema['not'], 'not');
  for (const junctor of ['allOf', 'oneOf', 'anyOf']) {
    for (const [i, part] of objectsAt(schema, junctor).entries()) descend(part, `${junctor}[${i}]`);
  }
  if (isJsonObject(schema['items'])) descend(schema['items'], 'items', mostElements(schema));
  found.schema.push(...extensionErrors(schema, path));
  if (found.schema.length > 0) return found;
  const { errors, costs } = checkRuleDefinitions(schema, where);
  found.rules.push(...errors);
  found.costs.push(...costs);
  return found;
}

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const UNSUPPORTED = ['id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref'];

function standardErrors(schema: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const type = textAt(schema, 'type');
  if (type !== '' && !TYPES.includes(type)) errors.push(unsupportedValue(`${path}.type`, type, TYPES));
  for (const name of UNSUPPORTED) {
    const value = schema[name];
    const isEmpty = isJsonObject(value) && Object.keys(value).length === 0 && name !== 'additionalItems';
    if (value === undefined || value === '' || isEmpty) continue;
    errors.push(forbiddenField(`${path}.${name}`, `${name} is not supported`));
  }
  if (type === 'null') {
    errors.push(forbiddenField(`${path}.type`, 'type cannot be set to null, use nullable as an alternative'));
  }
  if (Array.isArray(schema['items'])) {
    errors.push(forbiddenField(`${path}.items`, 'items must be a schema object and not an array'));
  }
  return errors;
}

const LIST_TYPE = 'x-kubernetes-list-type';
const MAP_TYPE = 'x-kubernetes-map-type';
const MAP_KEYS = 'x-kubernetes-list-map-keys';
const PRESERVE = 'x-kubernetes-preserve-unknown-fields';

function typeNeeded(schema: JsonObject, path: string, wanted: string, extension: string): FieldError[] {
  const type = textAt(schema, 'type');
  if (schema[extension] === undefined || type === wanted) return [];
  const why = `must be ${wanted} if ${extension} is specified`;
  return [type === '' ? requiredValue(`${path}.type`, why) : invalidValue(`${path}.type`, type, why)];
}

function extensionErrors(schema: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const listType = schema[LIST_TYPE];
  if (schema[PRESERVE] === false) errors.push(invalidValue(`${path}.${PRESERVE}`, false, 'must be true or undefined'));
  errors.push(...typeNeeded(schema, path, 'object', MAP_TYPE));
  const one = (name: string, choices: readonly string[]): void => {
    const value = schema[name];
    if (typeof value !== 'string' || choices.includes(value)) return;
    errors.push(unsupportedValue(`${path}.${name}`, value, choices));
  };
  one(MAP_TYPE, ['atomic', 'granular']);
  errors.push(...typeNeeded(schema, path, 'array', LIST_TYPE));
  const items = objectAt(schema, 'items');
  if (listType === 'set' && textAt(schema, 'type') === 'array' && items !== undefined) {
    errors.push(...setItemErrors(items, `${path}.items`));
  }
  one(LIST_TYPE, ['atomic', 'map', 'set']);
  const keys = Array.isArray(schema[MAP_KEYS]) ? schema[MAP_KEYS].map(String) : [];
  if (keys.length > 0 && listType !== 'map') {
    const why = `must be map if ${MAP_KEYS} is non-empty`;
    const field = `${path}.${LIST_TYPE}`;
    errors.push(listType === undefined ? requiredValue(field, why) : invalidValue(field, listType, why));
  }
  if (listType === 'map') errors.push(...mapListErrors(items, keys, path));
  if ((listType === 'set' || listType === 'map') && items?.['nullable'] === true) {
    errors.push(forbiddenField(`${path}.items.nullable`, `cannot be nullable when ${LIST_TYPE} is ${listType}`));
  }
  return errors;
}

function setItemErrors(items: JsonObject, path: string): FieldError[] {
  const check = (extension: string, isWrong: boolean): FieldError[] => {
    const why = `must be atomic as item of a list with ${LIST_TYPE}=set`;
    return isWrong ? [invalidValue(`${path}.${extension}`, items[extension] ?? null, why)] : [];
  };
  if (textAt(items, 'type') === 'array') {
    return check(LIST_TYPE, items[LIST_TYPE] !== undefined && items[LIST_TYPE] !== 'atomic');
  }
  return textAt(items, 'type') === 'object' ? check(MAP_TYPE, items[MAP_TYPE] !== 'atomic') : [];
}

function mapListErrors(items: JsonObject | undefined, keys: readonly string[], path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (keys.length === 0) {
    errors.push(requiredValue(`${path}.${MAP_KEYS}`, `must not be empty if ${LIST_TYPE} is map`));
  }
  if (items === undefined)
    return [...errors, requiredValue(`${path}.items`, `must have a schema if ${LIST_TYPE} is map`)];
  const type = textAt(items, 'type');
  if (type !== 'object') {
    const why = `must be object if parent array's ${LIST_TYPE} is map`;
    return [...errors, invalidValue(`${path}.items.type`, type, why)];
  }
  const properties = objectAt(items, 'properties') ?? {};
  const required = Array.isArray(items['required']) ? items['required'] : [];
  const seen = new Set<string>();
  for (const key of keys) {
    const property = objectAt(properties, key);
    const keyType = textAt(property ?? {}, 'type');
    if (property === undefined) {
      errors.push(invalidValue(`${path}.${MAP_KEYS}`, [...keys], 'entries must all be names of item properties'));
    } else if (keyType === 'array' || keyType === 'object') {
      const why = `must be a scalar type if parent array's ${LIST_TYPE} is map`;
      errors.push(invalidValue(`${path}.items.properties[${key}].type`, type, why));
    }
    if (seen.has(key))
      errors.push(invalidValue(`${path}.${MAP_KEYS}`, [...keys], 'must not contain duplicate entries'));
    seen.add(key);
  }
  for (const key of keys) {
    const property = objectAt(properties, key);
    const at = `${path}.items.properties[${key}]`;
    const isGiven = property === undefined || property['default'] !== undefined || required.includes(key);
    const why = `this property is in ${MAP_KEYS}, so it`;
    if (!isGiven) errors.push(requiredValue(`${at}.default`, `${why} must have a default or be a required property`));
    if (property?.['nullable'] === true) errors.push(forbiddenField(`${at}.nullable`, `${why} cannot be nullable`));
  }
  return errors;
}

/** Defaults that the schema itself would refuse. */
function defaultErrors(schema: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const preset: JsonValue | undefined = schema['default'];
  if (preset !== undefined) {
    for (const error of schemaErrors(preset, schema, '')) {
      const below = error.field === '' || error.field === '<nil>' ? '' : `.${error.field}`;
      errors.push({ ...error, field: `${path}.default${below}` });
    }
  }
  for (const [name, part] of Object.entries(objectAt(schema, 'properties') ?? {})) {
    if (isJsonObject(part)) errors.push(...defaultErrors(part, `${path}.properties[${name}]`));
  }
  for (const name of ['items', 'additionalProperties']) {
    const part = objectAt(schema, name);
    if (part !== undefined) errors.push(...defaultErrors(part, `${path}.${name}`));
  }
  return errors;
}
