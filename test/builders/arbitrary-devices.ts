/** Device classes, slices and claims, by names from pools so small that they are replaced all the time. */
import fc from 'fast-check';
import type { AnyObject } from './arbitrary-objects.ts';
import { makeDeviceClaim, makeDeviceClass, makeSlice } from './make-devices.ts';

export const DEVICE_CLAIMS = ['x0', 'x1', 'x2', 'x3'];

const slices = (nodeNames: readonly string[]): fc.Arbitrary<AnyObject> =>
  fc
    .record({ node: fc.constantFrom(...nodeNames), devices: fc.subarray(['d0', 'd1', 'd2'], { minLength: 1 }) })
    .map(({ node, devices }) => ({ kind: 'ResourceSlice', object: makeSlice(node, devices) }));

const claims: fc.Arbitrary<AnyObject> = fc
  .record({ name: fc.constantFrom(...DEVICE_CLAIMS), count: fc.integer({ min: 1, max: 2 }), hasUid: fc.boolean() })
  .map(({ name, count, hasUid }) => {
    const claim = makeDeviceClaim(name, [count]);
    const { uid: _, ...metadata } = claim.metadata ?? {};
    return { kind: 'ResourceClaim', object: hasUid ? claim : { ...claim, metadata } };
  });

const classes: fc.Arbitrary<AnyObject> = fc
  .constantFrom('gpu', 'other')
  .map((name) => ({ kind: 'DeviceClass', object: makeDeviceClass(name) }));

export function arbitraryDeviceObject(nodeNames: readonly string[]): fc.Arbitrary<AnyObject> {
  return fc.oneof(
    { weight: 2, arbitrary: slices(nodeNames) },
    { weight: 4, arbitrary: claims },
    { weight: 1, arbitrary: classes },
  );
}
