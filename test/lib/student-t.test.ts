import { describe, expect, it } from 'vitest';
import { twoSidedQuantile, twoSidedTail } from '../../src/lib/student-t.ts';

describe("Student's t distribution", () => {
  it.each([
    [0.05, 1, 12.7062],
    [0.05, 2, 4.3027],
    [0.05, 9, 2.2622],
    [0.05, 30, 2.0423],
    [0.01, 5, 4.0321],
    [0.001, 20, 3.8495],
    [0.1, 120, 1.6577],
    [0.05, 1_000_000, 1.96],
  ])('has the quantile of printed tables: tail %d, freedom %d', (tail, freedom, quantile) => {
    expect(twoSidedQuantile(tail, freedom)).toBeCloseTo(quantile, 3);
  });

  it('has the tails that can be written down', () => {
    for (const t of [0, 0.3, 1, 2, 7, 100, 1e6]) {
      // With one degree of freedom it is Cauchy's distribution, with two an algebraic function.
      expect(twoSidedTail(t, 1)).toBeCloseTo((2 / Math.PI) * Math.atan2(1, t), 12);
      expect(twoSidedTail(t, 2)).toBeCloseTo(1 - t / Math.sqrt(2 + t * t), 12);
      expect(twoSidedTail(-t, 2)).toBe(twoSidedTail(t, 2));
    }
    expect(twoSidedTail(Number.POSITIVE_INFINITY, 3)).toBe(0);
  });

  it('has quantiles that are the inverse of tails, for few and many samples', () => {
    for (const freedom of [1, 3, 19, 400, 1e5, 1e7]) {
      for (const tail of [0.5, 0.05, 0.001, 1e-9]) {
        expect(twoSidedTail(twoSidedQuantile(tail, freedom), freedom) / tail).toBeCloseTo(1, 7);
      }
    }
  });
});
