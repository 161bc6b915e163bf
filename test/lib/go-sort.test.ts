import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { goSort } from '../../src/lib/go-sort.ts';

interface Item {
  readonly key: number;
  readonly index: number;
}

const byKey = (a: Item, b: Item): boolean => a.key < b.key;

function sorted(keys: readonly number[]): Item[] {
  const items = keys.map((key, index) => ({ key, index }));
  goSort(items, byKey);
  return items;
}

const keys = fc.oneof(
  fc.array(fc.nat(1000), { maxLength: 300, size: 'max' }),
  // Few different keys, and runs up and down: the paths for equal elements and for patterns.
  fc.array(fc.nat(3), { maxLength: 300, size: 'max' }),
  fc.nat(300).map((length) => Array.from({ length }, (_, i) => i)),
  fc.nat(300).map((length) => Array.from({ length }, (_, i) => -i)),
  fc.nat(300).map((length) => Array.from({ length }, (_, i) => (i < length / 2 ? i : length - i))),
);

describe('goSort', () => {
  test('puts the same elements into order', () => {
    fc.assert(
      fc.property(keys, (all) => {
        const result = sorted(all);
        expect(result.map(({ key }) => key)).toEqual(all.toSorted((a, b) => a - b));
        expect(new Set(result.map(({ index }) => index)).size).toBe(all.length);
      }),
      { numRuns: 300 },
    );
  });

  test('keeps the order of equal elements up to twelve of them, not beyond', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(3), { maxLength: 12 }), (all) => {
        const stable = all.map((key, index) => ({ key, index })).toSorted((a, b) => a.key - b.key);
        expect(sorted(all)).toEqual(stable);
      }),
    );
    const many = sorted(Array.from({ length: 60 }, (_, i) => i % 2));
    expect(many.some(({ key, index }, i) => key === many[i - 1]?.key && index < many[i - 1]!.index)).toBe(true);
  });

  test('ends when every element is less than every other: the order is reversed', () => {
    const items = [1, 2, 3, 4];
    goSort(items, () => true);
    expect(items).toEqual([4, 3, 2, 1]);
    const many = Array.from({ length: 100 }, (_, i) => i);
    goSort(many, () => true);
    expect(many.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => i));
  });
});
