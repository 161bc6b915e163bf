import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Pod } from '../../src/api/pod.ts';
import { ObjectChecks } from '../../src/caller/object-checks.ts';
import { arbitraryBadValue, spoiled } from '../core/spoil.ts';
import { answerOf } from './check-answer.ts';

const spec = { containers: [{ name: 'c', image: 'i' }] };

const arbitraryMetadata = fc.record(
  {
    name: fc.constantFrom('a', 'b-1', 'c.d', 'Bad_Name', ''),
    generateName: fc.constantFrom('a-', 'b-'),
    namespace: fc.constantFrom('default', 'x', 'Bad_Space'),
    uid: fc.string({ maxLength: 3 }),
    resourceVersion: fc.constantFrom('1', '2'),
    creationTimestamp: fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z', 'never'),
    labels: fc.dictionary(fc.constantFrom('app', 'bad key'), fc.constantFrom('web', 'db', '-')),
    annotations: fc.dictionary(fc.constantFrom('note', 'bad key'), fc.constantFrom('x', 'y')),
    ownerReferences: fc.array(
      fc.record({
        ...{ apiVersion: fc.constant('apps/v1'), kind: fc.constantFrom('ReplicaSet', ''), name: fc.constant('r') },
        ...{ uid: fc.constant('u'), controller: fc.boolean() },
      }),
      { maxLength: 2 },
    ),
  },
  { requiredKeys: ['name'] },
);

const arbitraryStatus = fc.option(
  fc.record(
    {
      phase: fc.constantFrom('Pending', 'Odd'),
      qosClass: fc.constant('Burstable'),
      startTime: fc.oneof(
        fc.constantFrom('2026-01-01T00:00:00Z', '2026-02-28T23:59:59Z', '2026-02-30T00:00:00Z', '2026-13-01T00:00:00Z'),
        fc.constantFrom<unknown[]>('2026-01-01T24:00:00Z', '2026-01-31T00:00:00+01:00', 'never', 7, new Date(0)),
      ),
      resourceClaimStatuses: fc.array(
        fc.record({ name: fc.constantFrom('gpu', 'nic'), resourceClaimName: fc.constantFrom('a', 'b', 'Bad_Name', 7) }),
        { maxLength: 2 },
      ),
      message: fc.constantFrom('resourceClaimName', 'phase'),
    },
    { requiredKeys: [] },
  ),
  { nil: undefined },
);

const arbitraryPods = fc.array(
  fc.record({ metadata: arbitraryMetadata, status: arbitraryStatus, place: fc.nat(60), bad: arbitraryBadValue }),
  { minLength: 1, maxLength: 30 },
);

describe('metadata that was checked before', () => {
  test.each([true, false])('is answered as if it was checked anew, thoroughly: %s', (isThorough) => {
    fc.assert(
      fc.property(arbitraryPods, (drawn) => {
        const checks = new ObjectChecks(isThorough);
        for (const { metadata, status, place, bad } of drawn) {
          for (const parts of [{ metadata, status }, spoiled({ metadata, status }, place, bad), { metadata, status }]) {
            const pod = { ...parts, spec } as Pod;
            expect(answerOf(checks, pod)).toEqual(answerOf(new ObjectChecks(isThorough), pod));
          }
        }
      }),
      { numRuns: 200 },
    );
  });
});

test('pods have one form if their metadata differ in names, uids and versions only', () => {
  const checks = new ObjectChecks(true);
  const formOf = (metadata: object) => {
    const pod = { metadata: { name: 'a', labels: { app: 'web' }, generateName: 'a-', ...metadata }, spec } as Pod;
    return checks.metadataFormOf(checks.checkPodOfKnownSignature(pod));
  };
  const form = formOf({});
  expect(form).not.toBe(null);
  expect(formOf({ name: 'b', uid: 'u', resourceVersion: '7' })).toBe(form);
  expect(formOf({ labels: { app: 'db' } })).not.toBe(form);
  expect(formOf({ namespace: 'x' })).not.toBe(form);
  expect(formOf({ deletionTimestamp: '2026-01-01T00:00:00Z' })).not.toBe(form);
  expect(formOf({ ownerReferences: [{ apiVersion: 'v1', kind: 'K', name: 'n', uid: 'u' }] })).not.toBe(form);
  expect(formOf({})).toBe(form);
  expect(checks.metadataFormOf({ metadata: { name: 'a' } })).toBe(null);
});

test('pods have one form if their claims differ in names only', () => {
  const checks = new ObjectChecks(true);
  const formOf = (...resourceClaimStatuses: object[]) => {
    const pod = { metadata: { name: 'a' }, status: { resourceClaimStatuses, phase: 'Pending' }, spec } as Pod;
    return checks.metadataFormOf(checks.checkPodOfKnownSignature(pod));
  };
  const form = formOf({ name: 'gpu', resourceClaimName: 'a-gpu' });
  expect(form).not.toBe(null);
  expect(formOf({ name: 'gpu', resourceClaimName: 'b-gpu' })).toBe(form);
  expect(formOf({ name: 'nic', resourceClaimName: 'a-gpu' })).not.toBe(form);
  expect(formOf({ name: 'gpu' })).not.toBe(form);
  expect(formOf()).not.toBe(form);
  const two = [{ name: 'gpu', resourceClaimName: 'c' }, { name: 'nic' }];
  expect(formOf(...two)).not.toBe(form);
  expect(formOf({ name: 'gpu', resourceClaimName: 'd' }, { name: 'nic' })).toBe(formOf(...two));
});
