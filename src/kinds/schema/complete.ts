import { isJsonObject, type JsonObject, type JsonValue } from '../object/json.ts';
import { addZeroMembers } from './decode.ts';
import type { GoStruct, GoType } from './go-types.ts';

/** Adds, at every depth, the members that Go writes even when they are empty. */
export function completeStruct(object: JsonObject, struct: GoStruct): void {
  addZeroMembers(object, struct);
  for (const name of Object.keys(object)) {
    const field = struct.fields.get(name);
    if (field !== undefined) complete(object[name], field.type);
  }
}

function complete(value: JsonValue | undefined, type: GoType): void {
  if (typeof value !== 'object' || value === null) return;
  if (type.kind === 'pointer') complete(value, type.elem);
  else if (type.kind === 'struct') completeStruct(value as JsonObject, type);
  else if (type.kind === 'list' && Array.isArray(value) && hasStructs(type.elem)) {
    for (const item of value) complete(item, type.elem);
  } else if (type.kind === 'map' && isJsonObject(value) && hasStructs(type.elem)) {
    for (const name of Object.keys(value)) complete(value[name], type.elem);
  }
}

function hasStructs(type: GoType): boolean {
  return type.kind === 'struct' || type.kind === 'pointer' || type.kind === 'list' || type.kind === 'map';
}
