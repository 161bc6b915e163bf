import { expect, it } from 'vitest';
import { plainCopy } from '../../src/lib/plain-copy.ts';

it('keeps the order of members, replaces those that are given, and adds the others at the end', () => {
  const object: { a: number; b?: string; c?: number } = { b: 'x', a: 1 };
  const copy = plainCopy(object, { a: 2, c: 3 });
  expect(JSON.stringify(copy)).toBe('{"b":"x","a":2,"c":3}');
  expect(JSON.stringify(object)).toBe('{"b":"x","a":1}');
});

it('copies own members alone', () => {
  const object = Object.assign(Object.create({ inherited: 1 }), { own: 2 }) as { own: number };
  expect(plainCopy(object, {})).toStrictEqual({ own: 2 });
});

it('does not let a member of the text change what the copy is', () => {
  const object = JSON.parse('{"__proto__":{"admin":true},"a":1}') as { a: number };
  expect(plainCopy(object, {})).toStrictEqual({ a: 1 });
});
