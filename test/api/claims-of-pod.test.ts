import { expect, it } from 'vitest';
import { isReservedFor } from '../../src/api/claims-of-pod.ts';
import type { ResourceClaimConsumerReference } from '../../src/api/resource-claims.ts';

const reserved = (...reservedFor: ResourceClaimConsumerReference[]) => ({ status: { reservedFor } });
const GROUP = { apiGroup: 'scheduling.k8s.io', resource: 'podgroups', name: 'g', uid: 'group' };

it('tells users of a claim apart by uid, and by name where they have none', () => {
  const claim = reserved({ resource: 'pods', name: 'a', uid: '1' }, { resource: 'pods', name: 'b', uid: '' });
  expect(isReservedFor(claim, { uid: '1', name: 'a' })).toBe(true);
  expect(isReservedFor(claim, { uid: '2', name: 'a' })).toBe(false);
  expect(isReservedFor(claim, { uid: '', name: 'b' })).toBe(true);
  expect(isReservedFor(claim, { uid: '', name: 'a' })).toBe(false);
  expect(isReservedFor({}, { uid: '', name: '' })).toBe(false);
});

it('lets the pods of a group use what is reserved for the group', () => {
  const pod = { uid: '1', name: 'a' };
  expect(isReservedFor(reserved(GROUP), pod, 'g')).toBe(true);
  expect(isReservedFor(reserved(GROUP), pod, 'h')).toBe(false);
  expect(isReservedFor(reserved(GROUP), pod)).toBe(false);
  expect(isReservedFor(reserved({ ...GROUP, apiGroup: 'other' }), pod, 'g')).toBe(false);
  expect(isReservedFor(reserved(GROUP), { uid: 'group', name: 'g' })).toBe(true);
});
