import fc from 'fast-check';
import { expect, test } from 'vitest';
import { smallest } from '../../src/lib/smallest.ts';

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
