/** JSON merge patch (RFC 7386). Nothing is mutated; parts that the patch does not name are shared with the target. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isMembers(patch)) return patch;
  const merged: Record<string, unknown> = isMembers(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else if (value !== undefined && key !== PROTOTYPE) merged[key] = mergePatch(merged[key], value);
  }
  return merged;
}

/** A member of this name is skipped: setting it would change the object's prototype instead of adding a member. */
export const PROTOTYPE = '__proto__';

export type Members = Readonly<Record<string, unknown>>;

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
