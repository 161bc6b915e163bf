import { millisOfTime } from '../time.ts';
import {
  type Check,
  isMissing,
  isObject,
  member,
  type ObjectCheck,
  type Problem,
  problemsOf,
  quote,
  show,
} from './check.ts';

/** Checks of basic shapes, which are composed to checks of objects. Fields without a check are ignored. */

export function object(fields: Readonly<Record<string, Check>>, ...whole: readonly ObjectCheck[]): Check {
  const keys = Object.keys(fields);
  const checks = Object.values(fields);
  const demanded = checks.map(isDemanded);
  return (value, field, problems) => {
    if (isMissing(value)) return;
    if (!isObject(value)) {
      problems.push({ field, reason: `must be an object, not ${show(value)}` });
      return;
    }
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i] as string;
      const content = value[key];
      if (content === undefined && !demanded[i]) continue;
      if (checks[i] === string && typeof content === 'string') continue;
      const found = problems.length;
      (checks[i] as Check)(content, key, problems);
      if (problems.length > found) putUnder(field, problems, found);
    }
    for (const check of whole) check(value, field, problems);
  };
}

/** Whether the check refuses a missing value. */
function isDemanded(check: Check): boolean {
  return problemsOf(check, undefined).length > 0;
}

/** Puts the parent's path in front of new problems. Doing this only for problems keeps checks of valid objects fast. */
function putUnder(parent: string, problems: Problem[], start: number): void {
  if (parent === '') return;
  for (let i = start; i < problems.length; i++) {
    const { field, reason } = problems[i] as Problem;
    const isJoined = field === '' || field.startsWith('[') || field.startsWith('.');
    problems[i] = { field: isJoined ? `${parent}${field}` : `${parent}.${field}`, reason };
  }
}

export function arrayOf(item: Check): Check {
  return (value, field, problems) => {
    if (isMissing(value)) return;
    if (!Array.isArray(value)) {
      problems.push({ field, reason: `must be a list, not ${show(value)}` });
      return;
    }
    for (let i = 0; i < value.length; i++) {
      const found = problems.length;
      if (isMissing(value[i])) problems.push({ field: '', reason: 'must not be empty' });
      else item(value[i], '', problems);
      if (problems.length > found) putUnder(`${field}[${i}]`, problems, found);
    }
  };
}

/** Checks an object that maps names to values of one kind, like labels. */
export function mapOf(key: Check, item: Check): Check {
  return (value, field, problems) => {
    if (isMissing(value)) return;
    if (!isObject(value)) {
      problems.push({ field, reason: `must be a map, not ${show(value)}` });
      return;
    }
    for (const name of Object.keys(value)) {
      key(name, field, problems);
      const entry = value[name];
      if (isMissing(entry)) continue;
      const found = problems.length;
      item(entry, '', problems);
      if (problems.length > found) putUnder(member(field, name), problems, found);
    }
  };
}

export function required(check: Check): Check {
  return (value, field, problems) => {
    if (isMissing(value) || value === '') problems.push({ field, reason: 'is required' });
    else check(value, field, problems);
  };
}

/** Requires the field; other than `required` this lets the empty string pass. */
export function present(check: Check): Check {
  return (value, field, problems) => {
    if (isMissing(value)) problems.push({ field, reason: 'is required' });
    else check(value, field, problems);
  };
}

/** Treats the empty string as a missing value. */
export function unlessEmpty(check: Check): Check {
  return (value, field, problems) => {
    if (value !== '') check(value, field, problems);
  };
}

/** Checks that the field is present and has at least one item. */
export function nonEmpty(check: Check): Check {
  return (value, field, problems) => {
    if (isMissing(value)) problems.push({ field, reason: 'is required' });
    else if (Array.isArray(value) && value.length === 0) {
      problems.push({ field, reason: 'must hold at least one item' });
    } else check(value, field, problems);
  };
}

export const string: Check = (value, field, problems) => {
  if (typeof value === 'string' || isMissing(value)) return;
  const hint = typeof value === 'number' || typeof value === 'boolean' ? ' (put it in quotes)' : '';
  problems.push({ field, reason: `must be a string, not ${show(value)}${hint}` });
};

export const boolean: Check = (value, field, problems) => {
  if (isMissing(value) || typeof value === 'boolean') return;
  problems.push({ field, reason: `must be true or false, not ${show(value)}` });
};

export function integer(min: number, max: number): Check {
  return (value, field, problems) => {
    if (isMissing(value)) return;
    if (isTextOfDigits(value)) {
      problems.push({ field, reason: `must be between ${min} and ${max}, not ${value}` });
    } else if (typeof value !== 'number' || !Number.isInteger(value)) {
      problems.push({ field, reason: `must be an integer, not ${show(value)}` });
    } else if (value < min || value > max) {
      problems.push({ field, reason: `must be between ${min} and ${max}, not ${value}` });
    }
  };
}

