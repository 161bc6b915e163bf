import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { alikeSlots } from '../../../src/engine/columns/alike-slots.ts';

const ID_COUNT = 7;
const ANSWERS = 3;

describe('slots that are alike', () => {
  test('have one number, and others have others', () => {
    const answers = fc.array(fc.nat(ANSWERS - 1), { minLength: 4, maxLength: 4 });
    const slots = fc.array(fc.record({ id: fc.nat(ID_COUNT - 1), answers }));
    fc.assert(
      fc.property(slots, fc.nat(4), (slots, resources) => {
        // As many slots as there may be numbers; the last ones have the first id and the first answers.
        const slotCount = Math.max(slots.length, ID_COUNT * ANSWERS ** resources);
        const ids = new Uint16Array(slotCount);
        ids.set(slots.map(({ id }) => id));
        const shortages = Array.from({ length: resources }, (_, i) => {
          const answersOfSlots = new Uint8Array(slotCount);
          answersOfSlots.set(slots.map(({ answers }) => answers[i] as number));
          return answersOfSlots;
        });
        const alike = alikeSlots(ids, ID_COUNT, shortages, slotCount);
        const texts = slots.map(({ id, answers }) => [id, ...answers.slice(0, resources)].join());
        const numbers = [...(alike?.numbers ?? [])];
        expect(numbers).toHaveLength(slotCount);
        expect(numbers.every((number) => number < (alike?.count ?? 0))).toBe(true);
        const ofSlots = numbers.slice(0, slots.length);
        expect(ofSlots.map((number) => ofSlots.indexOf(number))).toEqual(texts.map((text) => texts.indexOf(text)));
      }),
    );
  });

  test('are not numbered where there may be too many different ones', () => {
    const answers = (slotCount: number): Uint8Array[] => [new Uint8Array(slotCount), new Uint8Array(slotCount)];
    expect(alikeSlots(new Uint16Array(10_000), 1000, answers(10_000), 10_000)).toBeNull();
    expect(alikeSlots(new Uint16Array(10_000), 400, answers(10_000), 10_000)).not.toBeNull();
  });

  test('are not numbered where slots are fewer than the numbers that there may be', () => {
    expect(alikeSlots(new Uint16Array(6), ID_COUNT, [], 6)).toBeNull();
    expect(alikeSlots(new Uint16Array(7), ID_COUNT, [], 7)).not.toBeNull();
  });
});
