import { describe, expect, it } from 'vitest';
import { CodedError } from '../../../src/lib/errors.ts';
import {
  ApiError,
  alreadyExists,
  conflict,
  expired,
  forbidden,
  hasCause,
  internalError,
  invalid,
  isApiError,
  isGone,
  notFound,
  timeout,
  tooManyRequests,
  unlessRefused,
} from '../../../src/store/objects/api-error.ts';

describe('ApiError', () => {
  it.each<[ApiError, string, number, string]>([
    [notFound('pods', 'p'), 'NotFound', 404, 'pods "p" not found'],
    [notFound('jobs', 'j'), 'NotFound', 404, 'jobs.batch "j" not found'],
    [alreadyExists('leases', 'l'), 'AlreadyExists', 409, 'leases.coordination.k8s.io "l" already exists'],
    [conflict('pods', 'p', 'why'), 'Conflict', 409, 'Operation cannot be fulfilled on pods "p": why'],
    [forbidden('nodes', 'n', 'why'), 'Forbidden', 403, 'nodes "n" is forbidden: why'],
    [invalid('jobs', 'j', [{ field: 'spec', reason: 'r' }]), 'Invalid', 422, 'Job.batch "j" is invalid: spec: r'],
    [invalid('pods', 'p', [{ field: '', reason: 'r' }]), 'Invalid', 422, 'Pod "p" is invalid: r'],
    [expired('too old'), 'Expired', 410, 'too old'],
    [tooManyRequests('slow down'), 'TooManyRequests', 429, 'slow down'],
    [internalError('boom'), 'InternalError', 500, 'Internal error occurred: boom'],
    [timeout('late'), 'Timeout', 504, 'Timeout: late'],
  ])('%s', (error, reason, statusCode, message) => {
    expect(error).toMatchObject({ code: reason, reason, statusCode, message });
    expect(error).toBeInstanceOf(CodedError);
    expect(isApiError(error, error.reason)).toBe(true);
    expect(isApiError(new Error(message), error.reason)).toBe(false);
  });

  it('is gone under either name', () => {
    expect([expired('x'), new ApiError('Gone', 'x'), notFound('pods', 'x'), undefined].map(isGone)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('has causes', () => {
    const error = forbidden('pods', 'p', 'why', [{ reason: 'NamespaceTerminating', message: 'm' }]);
    expect(hasCause(error, 'NamespaceTerminating')).toBe(true);
    expect(hasCause(error, 'Other')).toBe(false);
    expect(hasCause(new Error('x'), 'NamespaceTerminating')).toBe(false);
  });
});

describe('unlessRefused', () => {
  const refuse = (error: Error) => () => {
    throw error;
  };

  it('ignores refusals for the given reasons, and no other error', () => {
    const gone = notFound('pods', 'p');
    expect(unlessRefused(['NotFound'], () => 7)).toBe(7);
    expect(unlessRefused(['Conflict', 'NotFound'], refuse(gone))).toBeUndefined();
    expect(() => unlessRefused(['Conflict'], refuse(gone))).toThrow(gone);
    expect(() => unlessRefused(['NotFound'], refuse(new TypeError('a mistake')))).toThrow('a mistake');
  });
});
