import { Duration, Timestamp, Uint } from './scalars.ts';
import { CelType } from './types.ts';
import {
  type CelError,
  isList,
  MapValue,
  NO_SUCH_OVERLOAD,
  Opaque,
  Optional,
  type Outcome,
  type Value,
} from './value.ts';

/** Whether two values are equal. Numbers compare by value whatever their type, and values of other types differ. */
export function equal(a: Value, b: Value): boolean | CelError {
  if (a instanceof Opaque || b instanceof Opaque) return opaqueEqual(a, b);
  const order = compareNumbers(a, b);
  if (order !== undefined) return order === 0;
  if (isList(a)) return isList(b) && listsEqual(a, b);
  if (a instanceof MapValue) return b instanceof MapValue && mapsEqual(a, b);
  if (a instanceof Optional) return b instanceof Optional && optionalsEqual(a, b);
  if (a instanceof Uint8Array) return b instanceof Uint8Array && compareBytes(a, b) === 0;
  if (a instanceof Timestamp) return b instanceof Timestamp && a.nanoseconds === b.nanoseconds;
  if (a instanceof Duration) return b instanceof Duration && a.nanoseconds === b.nanoseconds;
  if (a instanceof CelType) return b instanceof CelType && a.name === b.name;
  return a === b;
}

function opaqueEqual(a: Value, b: Value): boolean | CelError {
  if (a instanceof Opaque && b instanceof Opaque && a.type.name === b.type.name) return a.equals(b);
  const refuses = a instanceof Opaque && a.refusesOtherTypes;
  return refuses ? NO_SUCH_OVERLOAD : false;
}

function listsEqual(a: readonly Value[], b: readonly Value[]): boolean | CelError {
  if (a.length !== b.length) return false;
  let whole: boolean | CelError = true;
  for (const [i, element] of a.entries()) {
    const one = equal(element, b[i] as Value);
    if (one === false) return false;
    if (one !== true) whole = one;
  }
  return whole;
}

function mapsEqual(a: MapValue, b: MapValue): boolean | CelError {
  if (a.size !== b.size) return false;
  for (const key of a.keys()) {
    const other = b.get(key);
    if (other === undefined) return false;
    const one = equal(a.get(key) as Value, other);
    if (one !== true) return one;
  }
  return true;
}

function optionalsEqual(a: Optional, b: Optional): boolean | CelError {
  if (a.value === undefined || b.value === undefined) return a.value === b.value;
  return equal(a.value, b.value);
}

/**
 * The order of two values as `<` sees it: below, at or above 0, NaN where a double is no number, or an error where the
 * types have no order together.
 */
export function compare(a: Value, b: Value): number | CelError {
  const order = compareNumbers(a, b);
  if (order !== undefined) return order;
  if (typeof a === 'string' && typeof b === 'string') return compareStrings(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return compareBytes(a, b);
  const isTime = a instanceof Timestamp ? b instanceof Timestamp : a instanceof Duration && b instanceof Duration;
  if (isTime) return compareIntegers((a as Duration).nanoseconds, (b as Duration).nanoseconds);
  return NO_SUCH_OVERLOAD;
}

/** The order of two numbers of any type; undefined if one is no number. */
function compareNumbers(a: Outcome, b: Outcome): number | undefined {
  const [left, right] = [numberOf(a), numberOf(b)];
  if (left === undefined || right === undefined) return undefined;
  if (typeof left === 'bigint' && typeof right === 'bigint') return compareIntegers(left, right);
  // As upstream, an integer beyond 2^53 is rounded to a double first.
  const [a64, b64] = [Number(left), Number(right)];
  if (Number.isNaN(a64) || Number.isNaN(b64)) return Number.NaN;
  if (a64 < b64) return -1;
  return a64 > b64 ? 1 : 0;
}

function numberOf(value: Outcome): bigint | number | undefined {
  if (typeof value === 'bigint' || typeof value === 'number') return value;
  return value instanceof Uint ? value.value : undefined;
}

function compareIntegers(a: bigint, b: bigint): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** By code point, which is the order of UTF-8 bytes. */
function compareStrings(a: string, b: string): number {
  if (a === b) return 0;
  const [left, right] = [[...a], [...b]];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const difference = (left[i]?.codePointAt(0) ?? 0) - (right[i]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
