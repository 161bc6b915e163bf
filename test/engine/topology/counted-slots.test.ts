import { expect, test } from 'vitest';
import type { CountedPods } from '../../../src/engine/topology/counted-pods.ts';
import { CountedSlots } from '../../../src/engine/topology/counted-slots.ts';
import { PodsPerSlot } from '../../../src/engine/topology/pods-per-slot.ts';
import { makePodInfo } from '../../builders/make-cluster.ts';
import { makePod } from '../../builders/make-pod.ts';

/** Pods of one name on these slots. */
function groupOf(name: string, slots: readonly number[]): CountedPods {
  const perSlot = new PodsPerSlot();
  for (const slot of slots) perSlot.add(slot);
  const pod = makePodInfo(makePod(name));
  return { pod, key: name, marks: [], isGone: false, hasRegistered: true, perSlot, counters: [] };
}

test('the pods of all groups are added up, as often as each counts', () => {
  const slots = new CountedSlots(({ name }) => (name === 'twice' ? 2 : 1));
  slots.groups.add(groupOf('once', [1, 4, 4])).add(groupOf('twice', [4, 5]));
  expect([0, 1, 4, 5].map((slot) => slots.on(slot))).toEqual([0, 1, 4, 2]);
  const visited: string[] = [];
  slots.forEach((slot, pods) => {
    visited.push(`${slot}: ${pods}`);
  });
  expect(visited).toEqual(['1: 1', '4: 2', '4: 2', '5: 2']);
});
