import { isObject } from '../../api/validation/check.ts';

/** JSON merge patch (RFC 7386). Nothing is mutated; parts that the patch does not name are shared with the target. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged: Record<string, unknown> = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else if (value !== undefined && key !== PROTOTYPE) merged[key] = mergePatch(merged[key], value);
  }
  return merged;
}

/** A member of this name is skipped: setting it would change the object's prototype instead of adding a member. */
export const PROTOTYPE = '__proto__';