/** An integer of 64 bits of which the last digits do not matter: a number near it, or the text of its digits. */
export const int64: Check = (value, field, problems) => {
  if (isMissing(value)) return;
  if (isTextOfDigits(value)) {
    if (!fitsInt64(value)) problems.push(beyondInt64(field, value));
  } else if (!Number.isInteger(value)) problems.push({ field, reason: `must be an integer, not ${show(value)}` });
  else if (Math.abs(value as number) > 2 ** 63) problems.push(beyondInt64(field, value));
};

/** An `ExactInteger`: beyond 2^53 a number has lost digits. */
export const exactInt64: Check = (value, field, problems) => {
  if (!isTextOfDigits(value) && typeof value !== 'bigint') {
    int64(value, field, problems);
    const hasLostDigits = Number.isInteger(value) && !Number.isSafeInteger(value);
    if (hasLostDigits) problems.push({ field, reason: `the number ${String(value)} has lost digits: use a bigint` });
  } else if (!fitsInt64(value)) problems.push(beyondInt64(field, value));
};

const DIGITS = /^-?\d{1,30}$/;

/** Whether the value is an integer beyond 2^53, as the readers of manifests give it where its digits are shown. */
function isTextOfDigits(value: unknown): value is string {
  return typeof value === 'string' && DIGITS.test(value) && !Number.isSafeInteger(Number(value));
}

function fitsInt64(value: string | bigint): boolean {
  return BigInt.asIntN(64, BigInt(value)) === BigInt(value);
}

function beyondInt64(field: string, value: unknown): Problem {
  return { field, reason: `must be between ${-(2n ** 63n)} and ${2n ** 63n - 1n}, not ${String(value)}` };
}

export const INT32_MIN = -(2 ** 31);
export const INT32_MAX = 2 ** 31 - 1;
/** The largest integer that JSON readers represent exactly. */
export const SAFE_MAX = Number.MAX_SAFE_INTEGER;

/** Checks a string against a fixed list; `what` names the list in the reason. */
export function oneOf(what: string, ...allowed: readonly string[]): Check {
  const known = new Set(allowed);
  return (value, field, problems) => {
    if (isMissing(value)) return;
    if (typeof value !== 'string') string(value, field, problems);
    else if (!known.has(value)) {
      const names = allowed.filter((name) => name !== '').join(', ');
      problems.push({ field, reason: `unknown ${what} ${quote(value)} (known: ${names})` });
    }
  };
}

/** The last valid timestamp, since many objects are created in the same second. */
let lastGoodTimestamp = '';

/** Checks a time: RFC 3339 text or a Date. */
export const timestamp: Check = (value, field, problems) => {
  if (isMissing(value) || value === lastGoodTimestamp) return;
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) problems.push({ field, reason: 'is an invalid Date' });
  } else if (typeof value !== 'string') {
    problems.push({ field, reason: `must be a timestamp, not ${show(value)}` });
  } else if (!isTimestampText(value)) {
    problems.push({ field, reason: `malformed timestamp ${quote(value)} (expected RFC 3339: 2026-01-31T12:00:00Z)` });
  }
};

/** Whether the text is a valid time. */
export function isTimestampText(text: string): boolean {
  if (text === lastGoodTimestamp) return true;
  if (!RFC3339.test(text) || Number.isNaN(millisOfTime(text))) return false;
  lastGoodTimestamp = text;
  return true;
}

const RFC3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

/** Reports every item of a list whose `identity` occurred before; null is no identity. */
export function unique(what: string, identity: (item: unknown) => string | null): Check {
  return (value, field, problems) => {
    if (!Array.isArray(value) || value.length < 2) return;
    const seen = new Set<string>();
    for (let i = 0; i < value.length; i++) {
      const name = identity(value[i]);
      if (name === null) continue;
      if (seen.has(name)) problems.push({ field: `${field}[${i}]`, reason: `duplicate ${what} ${quote(name)}` });
      seen.add(name);
    }
  };
}

/** Reports every item of a list whose text member `key` occurred before. */
export function uniqueBy(key: string, what: string): Check {
  return unique(what, (item) => (isObject(item) && typeof item[key] === 'string' ? item[key] : null));
}

/** Applies several checks to the same value. */
export function all(...checks: readonly Check[]): Check {
  return (value, field, problems) => {
    for (const check of checks) check(value, field, problems);
  };
}
