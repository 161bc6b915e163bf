import { CodedError } from '../../lib/errors.ts';

/**
 * A sync that could not do everything that it should have, so that it is retried. `cause` is the error that prevented
 * it.
 */
export class SyncError extends CodedError<'SyncFailed'> {
  constructor(message: string, cause?: unknown) {
    super('SyncFailed', message);
    this.cause = cause;
  }
}

/** The error with the failed activity in front of its text. */
export function whileDoing(activity: string, error: unknown): SyncError {
  return new SyncError(`${activity}: ${messageOf(error)}`, error);
}

/** Several errors as one; a single error as it is. */
export function joined(errors: readonly unknown[]): unknown {
  if (errors.length === 1) return errors[0];
  const distinct = [...new Set(errors.map(messageOf))];
  return new SyncError(distinct.length === 1 ? (distinct[0] as string) : `[${distinct.join(', ')}]`, errors[0]);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
