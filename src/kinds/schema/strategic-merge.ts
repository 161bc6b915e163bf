import { inOrder } from '../../lib/element-order.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../object/json.ts';
import { StatusError } from '../object/status-error.ts';
import { setMember } from './decode.ts';
import type { GoField, GoType } from './go-types.ts';
import { goValueText } from './go-value-text.ts';
import { nameBy, refuseOtherOrder } from './list-order.ts';

const DELETE_FROM = '$deleteFromPrimitiveList/';
const SET_ORDER = '$setElementOrder/';
const RETAIN = '$retainKeys';
const DIRECTIVE = '$patch';

/**
 * Strategic merge patch (apimachinery/pkg/util/strategicpatch/patch.go): like a merge patch, but lists of named items
 * are merged by name, and get the order of the patch. Nothing is mutated; parts that the patch does not name are shared
 * with the target. @throws StatusError
 */
export function strategicMerge(type: GoType | undefined, target: JsonObject, patch: JsonObject): JsonObject {
  const directive = patch[DIRECTIVE];
  if (directive === 'replace') return without(patch, [DIRECTIVE]);
  if (directive === 'delete') return {};
  if (directive !== undefined) throw unknownDirective(directive, patch);

  const merged = retained(target, patch);
  const orders: string[] = [];
  for (const key of Object.keys(patch)) {
    const value = patch[key];
    if (key.startsWith(SET_ORDER)) orders.push(key);
    else if (key.startsWith(DELETE_FROM)) removeItems(merged, key.slice(DELETE_FROM.length), value);
    else if (key === RETAIN || value === undefined) continue;
    else if (value === null) delete merged[key];
    else setMember(merged, key, mergeValue(type, key, merged[key], value));
  }
  for (const key of orders) setOrder(type, merged, key.slice(SET_ORDER.length), target, patch);
  return merged;
}

function mergeValue(type: GoType | undefined, key: string, target: JsonValue | undefined, value: JsonValue): JsonValue {
  const field = fieldOf(type, key);
  if (isJsonObject(value)) {
    if (!isJsonObject(target)) return withoutDirectives(value);
    if (field?.patchStrategies.includes('replace')) return withoutDirectives(value) as JsonObject;
    return strategicMerge(memberType(type, key), target, value);
  }
  if (!Array.isArray(value)) return value;
  if (!Array.isArray(target)) return withoutDirectives(value);
  if (!field?.patchStrategies.includes('merge')) return value;
  const isNamed = [...target, ...value].some(isJsonObject);
  if (!isNamed) return inOrder([...new Set([...target, ...value])], value, target, nameBy(undefined)) as JsonValue[];
  return mergeNamed(memberType(type, key), key, field.patchMergeKey ?? '', target, value);
}

/** Directives are applied first, wherever they stand: an item that is deleted may be added again by the same patch. */
function mergeNamed(
  elem: GoType | undefined,
  list: string,
  mergeKey: string,
  target: readonly JsonValue[],
  patch: readonly JsonValue[],
): JsonValue[] {
  if (mergeKey === '') throw new StatusError(500, '', `cannot merge lists without merge key for ${list}`);
  const nameOf = nameBy(mergeKey);
  const given = patch.map((item) => namedItem(mergeKey, item));
  const additions = given.filter((item) => !hasDirective(item));
  if (given.some((item) => item[DIRECTIVE] === 'replace')) return additions;
  const deleted = new Set(given.filter(hasDirective).map(nameOf));
  const kept = target.filter((item) => !deleted.has(nameOf(item)));
  const merged = [...kept];
  for (const item of additions) {
    const index = merged.findIndex((other) => nameOf(other) === nameOf(item));
    if (index < 0) merged.push(item);
    else merged[index] = strategicMerge(elem, merged[index] as JsonObject, item);
  }
  return inOrder(merged, additions.map(nameOf), kept, nameOf) as JsonValue[];
}

