import { type MergeType, SCALAR_TYPES, UNTYPED, UNTYPED_SCALAR } from '../apply/merge-type.ts';
import { objectAt, textAt } from '../defaults/members.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../object/json.ts';
import { setMember } from '../schema/decode.ts';

/** What a structural schema of a custom resource does to values: pruning, defaults, and how they are merged. */

/** Removes members that the schema does not know, and notes their paths. */
export function prune(value: JsonValue, schema: JsonObject | undefined, path: string, unknown: string[]): JsonValue {
  if (schema === undefined) return value;
  if (Array.isArray(value)) {
    const items = objectAt(schema, 'items');
    return value.map((item, i) => prune(item, items, `${path}[${i}]`, unknown));
  }
  if (!isJsonObject(value)) return value;
  const properties = objectAt(schema, 'properties') ?? {};
  const additional = schema['additionalProperties'];
  const keepsAll = schema['x-kubernetes-preserve-unknown-fields'] === true || additional === true;
  const result: JsonObject = {};
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const memberPath = path === '' ? name : `${path}.${name}`;
    const known = objectAt(properties, name) ?? (isJsonObject(additional) ? additional : undefined);
    const isHead = schema['x-kubernetes-embedded-resource'] === true && HEAD.has(name);
    if (known === undefined && !keepsAll && !isHead) unknown.push(memberPath);
    else setMember(result, name, prune(member, known, memberPath, unknown));
  }
  return result;
}

const HEAD: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** Removes members that are null in place, where the schema has neither nulls nor a default. */
export function dropNulls(value: JsonValue | undefined, schema: JsonObject | undefined): void {
  if (schema === undefined || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) dropNulls(item, objectAt(schema, 'items'));
    return;
  }
  const properties = objectAt(schema, 'properties') ?? {};
  const additional = objectAt(schema, 'additionalProperties');
  for (const name of Object.keys(value)) {
    const part = objectAt(properties, name) ?? additional;
    const isWanted = part === undefined || part['nullable'] === true || part['default'] !== undefined;
    if (value[name] === null && !isWanted) delete value[name];
    else dropNulls(value[name], part);
  }
}

/** Fills in defaults in place; a null where null is not allowed counts as absent. */
export function fillDefaults(value: JsonValue | undefined, schema: JsonObject | undefined): void {
  if (schema === undefined || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    const items = objectAt(schema, 'items');
    for (const [i, item] of value.entries()) {
      if (item === null && hasOwnDefault(items)) value[i] = structuredClone(items?.['default'] as JsonValue);
      fillDefaults(value[i], items);
    }
    return;
  }
  const properties = objectAt(schema, 'properties') ?? {};
  for (const name of Object.keys(properties)) {
    const property = objectAt(properties, name);
    const preset = property?.['default'];
    if (preset === undefined) continue;
    const isAbsent = value[name] === undefined || (value[name] === null && hasOwnDefault(property));
    if (isAbsent) setMember(value, name, structuredClone(preset));
  }
  const additional = objectAt(schema, 'additionalProperties');
  for (const name of Object.keys(value)) {
    const property = objectAt(properties, name);
    if (property === undefined && value[name] === null && hasOwnDefault(additional)) {
      setMember(value, name, structuredClone(additional?.['default'] as JsonValue));
    }
    fillDefaults(value[name], property ?? additional);
  }
}

/** Whether a default takes the place of null. */
function hasOwnDefault(schema: JsonObject | undefined): boolean {
  return schema?.['default'] !== undefined && schema['nullable'] !== true;
}

const mergeTypes = new WeakMap<JsonObject, MergeType>();

/** How server-side apply merges values of the schema. */
export function mergeTypeOfSchema(schema: JsonObject): MergeType {
  let made = mergeTypes.get(schema);
  if (made === undefined) {
    made = makeMergeType(schema);
    mergeTypes.set(schema, made);
  }
  return made;
}

function makeMergeType(schema: JsonObject): MergeType {
  if (schema['x-kubernetes-int-or-string'] === true) return UNTYPED_SCALAR;
  const keepsAll = schema['x-kubernetes-preserve-unknown-fields'] === true;
  switch (textAt(schema, 'type')) {
    case 'array': {
      const items = objectAt(schema, 'items');
      const elem = items === undefined ? UNTYPED : mergeTypeOfSchema(items);
      const keys = schema['x-kubernetes-list-map-keys'];
      const kind = schema['x-kubernetes-list-type'];
      const relation = kind === 'set' ? 'set' : kind === 'map' && Array.isArray(keys) ? keys.map(String) : 'atomic';
      return { kind: 'list', relation, elem };
    }
    case 'string':
      return SCALAR_TYPES.string;
    case 'boolean':
      return SCALAR_TYPES.boolean;
    case 'integer':
    case 'number':
      return SCALAR_TYPES.numeric;
    case 'object': {
      const properties = objectAt(schema, 'properties') ?? {};
      const additional = objectAt(schema, 'additionalProperties');
      const other = keepsAll || schema['additionalProperties'] === true ? UNTYPED : undefined;
      return {
        kind: 'map',
        isAtomic: schema['x-kubernetes-map-type'] === 'atomic',
        field: (name) => {
          const property = objectAt(properties, name);
          return property === undefined ? undefined : mergeTypeOfSchema(property);
        },
        elem: additional === undefined ? other : mergeTypeOfSchema(additional),
        keyDefault: (name) => objectAt(properties, name)?.['default'],
      };
    }
    default:
      return UNTYPED;
  }
}
