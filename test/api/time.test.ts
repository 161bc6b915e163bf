import fc from 'fast-check';
import { expect, test } from 'vitest';
import { millisOfTime, timeAtMillis } from '../../src/api/time.ts';

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
