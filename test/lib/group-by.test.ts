import { expect, test } from 'vitest';
import { groupBy } from '../../src/lib/group-by.ts';

test('groupBy keeps the order of keys and of items', () => {
  const groups = groupBy(['bee', 'ant', 'bat', 'ape', 'cat'], (word) => word.charAt(0));
  expect([...groups]).toEqual([
    ['b', ['bee', 'bat']],
    ['a', ['ant', 'ape']],
    ['c', ['cat']],
  ]);
  expect([...groupBy([], String)]).toEqual([]);
});
