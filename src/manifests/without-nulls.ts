/** Far deeper than the API nests, and far less than overflows the stack. */
const DEPTH_MAX = 200;

/**
 * Deletes null members in place, since the API treats them as absent. Returns false when the value is nested too deeply
 * (or contains itself, which YAML anchors allow).
 */
export function removeNulls(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (depth > DEPTH_MAX) return false;
  if (Array.isArray(value)) return value.every((item) => removeNulls(item, depth + 1));
  const object = value as Record<string, unknown>;
  for (const key of Object.keys(object)) {
    const entry = object[key];
    if (entry === null) delete object[key];
    else if (typeof entry === 'object' && !removeNulls(entry, depth + 1)) return false;
  }
  return true;
}
