import { describe, expect, it } from 'vitest';
import { meanInterval } from '../../../src/benchmark/compare/mean-interval.ts';
import { Prng } from '../../../src/lib/prng.ts';

describe('meanInterval', () => {
  it('is that of the t distribution', () => {
    expect(meanInterval([4])).toEqual({ mean: 4, margin: null });
    expect(meanInterval([1, 3]).mean).toBe(2);
    expect(meanInterval([1, 3]).margin).toBeCloseTo(12.7062, 4);
    const ten = meanInterval([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(ten.mean).toBe(5.5);
    expect(ten.margin).toBeCloseTo(2.1658, 3);
    // With many samples it is that of the normal distribution.
    const many = Array.from({ length: 100 }, (_, i) => i);
    expect(meanInterval(many).margin).toBeCloseTo(5.7567, 3);
  });

  it('holds the mean in 95 of 100 cases', () => {
    const prng = new Prng(7);
    const next = () => Array.from({ length: 8 }, () => prng.next() / 2 ** 32).reduce((a, b) => a + b);
    const drawn = () => Array.from({ length: 12 }, next);
    let held = 0;
    for (let i = 0; i < 2000; i++) {
      const { mean, margin } = meanInterval(drawn());
      if (Math.abs(mean - 4) <= (margin ?? 0)) held++;
    }
    expect(held / 2000).toBeGreaterThan(0.935);
    expect(held / 2000).toBeLessThan(0.965);
  });
});
