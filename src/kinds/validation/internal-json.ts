import { lineDiff } from '../../lib/line-diff.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../object/json.ts';
import { setMember, zeroOf } from '../schema/decode.ts';
import { apiTypes, type GoStruct, type GoType } from '../schema/go-types.ts';
import { HOST_MEMBERS, INTERNAL_ORDER, VOLUME_SOURCES } from './internal-layout.ts';

/**
 * A value as the API quotes structs in messages: the struct that it works with has no JSON names, so every member is
 * written, under its name in Go.
 */
export function internalJson(typeId: string, value: JsonValue | undefined): JsonValue {
  const type = apiTypes().struct(typeId);
  return type === undefined ? (value ?? null) : shown(value, type);
}

/** The source of a persistent volume, from the volume's spec. */
export function internalVolumeSource(spec: JsonObject): JsonValue {
  const all = internalJson('core/v1.PersistentVolumeSpec', spec) as JsonObject;
  return Object.fromEntries(VOLUME_SOURCES.map((name) => [name, all[name] ?? null]));
}

/** What differs between two values of one type, line by line of their indented JSON. */
export function internalDiff(before: JsonValue, after: JsonValue): string {
  return lineDiff(indented(before), indented(after));
}

/** Go writes the characters that HTML knows as escapes. */
function indented(value: JsonValue): string {
  return JSON.stringify(value, null, 1).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
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
  return shownStruct(isJsonObject(value) ? value : {}, type);
}

function shownStruct(object: JsonObject, type: GoStruct): JsonObject {
  const result: JsonObject = {};
  for (const field of type.fields.values()) result[field.goName] = shown(object[field.name], field.type);
  if (type.id === 'core/v1.PodSpec') moveHostMembers(object, result);
  const order = INTERNAL_ORDER[type.id];
  if (order === undefined) return result;
  return Object.fromEntries(order.map((name) => [name, result[name] ?? null]));
}

/** Puts into the security context what the JSON has beside it. */
function moveHostMembers(spec: JsonObject, result: JsonObject): void {
  const isGiven = HOST_MEMBERS.some((name) => spec[name] !== undefined);
  if (spec['securityContext'] === undefined && !isGiven) return;
  const context = internalJson('core/v1.PodSecurityContext', spec['securityContext'] ?? {}) as JsonObject;
  for (const name of HOST_MEMBERS) {
    const goName = name.slice(0, 1).toUpperCase() + name.slice(1);
    const isFlag = name === 'hostNetwork' || name === 'hostPID' || name === 'hostIPC';
    context[goName] = spec[name] ?? (isFlag ? false : null);
  }
  result['SecurityContext'] = context;
}
