import { isJsonObject, type JsonObject, type JsonValue } from '../object/json.ts';
import { setMember } from './decode.ts';
import type { GoStruct, GoType } from './go-types.ts';

/**
 * An object with its members in the order in which Go writes them: that of the type's fields; maps by key. What is in
 * order already is shared with the given object.
 */
export function inGoOrder(object: JsonObject, struct: GoStruct): JsonObject {
  const { fields } = struct;
  let last = -1;
  let isOrdered = true;
  let changed: JsonObject | undefined;
  for (const name in object) {
    const field = fields.get(name);
    const value = object[name];
    if (field === undefined || value === undefined) {
      isOrdered = false;
      continue;
    }
    if (field.place < last) isOrdered = false;
    last = field.place;
    if (!field.hasMembers || typeof value !== 'object' || value === null) continue;
    const ordered = ofType(value, field.type);
    if (ordered === value) continue;
    changed ??= {};
    changed[name] = ordered;
  }
  if (isOrdered) return changed === undefined ? object : { ...object, ...changed };
  const result: JsonObject = {};
  for (const name of namesInOrder(object, struct)) result[name] = changed?.[name] ?? (object[name] as JsonValue);
  return result;
}

/** The names are mostly in order, with a few at the end that belong further to the front. */
function namesInOrder(object: JsonObject, { fields }: GoStruct): string[] {
  const names: string[] = [];
  const places: number[] = [];
  for (const name in object) {
    const place = fields.get(name)?.place;
    if (place === undefined || object[name] === undefined) continue;
    let at = names.length;
    for (; at > 0 && (places[at - 1] as number) > place; at--) {
      names[at] = names[at - 1] as string;
      places[at] = places[at - 1] as number;
    }
    names[at] = name;
    places[at] = place;
  }
  return names;
}

function ofType(value: JsonValue, type: GoType): JsonValue {
  if (type.kind === 'pointer') return ofType(value, type.elem);
  if (type.kind === 'list') return Array.isArray(value) ? listInOrder(value, type.elem) : value;
  if (!isJsonObject(value)) return value;
  if (type.kind === 'struct') return inGoOrder(value, type);
  return type.kind === 'map' ? mapInOrder(value, type.elem) : value;
}

function listInOrder(list: JsonValue[], elem: GoType): JsonValue[] {
  let changed: JsonValue[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const item = list[i] as JsonValue;
    const ordered = ofType(item, elem);
    if (ordered === item) continue;
    changed ??= [...list];
    changed[i] = ordered;
  }
  return changed ?? list;
}

function mapInOrder(map: JsonObject, elem: GoType): JsonObject {
  let last = '';
  let isChanged = false;
  for (const key in map) {
    if (key < last) isChanged = true;
    last = key;
    const value = map[key] as JsonValue;
    if (typeof value === 'object' && ofType(value, elem) !== value) isChanged = true;
    if (isChanged) break;
  }
  if (!isChanged) return map;
  const result: JsonObject = {};
  for (const key of Object.keys(map).sort()) setMember(result, key, ofType(map[key] as JsonValue, elem));
  return result;
}

/** A value with all its members by name: how Go writes what has no type. What is in order already is shared. */
export function inNameOrder<T extends JsonValue>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => inNameOrder(item)) as JsonValue as T;
  const result: JsonObject = {};
  for (const name of Object.keys(value).sort()) {
    const member = (value as JsonObject)[name];
    if (member !== undefined) setMember(result, name, inNameOrder(member));
  }
  return result as T;
}
