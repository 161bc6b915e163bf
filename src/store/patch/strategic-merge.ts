import { badRequest } from '../api-error.ts';
import type { Resource } from '../resources.ts';
import { mergeKeyOf, PRIMITIVE } from './merge-keys.ts';
import { isMembers, type Members, PROTOTYPE } from './merge-patch.ts';

const DELETE_FROM = '$deleteFromPrimitiveList/';
const SET_ORDER = '$setElementOrder/';
const RETAIN = '$retainKeys';
const DIRECTIVE = '$patch';

/**
 * Strategic merge patch (apimachinery/pkg/util/strategicpatch/patch.go): as a merge patch, but lists of named things
 * are merged by name. Nothing is mutated; what the patch does not name is shared with the target.
 *
 * @throws ApiError BadRequest
 */
export function strategicMerge(resource: Resource, target: Members, patch: Members): Members {
  const directive = patch[DIRECTIVE];
  if (directive === 'replace') return withoutDirectives(patch);
  if (directive === 'delete') return {};
  if (directive !== undefined && directive !== 'merge') throw unknownDirective(directive);

  const merged: Record<string, unknown> = retained(target, patch[RETAIN]);
  const orders: string[] = [];
  for (const key of Object.keys(patch)) {
    const value = patch[key];
    if (key.startsWith('$')) orders.push(key);
    else if (value === null) delete merged[key];
    else if (value !== undefined && key !== PROTOTYPE) merged[key] = mergeValue(resource, key, merged[key], value);
  }
  for (const key of orders) {
    if (key.startsWith(DELETE_FROM)) removeItems(merged, key.slice(DELETE_FROM.length), patch[key]);
    else if (key.startsWith(SET_ORDER)) {
      const list = key.slice(SET_ORDER.length);
      setOrder(resource, merged, list, target[list], patch[key]);
    }
  }
  return merged;
}

function mergeValue(resource: Resource, key: string, target: unknown, value: unknown): unknown {
  if (isMembers(value)) return strategicMerge(resource, isMembers(target) ? target : {}, value);
  if (!Array.isArray(value)) return value;
  const mergeKey = mergeKeyOf(resource, key);
  const items = Array.isArray(target) ? target : [];
  if (mergeKey === undefined) return value.filter((item) => !hasDirective(item));
  if (mergeKey === PRIMITIVE) return [...items, ...value.filter((item) => !items.includes(item))];
  return mergeNamed(resource, key, mergeKey, items, value);
}

function mergeNamed(
  resource: Resource,
  list: string,
  mergeKey: string,
  target: readonly unknown[],
  patch: readonly unknown[],
): unknown[] {
  const isReplaced = patch.some((item) => isMembers(item) && item[DIRECTIVE] === 'replace');
  let merged = isReplaced ? [] : [...target];
  for (const item of patch) {
    if (!isMembers(item)) throw badRequest(`an item of ${list} in the patch is not an object`);
    if (item[DIRECTIVE] === 'replace') continue;
    const name = item[mergeKey];
    if (name === undefined || name === null) {
      throw badRequest(`an item of ${list} in the patch does not contain the merge key: ${mergeKey}`);
    }
    const isNamed = (other: unknown): boolean => isMembers(other) && other[mergeKey] === name;
    if (item[DIRECTIVE] === 'delete') merged = merged.filter((other) => !isNamed(other));
    else {
      const index = merged.findIndex(isNamed);
      if (index < 0) merged.push(strategicMerge(resource, {}, item));
      else merged[index] = strategicMerge(resource, merged[index] as Members, item);
    }
  }
  return merged;
}

/** The members that `$retainKeys` names, or all of them. */
function retained(target: Members, keys: unknown): Record<string, unknown> {
  if (keys === undefined) return { ...target };
  if (!Array.isArray(keys)) throw badRequest(`${RETAIN} must be a list`);
  return Object.fromEntries(Object.entries(target).filter(([key]) => keys.includes(key)));
}

function removeItems(merged: Record<string, unknown>, list: string, values: unknown): void {
  if (!Array.isArray(values)) throw badRequest(`${DELETE_FROM}${list} must be a list`);
  const items = merged[list];
  if (Array.isArray(items)) merged[list] = items.filter((item) => !values.includes(item));
}

/**
 * Items that the patch orders stand in its order. The others stay where they were among them: before an ordered item
 * that they preceded, else behind.
 */
function setOrder(
  resource: Resource,
  merged: Record<string, unknown>,
  list: string,
  before: unknown,
  order: unknown,
): void {
  const items = merged[list];
  if (!Array.isArray(order)) throw badRequest(`${SET_ORDER}${list} must be a list`);
  if (!Array.isArray(items)) return;
  const mergeKey = mergeKeyOf(resource, list);
  if (mergeKey === undefined) throw badRequest(`the items of ${list} have no names to order them by`);
  const nameOf = (item: unknown): unknown => (mergeKey === PRIMITIVE ? item : isMembers(item) && item[mergeKey]);
  const place = new Map((Array.isArray(before) ? before : []).map((item, index) => [nameOf(item), index]));
  const names = new Set(order.map(nameOf));
  const ordered = [...names].flatMap((name) => items.filter((item) => nameOf(item) === name));
  const others = items.filter((item) => !names.has(nameOf(item)));
  const result: unknown[] = [];
  for (const item of ordered) {
    const at = place.get(nameOf(item));
    while (at !== undefined && others.length > 0 && (place.get(nameOf(others[0])) ?? at) < at)
      result.push(others.shift());
    result.push(item);
  }
  merged[list] = [...result, ...others];
}

function withoutDirectives(members: Members): Members {
  const kept = Object.entries(members).filter(([key, value]) => !key.startsWith('$') && value !== null);
  return Object.fromEntries(kept);
}

function hasDirective(item: unknown): boolean {
  return isMembers(item) && item[DIRECTIVE] !== undefined;
}

function unknownDirective(directive: unknown): Error {
  return badRequest(`unknown ${DIRECTIVE} in the patch: ${JSON.stringify(directive)}`);
}
