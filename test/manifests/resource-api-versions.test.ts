import { describe, expect, it } from 'vitest';
import { inCurrentResourceVersion } from '../../src/manifests/resource-api-versions.ts';

const V1 = 'resource.k8s.io/v1';
const of = (version: string, kind: string, spec: unknown) => ({
  apiVersion: `resource.k8s.io/${version}`,
  kind,
  metadata: { name: 'x' },
  spec,
});
const current = (version: string, kind: string, spec: unknown): unknown =>
  inCurrentResourceVersion(of(version, kind, spec)).spec;

describe('inCurrentResourceVersion', () => {
  it('takes v1beta2 as it is', () => {
    const spec = { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'c' } }] } };
    expect(inCurrentResourceVersion(of('v1beta2', 'ResourceClaim', spec))).toEqual(of('v1', 'ResourceClaim', spec));
  });

  it('returns objects of the current version, and of other groups, themselves', () => {
    for (const object of [
      of('v1', 'ResourceClaim', {}),
      { apiVersion: 'v1', kind: 'Pod' },
      { kind: 'ResourceClaim' },
    ]) {
      expect(inCurrentResourceVersion(object)).toBe(object);
    }
  });

  it('puts requests of v1beta1 for one kind of device into `exactly`', () => {
    const requests = [
      { name: 'one', deviceClassName: 'c', count: 2, selectors: [{ cel: { expression: 'true' } }] },
      { name: 'any', firstAvailable: [{ name: 'sub', deviceClassName: 'c' }] },
    ];
    const [{ name, ...exactly }, any] = requests as [Record<string, unknown>, unknown];
    const expected = { devices: { requests: [{ name, exactly }, any] } };
    const spec = { devices: { requests } };
    expect(current('v1beta1', 'ResourceClaim', spec)).toEqual(expected);
    expect(current('v1beta1', 'ResourceClaimTemplate', { metadata: {}, spec })).toEqual({
      metadata: {},
      spec: expected,
    });
  });

  it('takes the parts of v1beta1 devices out of `basic`', () => {
    const basic = { attributes: { model: { string: 'a' } }, capacity: { memory: { value: '1Gi' } } };
    const spec = { driver: 'd', devices: [{ name: 'gpu-0', basic }, { name: 'gpu-1' }] };
    const devices = [{ name: 'gpu-0', ...basic }, { name: 'gpu-1' }];
    expect(current('v1beta1', 'ResourceSlice', spec)).toEqual({ driver: 'd', devices });
  });

  it('has nothing to change in a class but the version', () => {
    const object = of('v1beta1', 'DeviceClass', { selectors: [] });
    expect(inCurrentResourceVersion(object)).toEqual({ ...object, apiVersion: V1 });
  });

  it.each([undefined, null, 7, { devices: 7 }, { devices: { requests: 7 } }, { devices: [7, { basic: 7 }] }])(
    'leaves %j to those who check it',
    (spec) => {
      for (const kind of ['ResourceClaim', 'ResourceSlice']) expect(current('v1beta1', kind, spec)).toEqual(spec);
      expect(current('v1beta1', 'ResourceClaimTemplate', { spec })).toEqual({ spec });
    },
  );
});
