import { expect, test } from 'vitest';
import type { ObjectMeta } from '../../../src/api/meta.ts';
import { effectiveGraceSeconds } from '../../../src/kubelet/pod-workers/sync-result.ts';

const deletedIn = (seconds: number): ObjectMeta => ({
  deletionTimestamp: '2026-01-01T00:00:00Z',
  deletionGracePeriodSeconds: seconds,
});

test.each([
  ['the deletion says', deletedIn(7), 30, undefined, 7],
  ['the spec says, without a deletion', {}, 30, undefined, 30],
  ['at least a second', {}, 0, undefined, 1],
  ['no time at all is a second', deletedIn(0), 30, undefined, 1],
  ['never longer than before', deletedIn(20), 30, 5, 5],
  ['shorter than before', deletedIn(2), 30, 5, 2],
  ['forced while it ends', deletedIn(0), 30, 5, 1],
])('%s', (_, metadata, terminationGracePeriodSeconds, before, expected) => {
  expect(effectiveGraceSeconds({ metadata, spec: { terminationGracePeriodSeconds } }, before)).toBe(expected);
});
