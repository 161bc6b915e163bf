import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { alikeSlots } from '../../../src/engine/columns/alike-slots.ts';

describe('slots that are alike', () => {
  test('have one number, and others have others', () => {
    const slots = fc.array(fc.record({ id: fc.nat(6), answers: fc.array(fc.nat(2), { minLength: 4, maxLength: 4 }) }));
    fc.assert(
      fc.property(slots, fc.nat(4), (slots, resources) => {
        const ids = Uint16Array.from([...slots.map(({ id }) => id), 6, 6]);
        const shortages = Array.from({ length: resources }, (_, i) =>
          Uint8Array.from(slots, ({ answers }) => answers[i] as number),
        );
        const alike = alikeSlots(ids, 7, shortages, slots.length);
        const texts = slots.map(({ id, answers }) => [id, ...answers.slice(0, resources)].join());
        const numbers = [...(alike?.numbers ?? [])];
        expect(numbers).toHaveLength(slots.length);
        expect(numbers.map((number) => numbers.indexOf(number))).toEqual(texts.map((text) => texts.indexOf(text)));
        expect(numbers.every((number) => number < (alike?.count ?? 0))).toBe(true);
      }),
    );
  });

  test('are not numbered where there may be too many different ones', () => {
    expect(alikeSlots(new Uint16Array(4), 1000, [new Uint8Array(4), new Uint8Array(4)], 4)).toBeNull();
  });
});
