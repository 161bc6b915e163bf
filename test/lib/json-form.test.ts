import { expect, test } from 'vitest';
import { jsonFormOf, withoutNulls } from '../../src/lib/json-form.ts';

const looped: Record<string, unknown> = {};
looped['again'] = [looped];

test.each([
  [{ a: [{ b: 'c' }, undefined, 1], d: undefined, e: new Date(0) }, 'plain'],
  [[null, 1], 'plain'],
  [{ a: [{ b: null }] }, 'with nulls'],
  [{ a: null, b: [7n] }, 'with a bigint'],
  [looped, 'too deep'],
  [null, 'plain'],
])('the form of %o', (value, form) => {
  expect(jsonFormOf(value)).toBe(form);
});

test('members that are null go, everything else stays', () => {
  const moment = new Date(0);
  const value = { a: null, b: [null, { c: null, d: 1 }], e: { f: moment, g: undefined } };
  const copy = withoutNulls(value);
  expect(copy).toStrictEqual({ b: [null, { d: 1 }], e: { f: moment, g: undefined } });
  expect(value.a).toBeNull();
});
