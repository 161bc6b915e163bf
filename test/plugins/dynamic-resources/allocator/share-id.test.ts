import { expect, test } from 'vitest';
import { shareIdOf } from '../../../../src/plugins/dynamic-resources/allocator/share-id.ts';
import { makeDeviceClaim } from '../../../builders/make-devices.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/;

test('the ID of a share is a UUID, the same in every run, and no other share has it', () => {
  const claims = Array.from({ length: 200 }, (_, i) => makeDeviceClaim(`c${i}`, [1]));
  const ids = claims.flatMap((claim) => [0, 1, 2].map((place) => shareIdOf(claim, place)));
  for (const id of ids) expect(id).toMatch(UUID);
  expect(new Set(ids).size).toBe(ids.length);
  expect(shareIdOf(makeDeviceClaim('c0', [1]), 0)).toBe(ids[0]);
});
