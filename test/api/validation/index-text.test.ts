import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countIndexes, firstCommonIndex } from '../../../src/api/validation/index-text.ts';

test.each<[string, number | string]>([
  ['', 0],
  ['3', 1],
  ['0,2-4,9', 5],
  ['0,10', 'too large index: "10"'],
  ['0-10', 'too large index: "10"'],
  ['1,x', 'cannot convert string to integer for index: "x"'],
  ['1-', 'cannot convert string to integer for index: ""'],
  ['-1', 'cannot convert string to integer for index: ""'],
  [
    '1-2-3',
    `the fragment "1-2-3" violates the requirement that an index interval can have at most two parts separated by '-'`,
  ],
  ['3-3', 'non-increasing order, previous: 3, current: 3'],
  ['4-3', 'non-increasing order, previous: 4, current: 3'],
  ['1-3,3', 'non-increasing order, previous: 3, current: 3'],
])('%j of ten', (text, expected) => {
  expect(countIndexes(text, 10)).toEqual(typeof expected === 'number' ? expected : { error: expected });
});

test.each([
  ['0,2', '1,3', undefined],
  ['0-4', '3', 3],
  ['0,5-7', '1-3,6', 6],
  ['', '0', undefined],
  ['x,2', '1,2', 2],
  ['1-3', '0-9,x', 1],
])('%j and %j have %s in common', (a, b, index) => {
  expect(firstCommonIndex(a, b, 10)).toBe(index);
  expect(firstCommonIndex(b, a, 10)).toBe(index);
});

test('growing lists of indexes are counted, and their first common index is found', () => {
  const indexes = fc.uniqueArray(fc.nat(30), { maxLength: 10 }).map((list) => list.sort((a, b) => a - b));
  fc.assert(
    fc.property(indexes, indexes, (a, b) => {
      expect(countIndexes(a.join(','), 31)).toBe(a.length);
      const common = a.filter((index) => b.includes(index));
      expect(firstCommonIndex(a.join(','), b.join(','), 31)).toBe(common[0]);
    }),
  );
});
