import { CodedError } from '../../lib/errors.ts';

/** A sync that could not do all that it should have: it is tried again. `cause` is the error that stood in its way. */
export class SyncError extends CodedError<'SyncFailed'> {
  constructor(message: string, cause?: unknown) {
    super('SyncFailed', message);
    this.cause = cause;
  }
}

/** The error with what was being done before its text. */
export function whileDoing(activity: string, error: unknown): SyncError {
  return new SyncError(`${activity}: ${messageOf(error)}`, error);
}

/** Several errors as one; the only one as it is. */
export function joined(errors: readonly unknown[]): unknown {
  if (errors.length === 1) return errors[0];
  const distinct = [...new Set(errors.map(messageOf))];
  return new SyncError(distinct.length === 1 ? (distinct[0] as string) : `[${distinct.join(', ')}]`, errors[0]);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
