import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ResourceClaim } from '../../../src/api/resource-claims.ts';
import { validateObject } from '../../../src/api/validation/objects.ts';
import { isChangedClaimValid } from '../../../src/api/validation/resource-claims.ts';
import { storedMetadata } from '../../../src/api/validation/stored-metadata.ts';
import { makeDeviceClaim, makeSlice, withDevices } from '../../builders/make-devices.ts';

const VALID = withDevices(
  {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    ...makeDeviceClaim('c', [1]),
  },
  'a',
  ['d0'],
  ['p'],
);

/** Values of each part, good and bad; a part that is not drawn is that of the valid claim. */
const PARTS = {
  apiVersion: ['resource.k8s.io/v2', undefined],
  kind: ['Claim'],
  metadata: [
    { ...VALID.metadata, name: 'd' },
    { ...VALID.metadata, name: 'No Name' },
    { ...VALID.metadata, namespace: 'a/b' },
    { ...VALID.metadata, labels: { a: 'b' } },
    { ...VALID.metadata, annotations: { 'a b': 'c' } },
    { ...VALID.metadata, finalizers: ['example.com/kept'] },
    { ...VALID.metadata, finalizers: ['kept'] },
    { ...VALID.metadata, ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' }] },
    { ...VALID.metadata, ownerReferences: [{ apiVersion: '', kind: 'Pod', name: 'p', uid: 'u' }] },
    undefined,
  ],
  spec: [{}, { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 7 } }] } }, 'all', undefined],
  status: [{}, { reservedFor: [{ resource: 'pods', name: 'p' }] }, { reservedFor: [] }, [], undefined],
};

test('a changed claim is valid if all of it is', () => {
  const draw = Object.fromEntries(Object.entries(PARTS).map(([name, values]) => [name, fc.constantFrom(...values)]));
  fc.assert(
    fc.property(fc.record(draw, { requiredKeys: [] }), (parts) => {
      const claim = { ...VALID, ...parts } as ResourceClaim;
      const problems = validateObject('ResourceClaim', claim);
      storedMetadata(claim.metadata, 'metadata', problems);
      expect(isChangedClaimValid(claim, VALID)).toBe(problems.length === 0 && claim.apiVersion === VALID.apiVersion);
    }),
  );
});

test('the time of a taint, and how long it is tolerated, are checked', () => {
  const problemsOf = (timeAdded: unknown): unknown => {
    const taints = [{ key: 'k', effect: 'NoExecute', timeAdded: timeAdded as string }];
    return validateObject('ResourceSlice', makeSlice('n', [{ name: 'd', taints }])).map(({ field }) => field);
  };
  const field = 'spec.devices[0].taints[0].timeAdded';
  expect(['2026-01-01T00:00:00Z', undefined, 'yesterday', 7].map(problemsOf)).toEqual([[], [], [field], [field]]);
  const tolerations = [{ effect: 'NoExecute', tolerationSeconds: '5' as unknown as number }];
  const claim = makeDeviceClaim('c', [{ name: 'r', exactly: { deviceClassName: 'gpu', tolerations } }]);
  expect(validateObject('ResourceClaim', claim).map((problem) => problem.field)).toEqual([
    'spec.devices.requests[0].exactly.tolerations[0].tolerationSeconds',
  ]);
});
