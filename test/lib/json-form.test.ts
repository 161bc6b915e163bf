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

test('parts without nulls are those of the value', () => {
  const value = { a: [{ b: 'c' }], d: null, e: [{ f: null }, { g: 1 }] };
  const copy = withoutNulls(value);
  expect(copy).toStrictEqual({ a: [{ b: 'c' }], e: [{}, { g: 1 }] });
  expect(copy.a).toBe(value.a);
  expect(copy.e[1]).toBe(value.e[1]);
});

test('members that are named as what objects inherit are copied', () => {
  const value = JSON.parse('{"__proto__": {"a": null, "b": 1}, "toString": null, "constructor": 2}');
  expect(JSON.stringify(withoutNulls(value))).toBe('{"__proto__":{"b":1},"constructor":2}');
});
