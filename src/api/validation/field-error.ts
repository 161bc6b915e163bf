import type { Problem } from './check.ts';

/** Field errors in the API's own words (apimachinery/pkg/util/validation/field/errors.go). */

export function invalidValue(field: string, value: unknown, detail: string): Problem {
  return { field, reason: `Invalid value: ${shown(value)}: ${detail}` };
}

/**
 * An invalid field whose value is not shown, because it is a large object, or the problem is between several fields.
 */
export function invalidField(field: string, detail: string): Problem {
  return { field, reason: `Invalid value: ${detail}` };
}

export function requiredValue(field: string, detail = ''): Problem {
  return { field, reason: detail === '' ? 'Required value' : `Required value: ${detail}` };
}

export function duplicateValue(field: string, value: unknown): Problem {
  return { field, reason: `Duplicate value: ${shown(value)}` };
}

export function unsupportedValue(field: string, value: unknown, supported: readonly string[]): Problem {
  const known = supported.map((text) => JSON.stringify(text)).join(', ');
  return { field, reason: `Unsupported value: ${shown(value)}: supported values: ${known}` };
}

export function tooMany(field: string, count: number, maxCount: number): Problem {
  return { field, reason: `Too many: ${count}: must have at most ${maxCount} items` };
}

export function tooLong(field: string, maxBytes: number): Problem {
  return { field, reason: `Too long: may not be more than ${maxBytes} bytes` };
}

/** Appends a problem when the number is below zero; a missing one is fine. */
export function notNegative(value: number | undefined, field: string, problems: Problem[]): void {
  if (value !== undefined && value < 0) {
    problems.push(invalidValue(field, value, 'must be greater than or equal to 0'));
  }
}

export function immutable(field: string, value: unknown): Problem {
  return invalidValue(field, value, 'field is immutable');
}

function shown(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}

export function forbidden(field: string, rule: string): Problem {
  return { field, reason: `Forbidden: ${rule}` };
}
