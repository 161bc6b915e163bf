import { timeAtMillis } from '../../api/time.ts';
import { isObject } from '../../api/validation/check.ts';
import { badRequest } from './api-error.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * The deepest nesting that is copied. No API object comes near it; an object that contains itself would nest without
 * end.
 */
export const DEPTH_MAX = 100;

/** Fields of type metav1.MicroTime; all other times have whole seconds. */
const MICRO_TIMES: ReadonlySet<string> = new Set(['acquireTime', 'renewTime', 'eventTime']);

const NO_ITEMS: readonly unknown[] = [];
const NO_MEMBERS: Members = {};

/**
 * Copies a value as if it had gone through JSON, frozen deeply: null and undefined members are dropped, dates become
 * text. Parts that equal the same part of `like` (itself such a copy) are shared instead of copied, so the result is
 * `like` itself when everything is equal. So are parts that are, in the same place, those of `kept`, another such copy:
 * what was made of it, with some parts added, is not copied as a whole again.
 *
 * @throws ApiError BadRequest
 */
export function frozenCopy<T>(value: T, like?: unknown, kept?: unknown): T {
  return copyValue(value, like, kept, '', 0) as T;
}

/** Whether `frozenCopy` would return `like` itself. */
export function isSame(value: unknown, like: unknown): boolean {
  return sameValue(value, like, '', 0);
}

function copyValue(value: unknown, like: unknown, kept: unknown, key: string, depth: number): unknown {
  if (typeof value !== 'object') {
    if (typeof value === 'bigint') throw badRequest(`a bigint cannot be stored: ${key}`);
    return isAbsent(value) ? undefined : value;
  }
  if (value === null || value === like || value === kept) return value ?? undefined;
  if (depth > DEPTH_MAX) throw badRequest(`an object is nested deeper than ${DEPTH_MAX} levels, or contains itself`);
  if (Array.isArray(value)) {
    const items = Array.isArray(kept) ? kept : NO_ITEMS;
    return Array.isArray(like) ? copyLikeList(value, like, items, key, depth) : copyList(value, items, key, depth);
  }
  if (value instanceof Date) return textOf(value, key);
  const members = isObject(kept) ? kept : NO_MEMBERS;
  return isObject(like)
    ? copyLikeMembers(value as Members, like, members, depth)
    : copyMembers(value as Members, members, depth);
}

/** Copies an object next to another one, comparing member by member. Returns `like` itself when all are equal. */
function copyLikeMembers(value: Members, like: Members, known: Members, depth: number): Members {
  const inherits = inheritsMembers(value);
  let copy: Record<string, unknown> | undefined;
  let count = 0;
  for (const key in value) {
    if (inherits && !Object.hasOwn(value, key)) continue;
    // `__proto__` reads as an object even when there is no such member.
    if (key === '__proto__') return copyMembers(value, known, depth);
    const member = value[key];
    const other = like[key];
    const isKept = (member === other && typeof member !== 'function') || isPlain(member);
    const kept = isKept ? member : copyValue(member, other, known[key], key, depth + 1);
    if (copy === undefined) {
      if (kept === other) {
        if (other !== undefined) count++;
        continue;
      }
      copy = equalMembers(value, like, key);
    }
    if (kept !== undefined) copy[key] = kept;
  }
  if (copy === undefined && count === countMembers(like)) return like;
  return Object.freeze(copy ?? equalMembers(value, like, undefined));
}

/** The members of both that stand before one with this name, or all; they were found to be equal. */
function equalMembers(value: Members, like: Members, end: string | undefined): Record<string, unknown> {
  const inherits = inheritsMembers(value);
  const copy: Record<string, unknown> = {};
  for (const key in value) {
    if (key === end) break;
    if (inherits && !Object.hasOwn(value, key)) continue;
    const kept = isPlain(value[key]) ? value[key] : like[key];
    if (kept !== undefined) copy[key] = kept;
  }
  return copy;
}

function isPlain(member: unknown): boolean {
  const type = typeof member;
  return type === 'string' || type === 'number' || type === 'boolean';
}

/**
 * The copy is built member by member: freezing an object that was made by spreading another one takes ten times as long
 * in V8.
 */
