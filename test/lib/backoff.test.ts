import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Backoff } from '../../src/lib/backoff.ts';
import { FakeClock } from '../../src/lib/clock.ts';
import { Prng } from '../../src/lib/prng.ts';

const SETTINGS = { initialMillis: 800, maxMillis: 30_000, factor: 2, jitter: 1, resetMillis: 120_000 };

describe('Backoff', () => {
  it('doubles up to the most', () => {
    const backoff = new Backoff({ ...SETTINGS, jitter: 0 }, new FakeClock(), new Prng(1));
    const delays = Array.from({ length: 8 }, () => backoff.nextDelayMillis());
    expect(delays).toEqual([800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
  });

  it('starts over after a long quiet time, and only then', () => {
    const clock = new FakeClock();
    const backoff = new Backoff({ ...SETTINGS, jitter: 0 }, clock, new Prng(1));
    backoff.nextDelayMillis();
    clock.advance(120_000);
    expect(backoff.nextDelayMillis()).toBe(1600);
    clock.advance(120_001);
    expect(backoff.nextDelayMillis()).toBe(800);
  });

  it('adds at most the jitter, in whole milliseconds, as the seed says', () => {
    fc.assert(
      fc.property(fc.nat(), fc.constantFrom(0, 0.5, 1), (seed, jitter) => {
        const delaysOf = (): number[] => {
          const backoff = new Backoff({ ...SETTINGS, jitter }, new FakeClock(), new Prng(seed));
          return [0, 1, 2, 3].map(() => backoff.nextDelayMillis());
        };
        const delays = delaysOf();
        expect(delays).toEqual(delaysOf());
        for (const [step, delay] of delays.entries()) {
          const plain = 800 * 2 ** step;
          expect(Number.isInteger(delay)).toBe(true);
          expect(delay).toBeGreaterThanOrEqual(plain);
          expect(delay).toBeLessThanOrEqual(plain * (1 + jitter));
        }
      }),
    );
  });
});
