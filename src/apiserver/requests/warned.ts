import { StatusError } from '../../kinds/object/status-error.ts';

/** Runs a call whose refusal is accompanied by these warnings, as its success would be. */
export function warned<T>(warnings: readonly string[], call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw withWarnings(error, warnings);
  }
}

export function withWarnings(error: unknown, warnings: readonly string[]): unknown {
  if (error instanceof StatusError) error.warnings = warnings;
  return error;
}
