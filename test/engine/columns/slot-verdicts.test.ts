import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SlotVerdicts } from '../../../src/engine/columns/slot-verdicts.ts';
import { unschedulable } from '../../../src/framework/status.ts';

const full = unschedulable('P', 'full');

test('a slot has the verdict that it was given last, or none', () => {
  const verdicts = new SlotVerdicts();
  expect([verdicts.at(0), verdicts.slots]).toEqual([undefined, []]);
  verdicts.set(3, full);
  verdicts.set(1, null);
  expect([0, 1, 2, 3, 4].map((slot) => verdicts.at(slot))).toEqual([undefined, null, undefined, full, undefined]);
  verdicts.set(3, null);
  expect(verdicts.at(3)).toBe(null);
});

test('slots are listed once, in the order of their first verdicts', () => {
  const verdicts = new SlotVerdicts();
  for (const slot of [3, 1, 3, 2]) verdicts.set(slot, null);
  expect(verdicts.slots).toEqual([3, 1, 2]);
});

test('after `clear` there are none, also where old ones were', () => {
  const verdicts = new SlotVerdicts();
  for (const slot of [0, 2]) verdicts.set(slot, full);
  verdicts.clear();
  expect([verdicts.slots, verdicts.at(0), verdicts.at(1), verdicts.at(2)]).toEqual([
    [],
    undefined,
    undefined,
    undefined,
  ]);
  verdicts.set(2, null);
  expect([verdicts.slots, verdicts.at(0), verdicts.at(2)]).toEqual([[2], undefined, null]);
});

test('a verdict that is deleted is gone, and the others stay', () => {
  const verdicts = new SlotVerdicts();
  for (const slot of [3, 1, 4, 2]) verdicts.set(slot, full);
  for (const slot of [1, 2, 5, 1]) verdicts.delete(slot);
  expect([verdicts.slots.toSorted(), verdicts.at(1), verdicts.at(2), verdicts.at(3)]).toEqual([
    [3, 4],
    undefined,
    undefined,
    full,
  ]);
  verdicts.delete(3);
  verdicts.delete(4);
  verdicts.set(4, null);
  expect([verdicts.slots, verdicts.at(4)]).toEqual([[4], null]);
});

test('verdicts of null are counted', () => {
  const step = fc.record({
    act: fc.constantFrom('set', 'set', 'set', 'delete', 'clear'),
    slot: fc.nat(3),
    verdict: fc.nat(1),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      const verdicts = new SlotVerdicts();
      for (const { act, slot, verdict } of steps) {
        if (act === 'set') verdicts.set(slot, verdict === 0 ? null : full);
        else if (act === 'delete') verdicts.delete(slot);
        else verdicts.clear();
        expect(verdicts.nullCount).toBe(verdicts.slots.filter((each) => verdicts.at(each) === null).length);
      }
    }),
  );
});
