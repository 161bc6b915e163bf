import { badRequest } from '../objects/api-error.ts';
import { type MergeKey, PRIMITIVE } from './merge-keys.ts';
import { isMembers } from './merge-patch.ts';

export type NameOf = (item: unknown) => unknown;

/** Returns the function that identifies an item in a list that is merged by this key. */
export function namesBy(mergeKey: NonNullable<MergeKey>): NameOf {
  if (mergeKey === PRIMITIVE) return (item) => item;
  return (item) => (isMembers(item) ? item[mergeKey] : undefined);
}

/**
 * Sorts the items into the order of these names. An item that is not named stays before a named one if it stood before
 * it in `before`, otherwise it comes after: so items that a patch adds come before those that it does not know.
 * Upstream: normalizeElementOrder.
 */
export function inOrder(
  items: readonly unknown[],
  order: readonly unknown[],
  before: readonly unknown[],
  nameOf: NameOf,
): unknown[] {
  const names = new Set(order);
  const place = new Map<unknown, number>();
  for (const [index, item] of before.entries()) {
    if (!place.has(nameOf(item))) place.set(nameOf(item), index);
  }
  const named = [...names].flatMap((name) => items.filter((item) => nameOf(item) === name));
  const others = items.filter((item) => !names.has(nameOf(item)));
  const result: unknown[] = [];
  let next = 0;
  for (const item of named) {
    const at = place.get(nameOf(item));
    while (at !== undefined && next < others.length && (place.get(nameOf(others[next])) ?? at) < at) {
      result.push(others[next++]);
    }
    result.push(item);
  }
  return [...result, ...others.slice(next)];
}

/** Checks that patched items are in the order list, and in that order. @throws ApiError BadRequest */
export function refuseOtherOrder(list: string, patched: readonly unknown[], order: readonly unknown[]): void {
  if (order.length === 0) return;
  let found = 0;
  for (const name of order) if (found < patched.length && patched[found] === name) found++;
  if (found === patched.length) return;
  const item = JSON.stringify(patched[found]);
  throw badRequest(`the order of the patch for ${list} does not match its $setElementOrder list, at ${item}`);
}
