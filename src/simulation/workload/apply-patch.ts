import { isObject, type UnknownObject } from '../../api/validation/check.ts';
import type { Resource } from '../../store/objects/resources.ts';
import { isReplacedWhole, mergeKeyOf, PRIMITIVE } from '../../store/patch/merge-keys.ts';

/** Members of which the API keeps nothing but what a changed manifest names: the `retainKeys` tags in k8s.io/api. */
const RETAINED: ReadonlySet<string> = new Set(['strategy', 'volumes']);

/**
 * The strategic merge patch by which an object gets what its manifest says, and loses what only the former manifest
 * said; everything else stays as others have set it. Upstream: CreateThreeWayMergePatch, as `kubectl apply` calls it.
 */
export function applyPatch(
  resource: Resource,
  former: UnknownObject | undefined,
  wanted: UnknownObject,
  isRetained = false,
): UnknownObject {
  const patch: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(wanted)) {
    const before = former?.[key];
    if (Array.isArray(value)) patchList(resource, patch, key, Array.isArray(before) ? before : [], value);
    else if (isObject(value) && !isReplacedWhole(resource, key)) {
      patch[key] = applyPatch(resource, isObject(before) ? before : undefined, value, RETAINED.has(key));
    } else patch[key] = value;
  }
  for (const key of Object.keys(former ?? {})) if (!Object.hasOwn(wanted, key)) patch[key] = null;
  const isChanged = former !== undefined && JSON.stringify(former) !== JSON.stringify(wanted);
  return isRetained && isChanged ? { ...patch, $retainKeys: Object.keys(wanted) } : patch;
}

function patchList(
  resource: Resource,
  patch: Record<string, unknown>,
  list: string,
  before: readonly unknown[],
  wanted: readonly unknown[],
): void {
  const mergeKey = mergeKeyOf(resource, list);
  patch[list] = wanted;
  if (mergeKey === undefined) return;
  if (mergeKey === PRIMITIVE) {
    const gone = before.filter((item) => !wanted.includes(item));
    if (gone.length > 0) patch[`$deleteFromPrimitiveList/${list}`] = gone;
    return;
  }
  const nameOf = (item: unknown): unknown => (isObject(item) ? item[mergeKey] : undefined);
  const formerItems = new Map(before.filter(isObject).map((item) => [nameOf(item), item]));
  const items = wanted.map((item) =>
    isObject(item) ? applyPatch(resource, formerItems.get(nameOf(item)), item, RETAINED.has(list)) : item,
  );
  const names = new Set(wanted.map(nameOf));
  const gone = [...formerItems.keys()].filter((name) => !names.has(name));
  patch[list] = [...items, ...gone.map((name) => ({ $patch: 'delete', [mergeKey]: name }))];
}
