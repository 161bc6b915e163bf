import { isJsonObject, type JsonObject, type JsonValue } from '../object/json.ts';
import { setMember, zeroOf } from '../schema/decode.ts';
import { apiTypes, type GoType } from '../schema/go-types.ts';

/**
 * A value as the API quotes structs in messages: the struct that it works with has no JSON names, so every member is
 * written, under its name in Go.
 */
export function internalJson(typeId: string, value: JsonValue | undefined): JsonValue {
  const type = apiTypes().struct(typeId);
  return type === undefined ? (value ?? null) : shown(value, type);
}

function shown(value: JsonValue | undefined, type: GoType): JsonValue {
  if (type.kind === 'pointer') return value === undefined || value === null ? null : shown(value, type.elem);
  if (type.kind === 'list') return Array.isArray(value) ? value.map((item) => shown(item, type.elem)) : null;
  if (type.kind === 'map') {
    if (!isJsonObject(value)) return null;
    const result: JsonObject = {};
    for (const key of Object.keys(value).sort()) setMember(result, key, shown(value[key], type.elem));
    return result;
  }
  if (type.kind !== 'struct') return value ?? zeroOf(type);
  // Types of the metadata group are the same inside and outside, and keep their names.
  if (type.id.startsWith('meta/')) return value ?? {};
  const object = isJsonObject(value) ? value : {};
  const result: JsonObject = {};
  for (const field of type.fields.values()) result[field.goName] = shown(object[field.name], field.type);
  return result;
}
