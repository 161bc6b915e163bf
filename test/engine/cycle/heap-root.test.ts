import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { heapRoot } from '../../../src/engine/cycle/heap-root.ts';

/** The first maximum when the implicit tree is walked node, left, right. */
function firstInPreOrder(totals: readonly number[]): number {
  const best = Math.max(...totals);
  const walk = (i: number): number => {
    if (i >= totals.length) return -1;
    if (totals[i] === best) return i;
    const left = walk(2 * i + 1);
    return left >= 0 ? left : walk(2 * i + 2);
  };
  return walk(0);
}

describe('heapRoot', () => {
  test('a child moves up only if it is strictly greater, the right one only if it beats the left one, too', () => {
    expect(heapRoot([5, 5, 5])).toBe(0);
    expect(heapRoot([1, 5, 5])).toBe(1);
    expect(heapRoot([1, 4, 5])).toBe(2);
    // 7 at 4 rises over 1 before the root is sifted, and meets 7 at 2.
    expect(heapRoot([1, 5, 7, 1, 7])).toBe(4);
    expect(heapRoot([3])).toBe(0);
    expect(heapRoot([])).toBe(-1);
  });

  test('is the first maximum in pre-order, which is what the kernel looks for', () => {
    const total = fc.oneof(fc.integer({ min: 0, max: 2 }), fc.integer());
    fc.assert(
      fc.property(fc.array(total, { minLength: 1, maxLength: 100, size: 'max' }), (totals) => {
        expect(heapRoot(totals)).toBe(firstInPreOrder(totals));
      }),
      { numRuns: 300 },
    );
  });
});
