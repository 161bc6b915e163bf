import { expect, test } from 'vitest';
import { memoized } from '../../src/lib/memoized.ts';

test('computes once for each object', () => {
  const computed: string[] = [];
  const lengthOf = memoized(({ text }: { readonly text: string }) => {
    computed.push(text);
    return text.length;
  });
  const [one, other, empty] = [{ text: 'abc' }, { text: 'abc' }, { text: '' }];
  expect([one, other, empty, one, other, empty].map(lengthOf)).toEqual([3, 3, 0, 3, 3, 0]);
  expect(computed).toEqual(['abc', 'abc', '']);
});

test('functions have results of their own', () => {
  const [upper, lower] = [
    memoized(({ text }: { readonly text: string }) => text.toUpperCase()),
    memoized(({ text }: { readonly text: string }) => text.toLowerCase()),
  ];
  const key = { text: 'Ab' };
  expect([upper(key), lower(key), upper(key)]).toEqual(['AB', 'ab', 'AB']);
});

test('what the computation throws is not kept', () => {
  let failures = 1;
  const compute = memoized(() => {
    if (failures-- > 0) throw new Error('not yet');
    return 'done';
  });
  const key = {};
  expect(() => compute(key)).toThrow('not yet');
  expect(compute(key)).toBe('done');
});
