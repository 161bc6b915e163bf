import fc from 'fast-check';
import { expect, test } from 'vitest';
import { selectRank } from '../../src/lib/select-rank.ts';

test('the number at a rank is that of the sorted list', () => {
  const numbers = fc.array(fc.oneof(fc.integer({ min: 0, max: 9 }), fc.double({ noNaN: true })), { minLength: 1 });
  fc.assert(
    fc.property(numbers, fc.nat(), (list, any) => {
      const rank = any % list.length;
      const sorted = Float64Array.from(list).sort();
      // 0 and -0 are equal here, and sorted apart.
      expect((selectRank(Float64Array.from(list), rank) ?? 0) + 0).toBe((sorted[rank] ?? 0) + 0);
    }),
  );
});
