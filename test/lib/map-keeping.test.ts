import { expect, test } from 'vitest';
import { mapKeeping } from '../../src/lib/map-keeping.ts';

test('a list of which nothing changes is returned itself', () => {
  const list = ['a', 'b'];
  expect(mapKeeping(list, (item) => item)).toBe(list);
  expect(mapKeeping(undefined, (item) => item)).toBeUndefined();
});

test('one changed element makes a new list', () => {
  const list = [1, 2];
  expect(mapKeeping(list, (item) => (item === 2 ? 3 : item))).toEqual([1, 3]);
  expect(list).toEqual([1, 2]);
});
