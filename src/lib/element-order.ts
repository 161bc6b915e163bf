/**
 * Sorts the items into the order of these names. An item that is not named stays before a named one if it stood before
 * it in `before`, otherwise it comes after: so items that a patch adds come before those that it does not know.
 * Upstream: normalizeElementOrder of strategic merge patches (apimachinery/pkg/util/strategicpatch/patch.go).
 */
export function inOrder<T>(
  items: readonly T[],
  order: readonly unknown[],
  before: readonly T[],
  nameOf: (item: T) => unknown,
): T[] {
  const names = new Set(order);
  const place = new Map<unknown, number>();
  for (const [index, item] of before.entries()) {
    if (!place.has(nameOf(item))) place.set(nameOf(item), index);
  }
  const named = [...names].flatMap((name) => items.filter((item) => nameOf(item) === name));
  const others = items.filter((item) => !names.has(nameOf(item)));
  const result: T[] = [];
  let next = 0;
  for (const item of named) {
    const at = place.get(nameOf(item));
    while (at !== undefined && next < others.length && (place.get(nameOf(others[next] as T)) ?? at) < at) {
      result.push(others[next++] as T);
    }
    result.push(item);
  }
  return [...result, ...others.slice(next)];
}
