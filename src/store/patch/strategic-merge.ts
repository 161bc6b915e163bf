import { isObject, type UnknownObject } from '../../api/validation/check.ts';
import { inOrder } from '../../lib/element-order.ts';
import { badRequest } from '../objects/api-error.ts';
import type { Resource } from '../objects/resources.ts';
import { isReplacedWhole, type MergeKey, mergeKeyOf, PRIMITIVE } from './merge-keys.ts';
import { PROTOTYPE } from './merge-patch.ts';

const DELETE_FROM = '$deleteFromPrimitiveList/';
const SET_ORDER = '$setElementOrder/';
const RETAIN = '$retainKeys';
const DIRECTIVE = '$patch';

/**
 * Strategic merge patch (apimachinery/pkg/util/strategicpatch/patch.go): like a merge patch, but lists of named items
 * are merged by name, and get the order of the patch. Nothing is mutated; parts that the patch does not name are shared
 * with the target.
 *
 * @throws ApiError BadRequest
 */
export function strategicMerge(resource: Resource, target: UnknownObject, patch: UnknownObject): UnknownObject {
  const directive = patch[DIRECTIVE];
  if (directive === 'replace') return withoutDirectives(patch);
  if (directive === 'delete') return {};
  if (directive !== undefined) throw unknownDirective(directive);

  const merged: Record<string, unknown> = retained(target, patch);
  const orders: string[] = [];
  for (const key of Object.keys(patch)) {
    const value = patch[key];
    if (key.startsWith('$')) orders.push(key);
    else if (value === null) delete merged[key];
    else if (value !== undefined && key !== PROTOTYPE) merged[key] = mergeValue(resource, key, merged[key], value);
  }
  for (const key of orders) {
    if (key.startsWith(DELETE_FROM)) removeItems(merged, key.slice(DELETE_FROM.length), patch[key]);
    else if (key.startsWith(SET_ORDER)) setOrder(resource, merged, key.slice(SET_ORDER.length), target, patch);
  }
  return merged;
}

function mergeValue(resource: Resource, key: string, target: unknown, value: unknown): unknown {
  if (isObject(value)) {
    if (isReplacedWhole(resource, key)) return withoutDirectives(value);
    return strategicMerge(resource, isObject(target) ? target : {}, value);
  }
  if (!Array.isArray(value)) return value;
  const mergeKey = mergeKeyOf(resource, key);
  const items = Array.isArray(target) ? target : [];
  if (mergeKey === undefined) return value.filter((item) => !hasDirective(item));
  if (mergeKey === PRIMITIVE) return inOrder([...new Set([...items, ...value])], value, items, namesBy(PRIMITIVE));
  return mergeNamed(resource, key, mergeKey, items, value);
}

/** Directives are applied first, wherever they stand: an item that is deleted may be added again by the same patch. */
function mergeNamed(
  resource: Resource,
  list: string,
  mergeKey: string,
  target: readonly unknown[],
  patch: readonly unknown[],
): unknown[] {
  const nameOf = namesBy(mergeKey);
  const given = patch.map((item) => namedItem(list, mergeKey, item));
  const additions = given.filter((item) => !hasDirective(item));
  if (given.some((item) => item[DIRECTIVE] === 'replace')) {
    return additions.map((item) => strategicMerge(resource, {}, item));
  }
  const deleted = new Set(given.filter(hasDirective).map(nameOf));
  const kept = target.filter((item) => !deleted.has(nameOf(item)));
  const merged = [...kept];
  for (const item of additions) {
    const index = merged.findIndex((other) => nameOf(other) === nameOf(item));
    if (index < 0) merged.push(strategicMerge(resource, {}, item));
    else merged[index] = strategicMerge(resource, merged[index] as UnknownObject, item);
  }
  return inOrder(merged, additions.map(nameOf), kept, nameOf);
}

/**
 * Checks that the item is an object that says which item it patches, and what is to be done. @throws ApiError
 * BadRequest
 */
