import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DecisionSampling } from '../../../src/framework/tracing/decision-sampling.ts';

/** Weights that decisions of this length are recorded with, when recording one takes `costMillis`. */
function weightsOf(sampling: DecisionSampling, count: number, durationMillis: number, costMillis: number): number[] {
  const weights: number[] = [];
  for (let i = 0; i < count; i++) {
    const weight = sampling.next();
    if (weight === 0) continue;
    weights.push(weight);
    sampling.observe(durationMillis + costMillis, costMillis);
  }
  return weights;
}

const sum = (weights: readonly number[]): number => weights.reduce((total, weight) => total + weight, 0);

describe('DecisionSampling', () => {
  it('records every decision while recording is cheap beside it', () => {
    expect(weightsOf(new DecisionSampling(), 50, 2, 0.005)).toEqual(new Array(50).fill(1));
    expect(weightsOf(new DecisionSampling(), 50, 0, 0)).toEqual(new Array(50).fill(1));
  });

  it('keeps to half a hundredth of the time, whatever decisions and recording take', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1e-3, max: 10, noNaN: true }),
        fc.double({ min: 1e-4, max: 0.1, noNaN: true }),
        (duration, cost) => {
          const count = 20_000;
          const recorded = weightsOf(new DecisionSampling(), count, duration, cost);
          const share = (recorded.length * cost) / (count * duration);
          const gapLimit = cost / (1000 * duration);
          expect(share).toBeLessThan(Math.max(0.0075, 2 * gapLimit) + cost / (count * duration));
          // A recorded decision stands for every decision, but for those since the last.
          expect(sum(recorded)).toBeLessThanOrEqual(count);
          expect(sum(recorded)).toBeGreaterThan(count - 2000);
        },
      ),
    );
  });

  it('is not led astray by one decision that took very long', () => {
    const sampling = new DecisionSampling();
    weightsOf(sampling, 10_000, 0.01, 0.002);
    const before = weightsOf(sampling, 10_000, 0.01, 0.002).length;
    while (sampling.next() === 0);
    sampling.observe(1000, 0.002);
    expect(weightsOf(sampling, 10_000, 0.01, 0.002).length).toBeLessThan(before * 1.3);
  });

  it('lets a decision that is set apart stand for itself alone', () => {
    const sampling = new DecisionSampling();
    const weights: number[] = [];
    for (let i = 1; i <= 5000; i++) {
      const weight = sampling.next();
      if (i % 10 === 0) sampling.setApart(weight);
      else if (weight > 0) {
        weights.push(weight);
        sampling.observe(0.002, 0.001);
      }
    }
    expect(Math.max(...weights)).toBeGreaterThan(50);
    // 4,500 have somebody who stands for them, but for those since the last.
    expect(sum(weights)).toBeLessThanOrEqual(4500);
    expect(sum(weights)).toBeGreaterThan(4500 - 2 * 400);
  });
});
