/** Nothing that is meant is nested anywhere near as deep; an object that contains itself is without end. */
const DEPTH_MAX = 100;

/**
 * What a value is as JSON, where members may be undefined: `plain`; with members that are null; with a bigint, which
 * JSON cannot hold; or nested so deep that it may contain itself.
 */
export type JsonForm = 'plain' | 'with nulls' | 'with a bigint' | 'too deep';

export function jsonFormOf(value: unknown): JsonForm {
  return formAt(value, 0);
}

function formAt(value: unknown, depth: number): JsonForm {
  if (typeof value === 'bigint') return 'with a bigint';
  if (typeof value !== 'object' || value === null) return 'plain';
  if (depth > DEPTH_MAX) return 'too deep';
  let form: JsonForm = 'plain';
  const isList = Array.isArray(value);
  for (const key in value) {
    const member = (value as Record<string, unknown>)[key];
    if (typeof member === 'string' || member === undefined) continue;
    if (member === null) {
      if (!isList) form = 'with nulls';
      continue;
    }
    const found = formAt(member, depth + 1);
    if (found === 'too deep' || found === 'with a bigint') return found;
    if (found === 'with nulls') form = found;
  }
  return form;
}

/** A copy without members that are null, which to the API are missing. Items of lists stay as they are. */
export function withoutNulls<T>(value: T): T {
  return copied(value) as T;
}

/** A copy without members that are null, in which bigints are the texts of their digits. */
export function withTextIntegers<T>(value: T): T {
  return JSON.parse(
    JSON.stringify(withoutNulls(value), (_, member: unknown) => (typeof member === 'bigint' ? String(member) : member)),
  ) as T;
}

function copied(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (Array.isArray(value)) return value.map(copied);
  const kept = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(kept.map(([key, member]) => [key, copied(member)]));
}
