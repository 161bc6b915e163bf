import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatDuration, LONGEST_DURATION, parseDuration } from '../../src/lib/go-duration.ts';

describe('parseDuration', () => {
  test.each<[string, bigint]>([
    ['0', 0n],
    ['15s', 15_000_000_000n],
    ['1h2m3s4ms5us6ns', 3_723_004_005_006n],
    ['-1.5h', -5_400_000_000_000n],
    ['+.5s', 500_000_000n],
    ['1.0000000019s', 1_000_000_001n],
    ['3µs', 3_000n],
    ['-9223372036854775808ns', -9_223_372_036_854_775_808n],
  ])('reads %s', (text, nanoseconds) => {
    expect(parseDuration(text)).toBe(nanoseconds);
  });

  test.each([
    ['', 'time: invalid duration ""'],
    ['soon', 'time: invalid duration "soon"'],
    ['.s', 'time: invalid duration ".s"'],
    ['9223372036854775808ns', 'time: invalid duration "9223372036854775808ns"'],
    ['15', 'time: missing unit in duration "15"'],
    ['1s5', 'time: missing unit in duration "1s5"'],
    ['1d', 'time: unknown unit "d" in duration "1d"'],
  ])('refuses %j in the words of Go', (text, error) => {
    expect(parseDuration(text)).toEqual({ error });
  });
});

test('the longest duration that messages name is read, an hour more is refused', () => {
  expect(parseDuration(LONGEST_DURATION)).toBeTypeOf('bigint');
  const tooLong = `${Number.parseInt(LONGEST_DURATION, 10) + 1}h`;
  expect(parseDuration(tooLong)).toEqual({ error: `time: invalid duration "${tooLong}"` });
});

describe('formatDuration', () => {
  test.each<[bigint, string]>([
    [0n, '0s'],
    [-7n, '-7ns'],
    [1_500n, '1.5µs'],
    [500_000_000n, '500ms'],
    [90_000_000_000n, '1m30s'],
    [600_000_000_000n, '10m0s'],
    [3_600_000_000_001n, '1h0m0.000000001s'],
  ])('%d ns as %s', (nanoseconds, text) => {
    expect(formatDuration(nanoseconds)).toBe(text);
  });

  test('is read back as the same length of time', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (nanoseconds) => {
        expect(parseDuration(formatDuration(nanoseconds))).toBe(nanoseconds);
      }),
    );
  });
});
