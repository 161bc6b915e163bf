import fc from 'fast-check';
import { expect, test } from 'vitest';
import { everyOf, someOf } from '../../src/lib/frozen-lists.ts';

const isSmall = (item: number): boolean => item < 5;

test('lists are tested as by the methods of lists', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(9), { maxLength: 4 }), (items) => {
      for (const list of [items, Object.freeze([...items])]) {
        expect(someOf(list, isSmall)).toBe(list.some(isSmall));
        expect(everyOf(list, isSmall)).toBe(list.every(isSmall));
      }
    }),
  );
});

test('no item is tested after the answer is known', () => {
  const seen: number[] = [];
  const note =
    (answer: boolean) =>
    (item: number): boolean => {
      seen.push(item);
      return answer;
    };
  expect(someOf(undefined, note(true))).toBe(false);
  someOf([1, 2], note(true));
  everyOf([3, 4], note(false));
  expect(seen).toEqual([1, 3]);
});
