import { DEPTH_MAX } from './value-shape.ts';

/**
 * Removes null members, since the API treats them as absent. Objects inside that have some are replaced by copies: to
 * delete members would make them slow and large. Returns false when the value is nested too deeply (or contains itself,
 * which YAML anchors allow).
 */
export function removeNulls(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (!removeInside(value, 0)) return false;
  if (Array.isArray(value)) return true;
  const object = value as Record<string, unknown>;
  for (const key of Object.keys(object)) if (object[key] === null) delete object[key];
  return true;
}

function removeInside(value: object, depth: number): boolean {
  if (depth > DEPTH_MAX) return false;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const item = value[i] as unknown;
      if (typeof item !== 'object' || item === null) continue;
      if (!removeInside(item, depth + 1)) return false;
      const clean = withoutNulls(item);
      if (clean !== item) value[i] = clean;
    }
    return true;
  }
  const object = value as Record<string, unknown>;
  for (const key in object) {
    const entry = object[key];
    if (typeof entry !== 'object' || entry === null) continue;
    if (!removeInside(entry, depth + 1)) return false;
    const clean = withoutNulls(entry);
    if (clean !== entry) object[key] = clean;
  }
  return true;
}

/** The object, or a copy of it when it has null members. */
function withoutNulls(value: object): object {
  if (Array.isArray(value)) return value;
  const object = value as Record<string, unknown>;
  let hasNulls = false;
  for (const key in object) if (object[key] === null) hasNulls = true;
  if (!hasNulls) return object;
  const copy: Record<string, unknown> = {};
  for (const key in object) {
    const entry = object[key];
    if (entry === null) continue;
    if (key === '__proto__') Object.defineProperty(copy, key, { value: entry, enumerable: true, writable: true });
    else copy[key] = entry;
  }
  return copy;
}
