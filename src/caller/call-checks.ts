import { show } from '../api/validation/check.ts';
import { SchedulerError } from '../framework/scheduler-error.ts';
import { CodedError } from '../lib/errors.ts';

const LONGEST_DEADLINE_MILLIS = 2 ** 31 - 1;

/** Calls a step of the library; what a caller can cause is thrown as a SchedulerError. */
export function asCaller<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw asSchedulerError(error);
  }
}

/** Turns an error of a room below, which has a code of its own, into one of the library. */
export function asSchedulerError(error: unknown): unknown {
  if (error instanceof SchedulerError || !(error instanceof CodedError)) return error;
  return new SchedulerError(error.code === 'OutOfMemory' ? 'OutOfMemory' : 'Invalid', error.message);
}

export function invalid(message: string): SchedulerError {
  return new SchedulerError('Invalid', message);
}

/** Checks an object with options: only known names. Errors: Invalid. */
export function checkNames(what: string, options: unknown, names: readonly string[]): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw invalid(`${what}: must be an object, not ${show(options)}`);
  }
  for (const name of Object.keys(options)) {
    if (!names.includes(name)) throw invalid(`${what} ${JSON.stringify(name)}: there is no such option`);
  }
}

/** Checks when a decision is given up. Errors: Invalid. */
export function checkAsyncOptions(options: unknown): void {
  checkNames('option', options, ['signal', 'deadlineMillis']);
  const { signal, deadlineMillis } = options as Readonly<Record<string, unknown>>;
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    throw invalid(`option signal: must be an AbortSignal, not ${show(signal)}`);
  }
  if (deadlineMillis === undefined) return;
  const isTime = typeof deadlineMillis === 'number' && deadlineMillis >= 0 && deadlineMillis <= LONGEST_DEADLINE_MILLIS;
  if (!isTime) throw invalid(`option deadlineMillis: ${show(deadlineMillis)} is no number of milliseconds`);
}