/** Checks that the item says which item it patches, and what is to be done. @throws StatusError */
function namedItem(mergeKey: string, item: JsonValue): JsonObject {
  if (!isJsonObject(item)) throw new StatusError(500, '', 'expected a map, but received a different kind of item');
  const directive = item[DIRECTIVE];
  if (directive === 'replace') return item;
  if (directive === 'merge') throw new StatusError(500, '', 'merging lists cannot yet be specified in the patch');
  if (directive !== undefined && directive !== 'delete') throw unknownDirective(directive, item);
  if (item[mergeKey] === undefined) {
    throw new StatusError(500, '', `map: ${goValueText(item)} does not contain declared merge key: ${mergeKey}`);
  }
  return item;
}

/** The members that `$retainKeys` names, or all of them. Every patched member must be among them. */
function retained(target: JsonObject, patch: JsonObject): JsonObject {
  const keys = patch[RETAIN];
  if (keys === undefined) return { ...target };
  if (!Array.isArray(keys)) throw new StatusError(400, 'BadRequest', 'invalid patch format of retainKeys');
  for (const [key, value] of Object.entries(patch)) {
    if (value === null || value === undefined || key.startsWith('$') || keys.includes(key)) continue;
    throw new StatusError(500, '', "patch content doesn't match retainKeys list");
  }
  return without(
    target,
    Object.keys(target).filter((key) => !keys.includes(key)),
  );
}

function removeItems(merged: JsonObject, list: string, values: JsonValue | undefined): void {
  if (!Array.isArray(values)) throw new StatusError(400, 'BadRequest', 'invalid patch format of primitive list');
  const items = merged[list];
  if (Array.isArray(items)) merged[list] = items.filter((item) => !values.includes(item));
}

/** Puts items that the patch orders into its order, before those that it does not know. */
function setOrder(
  type: GoType | undefined,
  merged: JsonObject,
  list: string,
  target: JsonObject,
  patch: JsonObject,
): void {
  const order = patch[`${SET_ORDER}${list}`];
  const patched = patch[list] ?? [];
  if (!Array.isArray(order) || !Array.isArray(patched)) {
    throw new StatusError(400, 'BadRequest', 'invalid patch format of setElementOrder list');
  }
  const mergeKey = fieldOf(type, list)?.patchMergeKey;
  const nameOf = nameBy(order.some(isJsonObject) ? (mergeKey ?? 'name') : undefined);
  const unnamed = order.find((item) => nameOf(item) === undefined);
  if (unnamed !== undefined) {
    throw new StatusError(
      500,
      '',
      `map: ${goValueText(unnamed)} does not contain declared merge key: ${mergeKey ?? ''}`,
    );
  }
  refuseOtherOrder(
    patched.filter((item) => !hasDirective(item)),
    order,
    nameOf,
  );
  const [items, before] = [merged[list], target[list]];
  if (Array.isArray(items)) {
    merged[list] = inOrder(items, order.map(nameOf), Array.isArray(before) ? before : [], nameOf) as JsonValue[];
  }
}

/** A value that is taken whole: nulls and directives in it mean nothing. */
function withoutDirectives(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.filter((item) => !hasDirective(item)).map(withoutDirectives);
  if (!isJsonObject(value)) return value;
  const result: JsonObject = {};
  for (const [key, member] of Object.entries(value)) {
    if (member === null || member === undefined || key.startsWith('$')) continue;
    setMember(result, key, withoutDirectives(member));
  }
  return result;
}

function without(object: JsonObject, keys: readonly string[]): JsonObject {
  const result = { ...object };
  for (const key of keys) delete result[key];
  return result;
}

function hasDirective(item: JsonValue): boolean {
  return isJsonObject(item) && item[DIRECTIVE] !== undefined;
}

function unknownDirective(directive: JsonValue, map: JsonObject): StatusError {
  return new StatusError(500, '', `unknown patch type: ${goValueText(directive)} in map: ${goValueText(map)}`);
}

function fieldOf(type: GoType | undefined, key: string): GoField | undefined {
  return type?.kind === 'struct' ? type.fields.get(key) : undefined;
}

/** The type of a member, or of its items if it is a list. */
function memberType(type: GoType | undefined, key: string): GoType | undefined {
  let member = type?.kind === 'map' ? type.elem : fieldOf(type, key)?.type;
  while (member?.kind === 'pointer' || member?.kind === 'list') member = member.elem;
  return member;
}
