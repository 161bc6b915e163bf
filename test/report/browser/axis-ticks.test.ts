import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { durationTicks, logTicks } from '../../../src/report/browser/axis-ticks.ts';

describe('ticks of time', () => {
  it('are round in minutes, hours and days', () => {
    expect(durationTicks(0, 3600, 4)).toEqual([0, 900, 1800, 2700, 3600]);
    expect(durationTicks(100, 700, 4)).toEqual([300, 600]);
    expect(durationTicks(0, 150 * 86_400, 6)).toEqual([0, 28, 56, 84, 112, 140].map((days) => days * 86_400));
  });

  it('lie on the axis in order, and are not too many', () => {
    const span = fc.double({ min: 1e-5, max: 1e12, noNaN: true });
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1e9, noNaN: true }),
        span,
        fc.integer({ min: 2, max: 20 }),
        (from, by, most) => {
          const to = from + by;
          const ticks = durationTicks(from, to, most);
          expect(ticks.length).toBeLessThanOrEqual(most + 2);
          for (const tick of ticks) {
            expect(tick).toBeGreaterThanOrEqual(from - by * 0.01);
            expect(tick).toBeLessThanOrEqual(to + by * 0.01);
          }
        },
      ),
    );
  });

  it('exist on an axis without length', () => {
    expect(durationTicks(5, 5, 4)).toEqual([5]);
  });
});

it('ticks of a logarithmic axis are decades, and parts of them where there are few', () => {
  expect(logTicks(400, 2500)).toEqual([500, 1000, 2000]);
  expect(logTicks(1, 1e6)).toEqual([1, 10, 100, 1e3, 1e4, 1e5, 1e6]);
  expect(logTicks(0.8, 1.25)).toEqual([1]);
});
