import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Unit } from '../../src/report/sections.ts';
import { durationText, formatCell, formatTick, formatValue } from '../../src/report/units.ts';

const UNITS: readonly Unit[] = ['count', 'share', 'bytes', 'seconds', 'perSecond', 'micros', 'cores', 'number'];

describe('values', () => {
  it.each([
    ...[
      ['count', 1_234_567, '1,234,567'],
      ['count', 0.5, '0.5'],
      ['count', 1_500_000.5, '1.5M'],
      ['share', 0.1234, '12.3%'],
    ],
    ...[
      ['share', 1, '100%'],
      ['bytes', 0, '0 B'],
      ['bytes', 1023, '1,023 B'],
      ['bytes', 1.5 * 2 ** 30, '1.5 GiB'],
    ],
    ...[
      ['perSecond', 1_577_000, '1.58M/s'],
      ['micros', 8.25, '8.25 µs'],
      ['micros', 4120, '4.12 ms'],
    ],
    ...[
      ['cores', 0.25, '0.25'],
      ['number', 23.4789, '23.48'],
      ['number', 2e9, '2G'],
      ['seconds', 0, '0 s'],
    ],
  ] as const)('%s %d: %s', (unit, value, expected) => {
    expect(formatValue(unit, value)).toBe(expected);
  });

  it('has a dash where there is none', () => {
    expect(formatValue('count', null)).toBe('–');
    expect(formatCell(undefined, null)).toBe('–');
    expect(formatCell('count', 'not measured')).toBe('not measured');
    expect(formatTick('count', 25_000)).toBe('25k');
  });

  it('are short for every number', () => {
    fc.assert(
      fc.property(fc.constantFrom(...UNITS), fc.double({ min: -1e18, max: 1e18, noNaN: true }), (unit, value) => {
        expect(formatValue(unit, value).length).toBeLessThan(32);
        expect(formatValue(unit, value)).not.toMatch(/NaN|undefined/);
      }),
    );
  });
});

describe('durations', () => {
  it.each([
    ...[
      [1e-6, '1 µs'],
      [0.5, '500 ms'],
      [2.5, '2.5 s'],
      [59.99, '60 s'],
      [90, '1 min 30 s'],
      [3600, '1 h'],
    ],
    ...[
      [86_400 * 3 + 4 * 3600, '3 d 4 h'],
      [7199.9, '2 h'],
      [86_399.9, '1 d'],
      [-90, '-1 min 30 s'],
    ],
  ] as const)('%d: %s', (seconds, expected) => {
    expect(durationText(seconds)).toBe(expected);
  });
});
