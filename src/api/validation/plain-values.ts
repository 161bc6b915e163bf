import { isObject, type UnknownObject } from './check.ts';
import { isGoodKey } from './names.ts';

/**
 * Parts of objects that are valid at a glance: reading members by their names takes a fraction of a walk through
 * checks, which are there to say what is wrong. What is no such part is left to the checks, which may accept it.
 */

const LONGEST_PLAIN_NAME = 63;
const DASH = 45;
const DOT = 46;
const UNDERSCORE = 95;

function isDigitOrLowerCase(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 48 && unit <= 57);
}

/** Whether a name has only lower-case letters, digits and inner dashes, which is valid. Most names have. */
export function isPlainName(name: unknown): boolean {
  if (typeof name !== 'string' || name.length === 0 || name.length > LONGEST_PLAIN_NAME) return false;
  for (let i = 0; i < name.length; i++) {
    const unit = name.charCodeAt(i);
    if (!isDigitOrLowerCase(unit) && (unit !== DASH || i === 0 || i === name.length - 1)) return false;
  }
  return true;
}

/** Whether there is no name, or a plain one. */
export function isPlainNameOrNone(name: unknown): boolean {
  return name === undefined || name === '' || isPlainName(name);
}

/** Whether the value of a label has only letters, digits and inner signs, which is valid; an empty one is, too. */
export function isPlainValue(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > LONGEST_PLAIN_NAME) return false;
  for (let i = 0; i < value.length; i++) {
    const unit = value.charCodeAt(i);
    if (isDigitOrLowerCase(unit) || (unit >= 65 && unit <= 90)) continue;
    const isInner = i > 0 && i < value.length - 1;
    if (!isInner || (unit !== DASH && unit !== DOT && unit !== UNDERSCORE)) return false;
  }
  return true;
}

/** Whether all keys and values are valid as those of labels. */
export function areLabels(labels: unknown): boolean {
  if (!isObject(labels)) return false;
  for (const key in labels) if (!isPlainValue(labels[key]) || !isGoodKey(key)) return false;
  return true;
}

export function isKey(key: unknown): boolean {
  return typeof key === 'string' && key !== '' && isGoodKey(key);
}

export function isText(value: unknown): boolean {
  return typeof value === 'string';
}

export function isTextOrNone(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

export function isFilled(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

export function isFlagOrNone(value: unknown): boolean {
  return value === undefined || typeof value === 'boolean';
}

export function isWhole(value: unknown, least: number, most: number): boolean {
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
}

/** Whether there is no value, or one of these. */
export function isOneOrNone(value: unknown, allowed: readonly string[]): boolean {
  return value === undefined || allowed.includes(value as string);
}

export function isListOf(list: unknown, isItem: (item: unknown) => boolean): boolean {
  if (!Array.isArray(list)) return false;
  for (let i = 0; i < list.length; i++) if (!isItem(list[i])) return false;
  return true;
}

export function isListOfObjects(list: unknown, isItem: (item: UnknownObject) => boolean): boolean {
  if (!Array.isArray(list)) return false;
  for (let i = 0; i < list.length; i++) {
    const item: unknown = list[i];
    if (!isObject(item) || !isItem(item)) return false;
  }
  return true;
}
