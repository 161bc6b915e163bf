import { show } from '../api/validation/check.ts';
import { SchedulerError } from '../framework/scheduler-error.ts';

// Checks of the values of options, for callers that do not use TypeScript. Errors: Invalid.

export function checkOneOf(name: string, value: string | undefined, known: readonly string[]): void {
  if (value === undefined || known.includes(value)) return;
  throw new SchedulerError('Invalid', `option ${name}: ${textOf(value)} is none of ${known.join(', ')}`);
}

export function checkInteger(name: string, value: number | undefined, least: number, most: number, or = ''): void {
  if (value === undefined || (Number.isInteger(value) && value >= least && value <= most)) return;
  throw new SchedulerError(
    'Invalid',
    `option ${name}: ${textOf(value)} is not ${or}an integer from ${least} to ${most}`,
  );
}

export function checkBoolean(name: string, value: boolean | undefined): void {
  if (value === undefined || typeof value === 'boolean') return;
  throw new SchedulerError('Invalid', `option ${name}: ${textOf(value)} is neither true nor false`);
}

export function checkObject(name: string, value: object | null | undefined): void {
  if (value === undefined || value === null || (typeof value === 'object' && !Array.isArray(value))) return;
  throw new SchedulerError('Invalid', `option ${name}: must be an object, not ${show(value)}`);
}

/** `value`: undefined or null for none. */
export function checkMethods(name: string, value: object | null | undefined, methods: readonly string[]): void {
  const members = (value ?? null) as Readonly<Record<string, unknown>> | null;
  const lacks = members === null ? undefined : methods.find((method) => typeof members[method] !== 'function');
  if (lacks !== undefined) throw new SchedulerError('Invalid', `option ${name}: it has no method ${lacks}`);
}

/** A value of any type for an error message. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : show(value);
}
