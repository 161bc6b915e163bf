import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareSamples, median } from '../../../src/benchmark/compare/mann-whitney.ts';

/** 1/2, 1, 2, 4, ...: factors between them are easy to count. */
const powers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => 2 ** (from + i));

describe('p-values, counted by hand', () => {
  it('of samples that do not overlap: one choice in all, on either side', () => {
    expect(compareSamples([1, 2, 3, 4], [5, 6, 7, 8]).p).toBeCloseTo(2 / 70, 12);
    expect(compareSamples([5, 6, 7], [1, 2, 3]).p).toBeCloseTo(2 / 20, 12);
    expect(compareSamples([1, 2, 3, 4, 5], [6, 7, 8, 9, 10]).p).toBeCloseTo(2 / 252, 12);
  });

  it('of samples that overlap', () => {
    // Ranks 1 and 3: sums of at most 4 are 1+2 and 1+3; as many at the other end; of six choices.
    expect(compareSamples([1, 3], [2, 4]).p).toBeCloseTo(4 / 6, 12);
    expect(compareSamples([1, 4], [2, 3]).p).toBe(1);
  });

  it('of ties, which share their ranks', () => {
    // Ranks 1 3 3 3 5 6, of which a has 1 3 3: three choices with 7, and three with 14, of twenty.
    expect(compareSamples([1, 2, 2], [2, 3, 4]).p).toBeCloseTo(6 / 20, 12);
    expect(compareSamples([7, 7, 7], [7, 7, 7]).p).toBe(1);
  });

  it('of many samples, where the distribution is taken for normal', () => {
    const samples = (count: number, shift: number) => Array.from({ length: count }, (_, i) => 1 + i + shift);
    for (const shift of [0, 2.5, 8.5, 20.5]) {
      const [exact, normal] = [50, 51].map((count) => compareSamples(samples(count, 0), samples(count, shift)).p);
      // Each further sample changes it by a little itself.
      expect(Math.abs((exact as number) - (normal as number))).toBeLessThan(0.02);
    }
    expect(compareSamples(samples(60, 0), samples(60, 100)).p).toBeLessThan(1e-15);
    expect(compareSamples(new Array(60).fill(3), new Array(60).fill(3)).p).toBe(1);
  });
});

describe('intervals, counted by hand', () => {
  it('leave out as many factors at both ends as chance may bring', () => {
    // Four each: P(U < 1) = 1/70, P(U < 2) = 2/70 > 2.5 %. So the first and the last factor are the ends.
    expect(compareSamples(powers(0, 3), powers(4, 7)).interval).toEqual([2 ** 1, 2 ** 7]);
    // Five each: P(U < 3) = 4/252, P(U < 4) = 7/252 > 2.5 %: the third ones. 2^1 once, 2^2 twice, ... 2^8 twice, 2^9.
    expect(compareSamples(powers(0, 4), powers(5, 9)).interval).toEqual([2 ** 2, 2 ** 8]);
  });

  it('need four samples of each', () => {
    expect(compareSamples([1, 2, 3], [4, 5, 6]).interval).toBeNull();
    expect(compareSamples([1], [2]).interval).toBeNull();
  });

  it('of many samples are about as wide as the exact ones', () => {
    const samples = (count: number, factor: number) =>
      Array.from({ length: count }, (_, i) => factor * (1 + i / count));
    const [exact, normal] = [50, 51].map((count) => compareSamples(samples(count, 1), samples(count, 3)).interval!);
    expect(normal![0] / exact![0]).toBeCloseTo(1, 1);
    expect(normal![1] / exact![1]).toBeCloseTo(1, 1);
  });
});

it('medians', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(() => median([])).toThrow();
});

describe('for any samples', () => {
  const samples = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 12 });

  it('the order of the two only turns the factor over', () => {
    fc.assert(
      fc.property(samples, samples, (a, b) => {
        const [ab, ba] = [compareSamples(a, b), compareSamples(b, a)];
        expect(ab.p).toBeCloseTo(ba.p, 10);
        if (ab.interval === null) expect(ba.interval).toBeNull();
        else expect(ba.interval![0]).toBeCloseTo(1 / ab.interval[1], 10);
      }),
    );
  });

  it('p is a probability, and that of a sample and itself is 1', () => {
    fc.assert(
      fc.property(samples, samples, (a, b) => {
        const { p } = compareSamples(a, b);
        expect(p).toBeGreaterThan(0);
        expect(p).toBeLessThanOrEqual(1);
        expect(compareSamples(a, a).p).toBe(1);
      }),
    );
  });

  it('without ties, the interval leaves out 1 just when p is below 5 %', () => {
    const distinct = fc.uniqueArray(fc.integer({ min: 1, max: 1e6 }), { minLength: 14, maxLength: 24 });
    fc.assert(
      fc.property(distinct, fc.integer({ min: 4, max: 10 }), (values, size) => {
        const [a, b] = [values.slice(0, size), values.slice(size)];
        const { p, interval } = compareSamples(a, b);
        const [low, high] = interval!;
        expect(low > 1 || high < 1).toBe(p < 0.05);
      }),
    );
  });
});
