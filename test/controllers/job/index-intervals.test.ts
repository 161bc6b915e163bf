import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { IndexIntervals } from '../../../src/controllers/job/index-intervals.ts';

const COMPLETIONS = 60;
const indexes = fc.uniqueArray(fc.nat(COMPLETIONS - 1), { maxLength: 40 });
const ascending = (list: Iterable<number>): number[] => [...list].sort((a, b) => a - b);
const listOf = (set: IndexIntervals): number[] =>
  Array.from({ length: COMPLETIONS }, (_, index) => index).filter((index) => set.has(index));

describe('text', () => {
  test.each([
    [[], ''],
    [[0], '0'],
    [[0, 1], '0,1'],
    [[0, 1, 2], '0-2'],
    [[7, 1, 3, 4, 5, 1], '1,3-5,7'],
  ])('%j is %j', (list, text) => {
    expect(IndexIntervals.of(list).toString()).toBe(text);
    expect(IndexIntervals.parse(text, COMPLETIONS).toString()).toBe(text);
  });

  test.each([
    ['0-2,3', '0-3'],
    ['0,1,2', '0-2'],
    ['1-100', '1-59'],
    ['58,59,60', '58,59'],
    ['0,60,1', '0'],
    ['a,2', '2'],
    ['3-b,4', '4'],
    ['5-4,6', '6'],
    ['-1,2', '2'],
    ['99999999999,3', '3'],
    [undefined, ''],
  ])('%j below 60 is read as %j', (text, read) => {
    expect(IndexIntervals.parse(text, COMPLETIONS).toString()).toBe(read);
  });

  test('what is written can be read', () => {
    fc.assert(
      fc.property(indexes, (list) => {
        const text = IndexIntervals.of(list).toString();
        expect(listOf(IndexIntervals.parse(text, COMPLETIONS))).toEqual(ascending(list));
      }),
    );
  });

  test('no text breaks the reader', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789,- a'), maxLength: 20 }), fc.nat(50), (text, end) => {
        const read = IndexIntervals.parse(text, end);
        expect(listOf(read).every((index) => index < end)).toBe(true);
      }),
    );
  });
});

test('a set has what was put in, and counts it', () => {
  fc.assert(
    fc.property(indexes, (list) => {
      const set = IndexIntervals.of(list);
      expect(listOf(set)).toEqual(ascending(list));
      expect(set.total).toBe(list.length);
      expect(set.isEmpty).toBe(list.length === 0);
      expect(set.has(-1)).toBe(false);
    }),
  );
});

test('union and common part are those of sets', () => {
  fc.assert(
    fc.property(indexes, indexes, (a, b) => {
      const [left, right] = [IndexIntervals.of(a), IndexIntervals.of(b)];
      expect(listOf(left.union(right))).toEqual(ascending(new Set([...a, ...b])));
      expect(left.union(right).toString()).toBe(right.union(left).toString());
      expect(left.countCommon(right)).toBe(a.filter((index) => b.includes(index)).length);
    }),
  );
});

test('the first missing ones are the lowest that are not there', () => {
  fc.assert(
    fc.property(indexes, fc.nat(10), fc.nat(COMPLETIONS), (list, count, completions) => {
      const all = Array.from({ length: completions }, (_, index) => index);
      const expected = all.filter((index) => !list.includes(index)).slice(0, count);
      expect(IndexIntervals.of(list).firstMissing(count, completions)).toEqual(expected);
    }),
  );
});
