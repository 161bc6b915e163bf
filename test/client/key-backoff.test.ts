import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KeyBackoff } from '../../src/client/key-backoff.ts';
import { FakeClock } from '../../src/lib/clock.ts';

const MINUTE = 60_000;

const LIMITS = { initialMillis: 10_000, maxMillis: 300_000 };

describe('KeyBackoff', () => {
  test('the first restart is free, the others wait 10 s, 20 s … 5 min', () => {
    const clock = new FakeClock();
    const backoff = new KeyBackoff(clock, LIMITS);
    const delays: number[] = [];
    for (let crash = 0; crash < 8; crash++) {
      const failedMillis = clock.nowMillis();
      const untilMillis = backoff.waitsUntilMillis('k', failedMillis) ?? failedMillis;
      delays.push(untilMillis - failedMillis);
      clock.advance(untilMillis - failedMillis);
      expect(backoff.waitsUntilMillis('k', failedMillis)).toBeUndefined();
      backoff.next('k', failedMillis);
    }
    expect(delays).toEqual([0, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000]);
  });

  test('starts over when the container failed more than ten minutes after its start', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20 * MINUTE }), (ranMillis) => {
        const clock = new FakeClock();
        const backoff = new KeyBackoff(clock, LIMITS);
        for (let i = 0; i < 5; i++) backoff.next('k', clock.nowMillis());
        clock.advance(ranMillis);
        expect(backoff.waitsUntilMillis('k', clock.nowMillis()) === undefined).toBe(ranMillis > 10 * MINUTE);
      }),
    );
  });

  test('keys are apart, and are forgotten by their beginning', () => {
    const clock = new FakeClock();
    const backoff = new KeyBackoff(clock, LIMITS);
    for (const key of ['p/a', 'p/b', 'q/a']) backoff.next(key, 0);
    expect(backoff.waitsAfterLastMillis('p/a')).toBe(10_000);
    backoff.forget('p/');
    expect(['p/a', 'p/b', 'q/a'].map((key) => backoff.delayMillis(key))).toEqual([0, 0, 10_000]);
  });
});
