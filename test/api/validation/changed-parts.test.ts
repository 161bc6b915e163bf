import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Event } from '../../../src/api/event.ts';
import type { ObjectMeta } from '../../../src/api/meta.ts';
import type { PodStatus } from '../../../src/api/pod.ts';
import type { ResourceClaimStatus } from '../../../src/api/resource-claims.ts';
import type { Problem } from '../../../src/api/validation/check.ts';
import { isChangedEventValid, validateEvent } from '../../../src/api/validation/event-and-lease.ts';
import { checkChangedMetadata } from '../../../src/api/validation/metadata.ts';
import { validateObject } from '../../../src/api/validation/objects.ts';
import { checkChangedStatus, podStatus } from '../../../src/api/validation/pod.ts';
import { isFrozenStatusValid } from '../../../src/api/validation/resource-claims.ts';
import { storedMetadata, storedMetadataWithFreeFinalizers } from '../../../src/api/validation/stored-metadata.ts';
import { deepFrozen } from '../../../src/lib/deep-frozen.ts';

/** What a text may be, and what it may be by mistake. */
const text = fc.constantFrom<unknown>('a', 'a', 'a', 'b', '', 7, null, undefined, ['a']);
const flag = fc.constantFrom<unknown>(true, undefined, undefined, 'true');

function problems(check: (found: Problem[]) => void): Problem[] {
  const found: Problem[] = [];
  check(found);
  return found;
}

const owner = fc.record(
  {
    apiVersion: fc.constantFrom<unknown>('v1', 'v1', 'v1', 'batch/v1', 'a/b/c', '', 1, undefined),
    kind: fc.constantFrom<unknown>('Pod', 'Pod', 'Event', '', 7, undefined),
    ...{ name: text, uid: text, controller: flag, blockOwnerDeletion: flag },
  },
  { requiredKeys: ['kind', 'name', 'uid'] },
);

it('owners are found to be valid as in a check of all metadata', () => {
  const owners = fc.oneof(fc.array(fc.oneof(owner, fc.constant(null)), { maxLength: 2 }), fc.constant('Pod'));
  fc.assert(
    fc.property(owners, (ownerReferences) => {
      const known: ObjectMeta = { name: 'a', namespace: 'default', uid: 'u' };
      const metadata = { ...known, ownerReferences } as ObjectMeta;
      const changed = problems((found) => checkChangedMetadata(metadata, known, found));
      const all = problems((found) => {
        const claim = { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim', metadata, spec: {}, status: {} };
        found.push(...validateObject('ResourceClaim', claim));
        storedMetadata(metadata, 'metadata', found);
      });
      expect(changed.length > 0).toBe(all.length > 0);
    }),
  );
});

const result = fc.record(
  { request: text, driver: text, pool: text, device: text, adminAccess: flag, shareID: text, tolerations: text },
  { requiredKeys: ['request', 'driver', 'pool', 'device'] },
);
const selectors = ['In', 'In', 'Sometimes'].map((operator, i) =>
  deepFrozen({ nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator, values: [`node-${i}`] }] }] }),
);
const plain = { request: 'r', driver: 'd', pool: 'p', device: 'gpu-0' };
const claimStatus = fc.record(
  {
    allocation: fc.record(
      {
        devices: fc.record(
          {
            results: fc.oneof(fc.array(fc.oneof(fc.constant(plain), result), { maxLength: 2 }), text),
            config: fc.constantFrom<unknown>(undefined, [], 7),
          },
          { requiredKeys: ['results'] },
        ),
        nodeSelector: fc.constantFrom<unknown>(...selectors, undefined, 'node-0'),
      },
      { requiredKeys: ['devices'] },
    ),
    reservedFor: fc.array(fc.record({ resource: text, name: text, uid: text }), { maxLength: 2 }),
    devices: fc.constantFrom<unknown>(undefined, [], 'gpu-0'),
  },
  { requiredKeys: [] },
);

