import { describe, expect, it } from 'vitest';
import { errorOfStatus, refusalOf } from '../../../src/remote/connection/refusal.ts';

const STATUS = { kind: 'Status', reason: 'Conflict', code: 409, message: 'changed' };

describe('refusalOf', () => {
  it.each([
    [409, JSON.stringify(STATUS), 'Conflict', 'changed'],
    [403, JSON.stringify({ kind: 'Status', reason: 'Forbidden', message: 'no' }), 'Forbidden', 'no'],
    [401, '', 'Unauthorized', 'the server answered with status 401'],
    [418, 'tea\nmore', 'BadRequest', 'the server answered with status 418: tea'],
    [502, '<html>', 'InternalError', 'the server answered with status 502: <html>'],
    [503, '', 'ServiceUnavailable', 'the server answered with status 503'],
    [410, '{}', 'Gone', 'the server answered with status 410: {}'],
  ])('reads %i %s', (code, body, reason, message) => {
    expect(refusalOf(code, body)).toMatchObject({ reason, message });
  });

  it('keeps the causes', () => {
    const details = { causes: [{ reason: 'NamespaceTerminating', message: 'going', field: 'metadata' }] };
    expect(errorOfStatus({ ...STATUS, details }).causes).toEqual(details.causes);
  });
});
