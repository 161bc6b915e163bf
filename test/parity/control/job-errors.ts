import { messageOf } from '../../../src/controllers/job/sync-error.ts';
import { CodedError } from '../../../src/lib/errors.ts';
import { ApiError } from '../../../src/store/objects/api-error.ts';
import type { Observation } from './job-case.ts';

const KINDS: Readonly<Record<string, string>> = {
  Conflict: 'conflict',
  Invalid: 'invalidStatus',
  InternalError: 'internal',
  Forbidden: 'forbidden',
  NotFound: 'notFound',
};

/** What a sync threw, as the recording shows it. `expected`: `*` where any of several errors is right. */
export function observedError(error: unknown, expected: unknown): Observation {
  if (error === undefined) return { error: null };
  if (expected === '*') return { error: '*', errorKind: 'any' };
  if (error instanceof CodedError && error.code === 'StaleCache') {
    const text = error.message.replaceAll(/(?<=version: )\d+|(?<=group resource ).*/g, '*');
    return { error: text, errorKind: 'staleCache' };
  }
  return { error: messageOf(error), errorKind: kindOf(error) };
}

function kindOf(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (/ has just been deleted at /.test(cause.message) && cause.cause === undefined) return 'jobBeingDeleted';
    if (cause instanceof ApiError) return KINDS[cause.reason] ?? 'other';
  }
  return 'other';
}
