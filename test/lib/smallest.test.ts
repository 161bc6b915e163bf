import fc from 'fast-check';
import { expect, test } from 'vitest';
import { putFirst, smallest } from '../../src/lib/smallest.ts';

test('smallest returns what sorting all numbers would', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: -50, max: 50 })),
      fc.integer({ min: 1, max: 20 }),
      (numbers, count) => {
        const given = Int32Array.from(numbers);
        expect([...smallest(given, count)]).toEqual(numbers.toSorted((a, b) => a - b).slice(0, count));
        expect([...given]).toEqual(numbers);
      },
    ),
  );
});

test('putFirst keeps all slots, and puts the one with the smallest place first', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 30 })), fc.infiniteStream(fc.nat()), (given, stream) => {
      const places = Array.from({ length: 31 }, (_, slot) => (stream.next().value as number) * 31 + slot);
      const slots = Int32Array.from(given);
      putFirst(slots, places);
      expect([...slots].sort()).toEqual([...given].sort());
      const byPlace = given.toSorted((a, b) => (places[a] as number) - (places[b] as number));
      expect(slots[0]).toBe(byPlace[0]);
    }),
  );
});