function copyMembers(value: Members, known: Members, depth: number): Members {
  const inherits = inheritsMembers(value);
  const copy: Record<string, unknown> = {};
  for (const key in value) {
    if (inherits && !Object.hasOwn(value, key)) continue;
    const member = value[key];
    const kept = isPlain(member) ? member : copyValue(member, undefined, known[key], key, depth + 1);
    if (kept === undefined) continue;
    if (key === '__proto__') Object.defineProperty(copy, key, { value: kept, enumerable: true });
    else copy[key] = kept;
  }
  return Object.freeze(copy);
}

/** An item that JSON cannot represent becomes null, so that the other items keep their positions. */
function copyList(list: readonly unknown[], known: readonly unknown[], key: string, depth: number): readonly unknown[] {
  const copy = list.slice();
  for (let i = 0; i < copy.length; i++) copy[i] = copyValue(copy[i], undefined, known[i], key, depth + 1) ?? null;
  return Object.freeze(copy);
}

/** Copies a list next to another one, comparing item by item. Returns `like` itself when all items are equal. */
function copyLikeList(
  list: readonly unknown[],
  like: readonly unknown[],
  known: readonly unknown[],
  key: string,
  depth: number,
): readonly unknown[] {
  let copy = list.length === like.length ? undefined : list.slice();
  for (let i = 0; i < list.length; i++) {
    const item = copyValue(list[i], like[i], known[i], key, depth + 1) ?? null;
    if (copy === undefined && item === like[i]) continue;
    copy ??= like.slice();
    copy[i] = item;
  }
  return copy === undefined ? like : Object.freeze(copy);
}

function sameValue(value: unknown, like: unknown, key: string, depth: number): boolean {
  if (value === like) return true;
  if (typeof value !== 'object' || value === null) return isAbsent(value) && like === undefined;
  if (value instanceof Date) return textOf(value, key) === like;
  if (typeof like !== 'object' || like === null || depth > DEPTH_MAX) return false;
  if (Array.isArray(value)) return Array.isArray(like) && sameList(value, like, key, depth);
  return !Array.isArray(like) && sameMembers(value as Members, like as Members, depth);
}

function sameList(list: readonly unknown[], like: readonly unknown[], key: string, depth: number): boolean {
  if (list.length !== like.length) return false;
  for (let i = 0; i < list.length; i++) {
    if (!sameValue(list[i] ?? null, like[i], key, depth + 1)) return false;
  }
  return true;
}

function sameMembers(value: Members, like: Members, depth: number): boolean {
  const inherits = inheritsMembers(value);
  let count = 0;
  for (const key in value) {
    if (inherits && !Object.hasOwn(value, key)) continue;
    // `__proto__` reads as an object even when the value has no such member.
    if (key === '__proto__') return false;
    const member = value[key];
    const other = like[key];
    if (member !== other && !sameValue(member, other, key, depth + 1)) return false;
    if (other !== undefined) count++;
  }
  return count === countMembers(like);
}

function countMembers(members: Members): number {
  let count = 0;
  for (const _ in members) count++;
  return count;
}

/** Whether the member is dropped: JSON omits it, or it is null, which the API treats as absent. */
function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'function' || typeof value === 'symbol';
}

function textOf(moment: Date, key: string): string {
  const millis = moment.getTime();
  if (Number.isNaN(millis)) throw badRequest(`an invalid Date cannot be stored: ${key}`);
  return MICRO_TIMES.has(key) ? microTimeOf(millis) : timeAtMillis(millis);
}

/** The last time as text: all nodes renew their leases at once. */
let lastMicroTime = { millis: Number.NaN, text: '' };

function microTimeOf(millis: number): string {
  if (millis !== lastMicroTime.millis) {
    lastMicroTime = { millis, text: new Date(millis).toISOString().replace(/Z$/, '000Z') };
  }
  return lastMicroTime.text;
}

/** Whether `for in` would visit inherited members. */
export function inheritsMembers(object: object): boolean {
  const prototype = Object.getPrototypeOf(object);
  return prototype !== Object.prototype && prototype !== null;
}
