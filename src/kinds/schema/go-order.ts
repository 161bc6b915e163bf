import { isJsonObject, type JsonObject, type JsonValue } from '../object/json.ts';
import type { GoStruct, GoType } from './go-types.ts';

/** A copy with its members in the order in which Go writes them: that of the type's fields; maps by key. */
export function inGoOrder(object: JsonObject, struct: GoStruct): JsonObject {
  const ordered: JsonObject = {};
  for (const [name, field] of struct.fields) {
    const value = object[name];
    if (value !== undefined) ordered[name] = ofType(value, field.type);
  }
  return ordered;
}

function ofType(value: JsonValue, type: GoType): JsonValue {
  if (type.kind === 'pointer') return ofType(value, type.elem);
  if (type.kind === 'list' && Array.isArray(value)) return value.map((item) => ofType(item, type.elem));
  if (!isJsonObject(value)) return value;
  if (type.kind === 'struct') return inGoOrder(value, type);
  if (type.kind !== 'map') return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, ofType(value[key] as JsonValue, type.elem)]));
}
