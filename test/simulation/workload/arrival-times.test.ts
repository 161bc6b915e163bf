import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Prng } from '../../../src/lib/prng.ts';
import { fixedTimes, poissonTimes, steadyTimes } from '../../../src/simulation/workload/arrival-times.ts';

const FOREVER = Number.POSITIVE_INFINITY;
const some = { fromMillis: 0, untilMillis: FOREVER, count: 4 };

describe('arrival times', () => {
  it('are given, in any order', () => {
    const { count, lastMillis, times } = fixedTimes([500, 0, 90]);
    expect([...times(new Prng(1))]).toEqual([0, 90, 500]);
    expect({ count, lastMillis }).toEqual({ count: 3, lastMillis: 500 });
  });

  it('come steadily, from the beginning on', () => {
    expect([...steadyTimes(250, some).times(new Prng(1))]).toEqual([0, 250, 500, 750]);
  });

  it('do not drift where gaps are no whole milliseconds', () => {
    const times = [...steadyTimes(1000 / 3, { ...some, count: 301 }).times(new Prng(1))];
    expect(times.slice(0, 4)).toEqual([0, 333, 667, 1000]);
    expect(times[300]).toBe(100_000);
  });

  it('end at a time, which still counts', () => {
    const bounds = { fromMillis: 100, untilMillis: 300, count: FOREVER };
    const { count, times } = steadyTimes(100, bounds);
    expect([...times(new Prng(1))]).toEqual([100, 200, 300]);
    expect(count).toBe(3);
  });

  it('never end when nothing says so', () => {
    const endless = steadyTimes(10, { ...some, count: FOREVER });
    expect(endless).toMatchObject({ count: FOREVER, lastMillis: FOREVER });
  });

  it('of a Poisson process have the mean that was asked for', () => {
    const times = [...poissonTimes(100, { ...some, count: 20_000 }).times(new Prng(7))];
    expect((times.at(-1) ?? 0) / 20_000).toBeCloseTo(100, -1);
  });

  it('are the same for the same seed, in order, and within their bounds', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5000 }),
        fc.nat(10_000),
        fc.nat(100_000),
        fc.integer({ min: 1, max: 50 }),
        fc.nat(),
        (gapMillis, fromMillis, spanMillis, count, seed) => {
          const bounds = { fromMillis, untilMillis: fromMillis + spanMillis, count };
          for (const process of [steadyTimes(gapMillis, bounds), poissonTimes(gapMillis, bounds)]) {
            const times = [...process.times(new Prng(seed))];
            expect(times).toEqual([...process.times(new Prng(seed))]);
            expect(times).toEqual(times.toSorted((a, b) => a - b));
            expect(times.length).toBeLessThanOrEqual(count);
            for (const millis of times) {
              expect(millis).toBeGreaterThanOrEqual(fromMillis);
              expect(millis).toBeLessThanOrEqual(bounds.untilMillis + 1);
            }
          }
        },
      ),
    );
  });
});
