import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventBins } from '../../../src/simulation/observation/event-bins.ts';

describe('event bins', () => {
  it('count by second, also the seconds in which nothing happened', () => {
    const bins = new EventBins(1000, 2);
    bins.add(0, 1000);
    bins.add(1, 1999);
    bins.add(0, 4000);
    expect(bins.counts()).toEqual([
      [1, 1],
      [0, 0],
      [0, 0],
      [1, 0],
    ]);
  });

  it('lose no event, and stay few, however long the run is', () => {
    const times = fc.array(fc.integer({ min: 0, max: 2 ** 40 }), { minLength: 1, maxLength: 100 });
    fc.assert(
      fc.property(times, (unsorted) => {
        const bins = new EventBins(0, 1);
        const sorted = unsorted.toSorted((a, b) => a - b);
        for (const time of sorted) bins.add(0, time);
        const counts = bins.counts();
        expect(counts.length).toBeLessThanOrEqual(512);
        const expected = counts.map(() => [0]);
        for (const time of sorted) (expected[Math.floor(time / bins.widthMillis)] as number[])[0]! += 1;
        expect(counts).toEqual(expected);
      }),
    );
  });
});
