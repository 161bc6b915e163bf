/** Nothing that is meant is nested anywhere near as deep; an object that contains itself is without end. */
const DEPTH_MAX = 100;

/**
 * What a value is as JSON, where members may be undefined: `plain`; with members that are null; with a bigint, which
 * JSON cannot hold; or nested so deep that it may contain itself.
 */
export type JsonForm = 'plain' | 'with nulls' | 'with a bigint' | 'too deep';

type Members = Record<string, unknown>;

export function jsonFormOf(value: unknown): JsonForm {
  return formAt(value, 0);
}

function formAt(value: unknown, depth: number): JsonForm {
  if (typeof value === 'bigint') return 'with a bigint';
  if (typeof value !== 'object' || value === null) return 'plain';
  if (depth > DEPTH_MAX) return 'too deep';
  if (Array.isArray(value)) return formOfItems(value, depth);
  let form: JsonForm = 'plain';
  for (const key in value) {
    const member = (value as Record<string, unknown>)[key];
    if (typeof member === 'string' || member === undefined) continue;
    if (member === null) {
      form = 'with nulls';
      continue;
    }
    const found = formAt(member, depth + 1);
    if (found === 'too deep' || found === 'with a bigint') return found;
    if (found === 'with nulls') form = found;
  }
  return form;
}

/** Reads items by index: to enumerate the keys of a list takes several times as long. */
function formOfItems(list: readonly unknown[], depth: number): JsonForm {
  let form: JsonForm = 'plain';
  for (let i = 0; i < list.length; i++) {
    const found = formAt(list[i], depth + 1);
    if (found === 'too deep' || found === 'with a bigint') return found;
    if (found === 'with nulls') form = found;
  }
  return form;
}

/**
 * A copy without members that are null, which to the API are missing. Items of lists stay as they are; parts without
 * nulls are those of the value.
 */
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
  return Array.isArray(value) ? copiedList(value) : copiedMembers(value as Members);
}

/** The list itself if none of its items holds a null. */
function copiedList(list: readonly unknown[]): readonly unknown[] {
  let copy: unknown[] | null = null;
  for (let i = 0; i < list.length; i++) {
    const item = copied(list[i]);
    if (item === list[i]) continue;
    copy ??= list.slice();
    copy[i] = item;
  }
  return copy ?? list;
}

/** The object itself if it holds no null. A copy begins at the first member that differs: most parts have none. */
function copiedMembers(value: Members): unknown {
  let copy: Members | null = null;
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue;
    const member = value[key];
    const kept = typeof member === 'object' ? copied(member) : member;
    if (copy === null) {
      if (kept === member && member !== null) continue;
      copy = membersBefore(value, key);
    }
    if (kept !== null) define(copy, key, kept);
  }
  return copy ?? value;
}

/** A new object with the own members before this one. */
function membersBefore(value: Members, end: string): Members {
  const copy: Members = {};
  for (const key in value) {
    if (key === end) break;
    if (Object.hasOwn(value, key)) define(copy, key, value[key]);
  }
  return copy;
}

function define(object: Members, key: string, value: unknown): void {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
}
