/** A problem of an object: the field (`spec.containers[0].name`) and the reason. */
export interface Problem {
  readonly field: string;
  readonly reason: string;
}

/**
 * Checks a value of unknown shape and appends its problems. A missing value (undefined or null) passes every check
 * except `required`.
 */
export type Check = (value: unknown, field: string, problems: Problem[]) => void;

/** The problems that the check finds, with `path` in front of every field. */
export function problemsOf(check: Check, value: unknown, path = ''): Problem[] {
  const problems: Problem[] = [];
  check(value, path, problems);
  return problems;
}

export type UnknownObject = Readonly<Record<string, unknown>>;

/** Checks the fields of an object against each other, and appends the problems. */
export type ObjectCheck = (value: UnknownObject, field: string, problems: Problem[]) => void;

export function isMissing(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

export function isObject(value: unknown): value is UnknownObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** Shows a value in a reason: its type, and the value itself if it is short. */
export function show(value: unknown): string {
  if (isMissing(value)) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Date) return 'a timestamp';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'string') return `the string ${quote(value)}`;
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'symbol') return 'a symbol';
  return `the ${typeof value} ${String(value)}`;
}

const SHOWN_LENGTH_MAX = 80;

/** The text in quotes, shortened, and always on one line. */
export function quote(text: string): string {
  const shown = text.length > SHOWN_LENGTH_MAX ? `${text.slice(0, SHOWN_LENGTH_MAX)}…` : text;
  return JSON.stringify(shown);
}

/** The path of a member; keys that would be ambiguous after a dot (`nvidia.com/gpu`) are in brackets. */
export function member(field: string, key: string): string {
  if (!PLAIN_KEY.test(key)) return `${field}[${key.length > SHOWN_LENGTH_MAX ? quote(key) : key}]`;
  return field === '' ? key : `${field}.${key}`;
}

const PLAIN_KEY = /^[\w-]{1,80}$/;
