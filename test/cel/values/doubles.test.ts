import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { parseDouble, shortestText } from '../../../src/cel/values/doubles.ts';
import { evaluate, mistake } from '../evaluate.ts';

it.each<[string, number | null]>([
  ['1_23.50_0_0e+1_2', 1.235e14],
  ['-_123.5e+12', null],
  ['1__23.5', null],
  ['123_.5', null],
  ['123._5', null],
  ['1e_5', null],
  ['.5', 0.5],
  ['5.', 5],
  ['1e', null],
  ['', null],
  [' 1', null],
  ['+Infinity', Number.POSITIVE_INFINITY],
  ['-iNf', Number.NEGATIVE_INFINITY],
  ['NaN', Number.NaN],
  ['-nan', null],
  ['1e400', null],
  ['1e-400', 0],
  ['0x1p-2', 0.25],
  ['0x1.8', null],
  ['-0x.8p1', -1],
  ['0x_1_2.3_4_5p+1_2', 74565],
  ['0x1.00000000000008p0', 1],
  ['0x1.00000000000018p0', 1 + 2 * Number.EPSILON],
  ['0x1.fffffffffffff7fffp1023', Number.MAX_VALUE],
  ['0x1.fffffffffffff8p1023', null],
  ['0x1p-1075', 0],
  ['0x1.8p-1075', Number.MIN_VALUE],
  ['0x1p-18446744073709551616', 0],
  ['0x1p+18446744073709551616', null],
  ['0x0p+18446744073709551616', 0],
])('%j is the number %d', (text, number) => {
  expect(parseDouble(text)).toBe(number);
});

it.each<[number, string]>([
  [100_000, '100000'],
  [1_234_567, '1.234567e+06'],
  [1e20, '1e+20'],
  [1e100, '1e+100'],
  [0.0001, '0.0001'],
  [0.000_012, '1.2e-05'],
  [-0, '-0'],
  [0, '0'],
  [Number.NEGATIVE_INFINITY, '-Inf'],
])('%d is written %s', (number, text) => {
  expect(shortestText(number)).toBe(text);
});

test('what is written is read again', () => {
  fc.assert(
    fc.property(fc.double(), (number) => {
      expect(parseDouble(shortestText(number))).toBe(number);
    }),
  );
});

test('conditions take no number that is too large, and write doubles as Go does', () => {
  expect(evaluate('string(1234567.0)')).toBe('1.234567e+06');
  expect(evaluate('double("1_0.5")')).toBe(10.5);
  expect(mistake('1e400 > 1.0')).toContain('invalid double literal');
});
