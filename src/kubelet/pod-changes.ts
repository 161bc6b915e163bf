import type { Pod } from '../api/pod.ts';
import { assert } from '../lib/assert.ts';

/** Whether the two versions differ in nothing that the agent acts on. */
export function isSameApartFromStatus(before: Pod, after: Pod): boolean {
  assert(before.metadata?.uid === after.metadata?.uid, 'an update is of one object');
  const [a, b] = [before.metadata, after.metadata];
  return (
    before.spec === after.spec &&
    a?.deletionTimestamp === b?.deletionTimestamp &&
    a?.deletionGracePeriodSeconds === b?.deletionGracePeriodSeconds &&
    a?.labels === b?.labels &&
    a?.annotations === b?.annotations
  );
}