function namedItem(list: string, mergeKey: string, item: unknown): UnknownObject {
  if (!isObject(item)) throw badRequest(`an item of ${list} in the patch is not an object`);
  const directive = item[DIRECTIVE];
  if (directive === 'replace') return item;
  if (directive !== undefined && directive !== 'delete') throw unknownDirective(directive);
  if (item[mergeKey] === undefined || item[mergeKey] === null) {
    throw badRequest(`an item of ${list} in the patch does not contain the merge key: ${mergeKey}`);
  }
  return item;
}

/** The members that `$retainKeys` names, or all of them. Every patched member must be among them. */
function retained(target: UnknownObject, patch: UnknownObject): Record<string, unknown> {
  const keys = patch[RETAIN];
  if (keys === undefined) return { ...target };
  if (!Array.isArray(keys)) throw badRequest(`${RETAIN} must be a list`);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null || value === undefined || key.startsWith('$') || keys.includes(key)) continue;
    throw badRequest(`${RETAIN} does not list ${JSON.stringify(key)}, which the patch sets`);
  }
  return Object.fromEntries(Object.entries(target).filter(([key]) => keys.includes(key)));
}

function removeItems(merged: Record<string, unknown>, list: string, values: unknown): void {
  if (!Array.isArray(values)) throw badRequest(`${DELETE_FROM}${list} must be a list`);
  const items = merged[list];
  if (Array.isArray(items)) merged[list] = items.filter((item) => !values.includes(item));
}

/** Puts items that the patch orders into its order, before those that it does not know. */
function setOrder(
  resource: Resource,
  merged: Record<string, unknown>,
  list: string,
  target: UnknownObject,
  patch: UnknownObject,
): void {
  const order = patch[`${SET_ORDER}${list}`];
  if (!Array.isArray(order)) throw badRequest(`${SET_ORDER}${list} must be a list`);
  const patched = patch[list] ?? [];
  if (patch[list] === null || !Array.isArray(patched)) throw badRequest(`${list} must be a list where it is ordered`);
  const mergeKey = mergeKeyOf(resource, list);
  if (mergeKey === undefined) throw badRequest(`the items of ${list} have no names to order them by`);
  const nameOf = namesBy(mergeKey);
  const names = order.map(nameOf);
  if (names.includes(undefined)) throw badRequest(`an item of ${SET_ORDER}${list} does not contain ${mergeKey}`);
  refuseOtherOrder(list, patched.filter((item) => !hasDirective(item)).map(nameOf), names);
  const [items, before] = [merged[list], target[list]];
  if (Array.isArray(items)) merged[list] = inOrder(items, names, Array.isArray(before) ? before : [], nameOf);
}

function withoutDirectives(members: UnknownObject): UnknownObject {
  const kept = Object.entries(members).filter(([key, value]) => !key.startsWith('$') && value !== null);
  return Object.fromEntries(kept);
}

function hasDirective(item: unknown): boolean {
  return isObject(item) && item[DIRECTIVE] !== undefined;
}

function unknownDirective(directive: unknown): Error {
  return badRequest(`unknown ${DIRECTIVE} in the patch: ${JSON.stringify(directive)}`);
}

export type NameOf = (item: unknown) => unknown;

/** Returns the function that identifies an item in a list that is merged by this key. */
function namesBy(mergeKey: NonNullable<MergeKey>): NameOf {
  if (mergeKey === PRIMITIVE) return (item) => item;
  return (item) => (isObject(item) ? item[mergeKey] : undefined);
}

/** Checks that patched items are in the order list, and in that order. @throws ApiError BadRequest */
function refuseOtherOrder(list: string, patched: readonly unknown[], order: readonly unknown[]): void {
  if (order.length === 0) return;
  let found = 0;
  for (const name of order) if (found < patched.length && patched[found] === name) found++;
  if (found === patched.length) return;
  const item = JSON.stringify(patched[found]);
  throw badRequest(`the order of the patch for ${list} does not match its $setElementOrder list, at ${item}`);
}
