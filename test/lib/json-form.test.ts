import fc from 'fast-check';
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

/** A copy of all, made in the plainest way. */
function plainCopy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(plainCopy);
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([key, member]) => [key, plainCopy(member)]));
}

/** Checks that parts of the copy that equal those of the value are the very parts. */
function expectShared(copy: unknown, value: unknown): void {
  if (typeof value !== 'object' || value === null || copy === value) return;
  expect(JSON.stringify(copy)).not.toBe(JSON.stringify(value));
  for (const key of Object.keys(copy as object)) {
    expectShared((copy as Record<string, unknown>)[key], (value as Record<string, unknown>)[key]);
  }
}

test('of any value a copy without nulls is made, in the same order, and as little of it as can be', () => {
  fc.assert(
    fc.property(fc.jsonValue({ depthSize: 'medium' }), (given) => {
      const value = JSON.parse(JSON.stringify(given)) as unknown;
      const copy = withoutNulls(value);
      expect(JSON.stringify(copy)).toBe(JSON.stringify(plainCopy(value)));
      expectShared(copy, value);
    }),
  );
});
