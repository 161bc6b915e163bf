import { objectAt } from '../defaults/members.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { duplicate } from '../validation/checks.ts';

/**
 * Items of sets and of lists with keys that stand in a list more than once
 * (apiextensions-apiserver/pkg/apiserver/schema/listtype).
 */
export function repeatedItems(value: JsonValue | undefined, schema: JsonObject, path: string): FieldError[] {
  if (Array.isArray(value)) {
    const items = objectAt(schema, 'items');
    const below = value.flatMap((item, i) => (items === undefined ? [] : repeatedItems(item, items, `${path}[${i}]`)));
    return [...repeatedIn(value, schema, path), ...below];
  }
  if (!isJsonObject(value)) return [];
  const properties = objectAt(schema, 'properties') ?? {};
  const additional = objectAt(schema, 'additionalProperties');
  return Object.keys(value)
    .sort()
    .flatMap((name) => {
      const property = objectAt(properties, name);
      if (property !== undefined) return repeatedItems(value[name], property, path === '' ? name : `${path}.${name}`);
      return additional === undefined ? [] : repeatedItems(value[name], additional, `${path}[${name}]`);
    });
}

function repeatedIn(value: readonly JsonValue[], schema: JsonObject, path: string): FieldError[] {
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
