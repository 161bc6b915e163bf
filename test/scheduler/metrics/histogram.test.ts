import fc from 'fast-check';
import { exponentialBuckets } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { Histogram } from '../../../src/scheduler/metrics/histogram.ts';

describe('Histogram', () => {
  it('counts every value in the first bucket whose bound it does not exceed', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 200, noNaN: true })), (values) => {
        const bounds = [1, 2, 50, 100];
        const histogram = new Histogram(bounds);
        for (const value of values) histogram.observe(value);
        let below = 0;
        bounds.forEach((bound, i) => {
          below += histogram.counts[i]!;
          expect(below).toBe(values.filter((value) => value <= bound).length);
        });
        expect(histogram.count).toBe(values.length);
        expect(histogram.sum).toBeCloseTo(
          values.reduce((sum, value) => sum + value, 0),
          6,
        );
      }),
    );
  });

  it('estimates quantiles as if values were spread evenly in their bucket', () => {
    const histogram = new Histogram([1, 2, 4]);
    for (const value of [0.5, 0.5, 1.5, 3, 100]) histogram.observe(value);
    expect(histogram.quantile(0.2)).toBeCloseTo(0.5);
    expect(histogram.quantile(0.6)).toBeCloseTo(2);
    expect(histogram.quantile(0.7)).toBeCloseTo(3);
    expect(histogram.quantile(0.99)).toBe(4);
    expect(new Histogram([1]).quantile(0.5)).toBeNaN();
  });

  it('adds up and is cleared', () => {
    const [a, b] = [new Histogram([1]), new Histogram([1])];
    a.observe(0.5);
    b.observe(2);
    a.add(b);
    expect([...a.counts, a.sum, a.count, a.average]).toEqual([1, 1, 2.5, 2, 1.25]);
    a.clear();
    expect([...a.counts, a.sum, a.count]).toEqual([0, 0, 0, 0]);
  });

  it('has exponential bounds', () => {
    expect(exponentialBuckets(1, 2, 5)).toEqual([1, 2, 4, 8, 16]);
  });
});
