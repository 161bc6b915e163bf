import { canonicalQuantity, formatBytes, quantityNano } from '../../api/quantity-text.ts';
import { objectAt, textAt } from '../defaults/members.ts';
import { forbiddenField, invalidValue, requiredValue } from '../object/field-errors.ts';
import type { JsonObject } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { compareAmounts } from './checks.ts';
import { setErrors } from './device-names.ts';

/** What parts of a device's capacity can be requested (pkg/apis/resource/validation, validateRequestPolicy). */

const VALUES_MAX = 10;
const UNIT = 1_000_000_000n;

/** `isShared`: whether the device can be allocated several times. */
export function deviceCapacityErrors(field: string, capacity: JsonObject, isShared: boolean): FieldError[] {
  const policy = objectAt(capacity, 'requestPolicy');
  if (policy === undefined) return [];
  const at = `${field}.requestPolicy`;
  if (!isShared) return [forbiddenField(at, 'allowMultipleAllocations must be true')];
  const values = Array.isArray(policy['validValues']) ? policy['validValues'].map(String) : [];
  const range = objectAt(policy, 'validRange');
  if (values.length > 0 && range !== undefined) {
    const why = 'exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time';
    return [forbiddenField(at, why)];
  }
  if (values.length === 0 && range === undefined) return [];
  const name = range === undefined ? 'validValues' : 'validRange';
  const standard = textAt(policy, 'default');
  if (standard === '') return [requiredValue(`${at}.default`, `required when ${name} is defined`)];
  const limits: Limits = { standard, capacity: textAt(capacity, 'value') || '0' };
  if (range !== undefined) return rangeErrors(`${at}.validRange`, range, limits);
  return valueErrors(`${at}.validValues`, values, limits);
}

interface Limits {
  /** What is requested where nothing is said. */
  readonly standard: string;
  readonly capacity: string;
}

function valueErrors(field: string, values: readonly string[], { standard, capacity }: Limits): FieldError[] {
  const errors: FieldError[] = [];
  for (const [i, value] of values.entries()) {
    const next = values[i + 1];
    if (next === undefined || compareAmounts(value, next) <= 0) continue;
    errors.push(invalidValue(`${field}[${i + 1}]`, next, 'values must be sorted in ascending order'));
  }
  const tooLarge = `option is larger than capacity value: ${capacity}`;
  const check = (path: string, value: string): FieldError[] =>
    compareAmounts(value, capacity) > 0 ? [invalidValue(path, value, tooLarge)] : [];
  errors.push(...setErrors(field, values, VALUES_MAX, check, decimalText));
  const isKnown = values.length <= VALUES_MAX && values.some((value) => compareAmounts(value, standard) === 0);
  if (isKnown) return errors;
  return [...errors, invalidValue(field, standard, 'default value is not valid according to the requestPolicy')];
}

/** An amount as a decimal number, without a suffix. */
function decimalText(amount: string): string {
  const nano = quantityNano(amount);
  const fraction = String(nano % UNIT)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return fraction === '' ? String(nano / UNIT) : `${nano / UNIT}.${fraction}`;
}

function rangeErrors(field: string, range: JsonObject, { standard, capacity }: Limits): FieldError[] {
  const [min, max, step] = ['min', 'max', 'step'].map((name) => textAt(range, name) || undefined);
  if (min === undefined) return [requiredValue(`${field}.min`, 'required when validRange is defined')];
  const errors: FieldError[] = [];
  const ordered = (name: string, value: string, low: string, high: string, why: string): void => {
    if (compareAmounts(low, high) > 0) errors.push(invalidValue(`${field}.${name}`, value, why));
  };
  ordered('min', min, min, capacity, `min is larger than capacity value: ${capacity}`);
  ordered('min', standard, min, standard, `default is less than min: ${min}`);
  if (max !== undefined) {
    ordered('max', min, min, max, `min is larger than max: ${max}`);
    ordered('max', max, max, capacity, `max is larger than capacity value: ${capacity}`);
    ordered('max', standard, standard, max, `default is more than max: ${max}`);
  }
  if (step === undefined) return errors;
  const at = `${field}.step`;
  if (compareAmounts(step, '0') <= 0) return [...errors, invalidValue(at, step, 'must be greater than zero')];
  const first = sumText(min, step);
  ordered('step', step, first, capacity, `one step ${first} is larger than capacity value: ${capacity}`);
  for (const value of [standard, max]) {
    if (value === undefined || (whole(value) - whole(min)) % whole(step) === 0n) continue;
    errors.push(invalidValue(at, value, `value is not a multiple of a given step (${step}) from (${min})`));
  }
  return errors;
}

/** A sum is written in the form of its first part, unless that is zero. */
function sumText(a: string, b: string): string {
  const nano = quantityNano(a) + quantityNano(b);
  const form = quantityNano(a) === 0n ? b : a;
  return form.endsWith('i') && nano % UNIT === 0n ? formatBytes(nano / UNIT) : canonicalQuantity(`${nano}n`);
}

/** An amount, rounded up to its unit. */
function whole(amount: string): bigint {
  return (quantityNano(amount) + UNIT - 1n) / UNIT;
}
