/** Far deeper than the API nests, and far less than overflows the stack. */
export const DEPTH_MAX = 200;

/**
 * The number of members of all objects in a value, or -1 when it is nested too deeply (or contains itself, which YAML
 * anchors allow).
 */
export function countMembers(value: unknown, depth = 0): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (depth > DEPTH_MAX) return -1;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) {
      if (typeof item !== 'object' || item === null) continue;
      const inner = countMembers(item, depth + 1);
      if (inner < 0) return -1;
      count += inner;
    }
    return count;
  }
  const object = value as Record<string, unknown>;
  for (const key in object) {
    count++;
    const entry = object[key];
    if (typeof entry !== 'object' || entry === null) continue;
    const inner = countMembers(entry, depth + 1);
    if (inner < 0) return -1;
    count += inner;
  }
  return count;
}
