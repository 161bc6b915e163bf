/** Far deeper than the API nests, and far less than overflows the stack. */
export const DEPTH_MAX = 200;

/** What a walk through a value has seen. */
export interface ValueShape {
  /** The number of members of all objects. */
  members: number;
  /** Whether a number is so large that it may have lost digits. */
  hasLargeNumbers: boolean;
}

/** Returns null when the value is nested too deeply (or contains itself, which YAML anchors allow). */
export function shapeOf(value: unknown): ValueShape | null {
  const shape: ValueShape = { members: 0, hasLargeNumbers: false };
  return look(value, shape, 0) ? shape : null;
}

/** Adds what is in a value to a shape. Returns false when the value is nested too deeply. */
export function look(value: unknown, shape: ValueShape, depth: number): boolean {
  if (typeof value === 'number') {
    if (value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER) shape.hasLargeNumbers = true;
    return true;
  }
  if (typeof value !== 'object' || value === null) return true;
  if (depth > DEPTH_MAX) return false;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item !== 'string' && !look(item, shape, depth + 1)) return false;
    return true;
  }
  const object = value as Record<string, unknown>;
  for (const key in object) {
    shape.members++;
    const entry = object[key];
    if (typeof entry !== 'string' && !look(entry, shape, depth + 1)) return false;
  }
  return true;
}
