import { expect } from 'vitest';
import { ApiError } from '../../src/store/objects/api-error.ts';

/** The error with which the call is refused. */
export function refusal(call: () => unknown): ApiError {
  try {
    call();
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError);
    return error as ApiError;
  }
  throw new Error('the call was not refused');
}
