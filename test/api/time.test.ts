import fc from 'fast-check';
import { expect, test } from 'vitest';
import { millisOfSeconds, millisOfTime, timeAtMillis } from '../../src/api/time.ts';

test('a time is written in whole seconds', () => {
  expect(timeAtMillis(Date.UTC(2026, 0, 1, 0, 0, 39, 999))).toBe('2026-01-01T00:00:39Z');
});

test('what is written is read back, a Date as well as text', () => {
  const seconds = fc.integer({ min: 0, max: 4e9 });
  fc.assert(
    fc.property(seconds, (second) => {
      expect(millisOfTime(timeAtMillis(second * 1000))).toBe(second * 1000);
      expect(millisOfTime(new Date(second * 1000))).toBe(second * 1000);
    }),
  );
  expect(millisOfTime('2026-01-01T01:00:00.5+01:00')).toBe(Date.UTC(2026, 0, 1, 0, 0, 0, 500));
});

test('times are written and read as Date does it, whatever was written before', () => {
  const millis = fc.oneof(
    fc.integer({ min: -8.64e15, max: 8.64e15 }),
    fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2026, 0, 3) }),
  );
  const broken = fc.tuple(fc.nat(19), fc.constantFrom('0', '9', '6', ':', 'Z', 'T', '', '00'));
  fc.assert(
    fc.property(millis, broken, (time, [place, put]) => {
      const text = timeAtMillis(time);
      expect(text).toBe(new Date(Math.floor(time / 1000) * 1000).toISOString().replace('.000Z', 'Z'));
      const other = text.slice(0, place) + put + text.slice(place + 1);
      expect(millisOfTime(other)).toBe(Date.parse(other));
      expect(millisOfTime(text)).toBe(Date.parse(text));
    }),
    { numRuns: 2000 },
  );
  expect(() => timeAtMillis(Number.NaN)).toThrow(RangeError);
});

test.each([
  [30, 30_000],
  [-1, -1000],
  [9_223_372_036, 9_223_372_036_000],
  [9_223_372_037, -9_223_372_036_709.553],
  [10_000_000_000, -8_446_744_073_709.552],
])('%d s are %d ms, as a duration of Go', (seconds, millis) => {
  expect(millisOfSeconds(seconds)).toBeCloseTo(millis, 3);
});
