import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/kinds/object/json.ts';
import { claimStatusErrors } from '../../../src/kinds/validation/claim-statuses.ts';

const SPEC = { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'c' } }] } };
const RESULT = { request: 'r', driver: 'd.example.com', pool: 'p', device: 'dev-0' };
const USER = { resource: 'pods', name: 'pod', uid: 'u' };

const problems = (status: JsonObject, old: JsonObject = {}, metadata: JsonObject = {}): string[] =>
  claimStatusErrors({ metadata, spec: SPEC, status }, { spec: SPEC, status: old }).map(
    ({ field, message }) => `${field}: ${message}`,
  );
const allocated = (...results: JsonObject[]): JsonObject => ({ devices: { results } });

describe('the status of a claim', () => {
  it('says who uses what is allocated', () => {
    expect(problems({ allocation: allocated(RESULT), reservedFor: [USER] })).toEqual([]);
    expect(problems({ reservedFor: [{ uid: 'u' }, USER] })).toEqual([
      'status.reservedFor[0].resource: Required value',
      'status.reservedFor[0].name: Required value',
      'status.reservedFor[1]: Duplicate value: "u"',
      'status.reservedFor: Forbidden: may not be specified when `allocated` is not set',
    ]);
    const old = { allocation: allocated(RESULT), reservedFor: [USER] };
    const more = { ...old, reservedFor: [USER, { ...USER, uid: 'w' }] };
    expect(problems(more, old)).toEqual([]);
    expect(problems(old, old, { deletionTimestamp: 'now' })).toEqual([]);
    expect(problems(more, old, { deletionTimestamp: 'now' })).toEqual([
      'status.reservedFor: Forbidden: new entries may not be added while `deallocationRequested` or ' +
        '`deletionTimestamp` are set',
    ]);
  });

  it('allocates once, for its requests', () => {
    const old = { allocation: allocated({ ...RESULT, request: 'gone' }) };
    expect(problems(old, old)).toEqual([]);
    expect(problems({}, old)).toEqual([]);
    expect(problems({ allocation: allocated(RESULT) }, old)).toEqual([
      expect.stringMatching(/^status\.allocation: Invalid value: \{"Devices":.*\}: field is immutable$/),
    ]);
    const config = [{ source: 'Elsewhere', requests: ['r', 'r'] }];
    const results = [{ ...RESULT, request: 'other', device: '' }];
    expect(problems({ allocation: { devices: { results, config }, nodeSelector: {} } })).toEqual([
      expect.stringContaining('results[0].request: Invalid value: "other": must be the name of a request'),
      expect.stringContaining('results[0].device: Invalid value: "": a lowercase RFC 1123 label'),
      expect.stringContaining('config[0].source: Unsupported value: "Elsewhere"'),
      'status.allocation.devices.config[0].requests[1]: Duplicate value: "r"',
      'status.allocation.devices.config[0].opaque: Required value',
      expect.stringContaining('status.allocation.nodeSelector.nodeSelectorTerms: Required value'),
    ]);
  });

  it('reports on allocated devices', () => {
    const device = { driver: 'd.example.com', pool: 'p', device: 'dev-0' };
    const allocation = allocated(RESULT);
    expect(problems({ allocation, devices: [{ ...device, data: { a: 1 } }] })).toEqual([]);
    const conditions = Array.from({ length: 9 }, (_, i) => ({
      ...{ type: `C${i}`, status: 'True', reason: 'R', lastTransitionTime: '2026-01-01T00:00:00Z' },
    }));
    const network = { interfaceName: 'i'.repeat(257), hardwareAddress: 'h'.repeat(129) };
    const wrong = { ...device, shareID: 's', data: [], conditions, networkData: network };
    expect(problems({ allocation, devices: [device, wrong, device] })).toEqual([
      'status.devices[1]: Invalid value: d.example.com/p/dev-0/s: must be an allocated device in the claim',
      'status.devices[1].conditions: Too many: 9: must have at most 8 items',
      'status.devices[1].data: Invalid value: "<value omitted>": must be a valid JSON object',
      'status.devices[1].networkData.interfaceName: Too long: may not be more than 256 bytes',
      'status.devices[1].networkData.hardwareAddress: Too long: may not be more than 128 bytes',
      'status.devices[2]: Duplicate value: d.example.com/p/dev-0',
    ]);
  });
});