it('statuses of claims are found to be valid as in a check of the whole claim', () => {
  fc.assert(
    fc.property(claimStatus, (given) => {
      const status = deepFrozen(structuredClone(given)) as ResourceClaimStatus;
      const shared = given.allocation?.nodeSelector;
      const known =
        typeof shared === 'object' && status.allocation !== undefined
          ? deepFrozen({ ...status, allocation: { ...status.allocation, nodeSelector: shared } })
          : status;
      const claim = { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim', metadata: { name: 'c' }, status: known };
      const isValid = validateObject('ResourceClaim', claim).length === 0;
      expect(isFrozenStatusValid(known as ResourceClaimStatus)).toBe(isValid);
      expect(isFrozenStatusValid(known as ResourceClaimStatus)).toBe(isValid);
    }),
    { numRuns: 500 },
  );
});

it('a changed status of a pod has the problems of a status that is checked as a whole', () => {
  const conditions = [{ type: 'PodScheduled', status: 'True' }];
  const ready = { type: 'Ready', status: 'True', reason: 'Fine' };
  const statuses = [{ name: 'a' }];
  const known: PodStatus = { phase: 'Pending', conditions, containerStatuses: statuses };
  const status = fc.record(
    {
      phase: fc.constantFrom<unknown>('Pending', 'Pending', 'Running', 'Gone'),
      conditions: fc.constantFrom<unknown>(
        conditions,
        conditions,
        [...conditions, ready],
        [{ type: '' }],
        [null],
        'none',
      ),
      containerStatuses: fc.constantFrom<unknown>(
        ...[undefined, null, statuses, [...statuses, { name: 'b' }], [{ name: '' }], [{ name: 7 }], [null]],
        ...[[{ name: 'a', resources: { requests: { cpu: '1' } } }], [{ name: 'a', resources: 'all' }]],
        [{ name: 'a', allocatedResources: { cpu: 'much' } }],
      ),
      nominatedNodeName: fc.constantFrom<unknown>('node-a', '', 'Node A', 7, undefined),
      startTime: fc.constantFrom<unknown>(undefined, '2026-01-01T00:00:00Z', 'noon'),
      resourceClaimStatuses: fc.constant([{ name: 'gpu', resourceClaimName: 'a' }]),
    },
    { requiredKeys: ['phase', 'conditions'] },
  );
  fc.assert(
    fc.property(status, (given) => {
      const changed = problems((found) => checkChangedStatus(given as PodStatus, known, found));
      expect(changed).toEqual(problems((found) => podStatus(given, 'status', found)));
    }),
  );
});

it('a changed event is taken to be valid only if a check of all of it finds nothing', () => {
  const metadata = { name: 'a.1', namespace: 'default', uid: 'u', resourceVersion: '7', creationTimestamp: TIME };
  const source = { component: 'scheduler' };
  const involvedObject = { apiVersion: 'v1', kind: 'Pod', namespace: 'default', name: 'a', uid: 'v' };
  const known: Event = {
    ...{ apiVersion: 'v1', kind: 'Event', metadata, involvedObject, reason: 'Scheduled', message: 'to a node' },
    ...{ type: 'Normal', source, firstTimestamp: TIME, lastTimestamp: TIME, count: 1, reportingComponent: 'scheduler' },
  };
  const changes: fc.Arbitrary<object> = fc.record(
    {
      metadata: fc
        .record(
          {
            name: fc.constantFrom<unknown>('b.2', 'B', '', 7, undefined),
            namespace: fc.constantFrom<unknown>('default', 'other', undefined),
            labels: fc.constantFrom<unknown>({ a: 'b' }, { a: 7 }),
            finalizers: fc.constantFrom<unknown>(['a/b'], ['?']),
          },
          { requiredKeys: [] },
        )
        .map((parts) => ({ ...metadata, ...parts })),
      involvedObject: fc
        .record({ kind: text, namespace: text, name: text, fieldPath: text }, { requiredKeys: [] })
        .map((parts) => ({ ...involvedObject, ...parts })),
      ...{ reason: text, message: text, type: text, action: text, reportingInstance: text, apiVersion: text },
      source: fc.constantFrom<unknown>(source, { component: 7 }, undefined),
      firstTimestamp: fc.constantFrom<unknown>(TIME, '2026-01-01T00:00:01Z', 'noon', undefined, new Date(0)),
      lastTimestamp: fc.constantFrom<unknown>(TIME, '2026-02-30T00:00:01', 7, new Date(Number.NaN)),
      count: fc.constantFrom<unknown>(1, 2, 0, -1, 1.5, 2 ** 31, '1', undefined),
    },
    { requiredKeys: [] },
  );
  let validCount = 0;
  fc.assert(
    fc.property(changes, fc.nat(20), fc.nat(20), (parts, ...places) => {
      const drawn = Object.entries(parts).filter((_, i) => places.includes(i));
      const event = { ...known, ...Object.fromEntries(drawn) } as Event;
      if (!isChangedEventValid(event, known)) return;
      validCount++;
      const all = problems((found) => {
        found.push(...validateEvent(event));
        storedMetadataWithFreeFinalizers(event.metadata, 'metadata', found);
      });
      expect(all).toEqual([]);
    }),
    { numRuns: 3000 },
  );
  expect(validCount).toBeGreaterThan(50);
  expect(isChangedEventValid({ ...known, metadata: { ...metadata, name: 'b.2' }, message: 'to b' }, known)).toBe(true);
});

const TIME = '2026-01-01T00:00:00Z';
