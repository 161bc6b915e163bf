import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SignatureTree } from '../../../src/engine/signature/signature-tree.ts';

function put(tree: SignatureTree<number>, row: readonly unknown[], value: number): void {
  tree.grow();
  if (row.every((item) => tree.walk(item))) tree.value = value;
}

function find(tree: SignatureTree<number>, row: readonly unknown[]): number | undefined {
  tree.find();
  return row.every((item) => tree.walk(item)) ? tree.value : undefined;
}

describe('SignatureTree', () => {
  const leaf = fc.constantFrom<unknown>(null, undefined, 0, 1, 2, '', '0', 'x', true, false);
  const { any } = fc.letrec((tie) => ({
    any: fc.oneof({ maxDepth: 2 }, leaf, fc.array(tie('any'), { maxLength: 2 }), tie('object')),
    object: fc.dictionary(fc.constantFrom('x', 'y'), tie('any')),
  }));

  test('finds what is kept for the same values, and nothing else', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(any, any), { minLength: 1, maxLength: 20 }), (rows) => {
        const tree = new SignatureTree<number>();
        const kept = new Map<string, number>();
        rows.forEach((row, i) => {
          expect(find(tree, row)).toBe(kept.get(textOf(row)));
          put(tree, row, i);
          kept.set(textOf(row), i);
          expect(find(tree, structuredClone(row))).toBe(i);
        });
      }),
    );
  });

  test('forgets what is removed, and keeps the rest', () => {
    const row = fc.record({ value: any, removes: fc.boolean() });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 30 }), (rows) => {
        const tree = new SignatureTree<number>();
        const kept = new Map<string, [unknown, number]>();
        rows.forEach(({ value, removes }, i) => {
          if (removes) tree.remove(structuredClone(value));
          else put(tree, [value], i);
          if (removes) kept.delete(textOf(value));
          else kept.set(textOf(value), [value, i]);
          for (const other of rows) expect(find(tree, [other.value])).toBe(kept.get(textOf(other.value))?.[1]);
        });
      }),
    );
  });

  test('has the value of a beginning beside those of longer rows', () => {
    const tree = new SignatureTree<number>();
    put(tree, [1, 2, 3], 3);
    expect(find(tree, [1, 2])).toBe(undefined);
    put(tree, [1, 2], 2);
    put(tree, [1, 4], 4);
    expect([[1], [1, 2], [1, 2, 3], [1, 4], [1, 2, 3, 4]].map((row) => find(tree, row))).toEqual([
      ...[undefined, 2, 3, 4, undefined],
    ]);
  });

  test.each([
    ['a date', new Date(0)],
    ['a function', () => 1],
    ['a symbol', Symbol('list')],
    ['a bigint', 1n],
    ['no number', Number.NaN],
    ['a list with a date', [new Date(0)]],
  ])('keeps nothing for %s', (_, value) => {
    const tree = new SignatureTree<number>();
    put(tree, [value], 1);
    expect(find(tree, [value])).toBe(undefined);
  });

  test('starts over when it has grown large', () => {
    const tree = new SignatureTree<number>();
    const long = (i: number): unknown[] => [[i, ...new Array<number>(50_000).fill(0)]];
    for (let i = 0; i < 12; i++) put(tree, long(i), i);
    expect(find(tree, long(0))).toBe(undefined);
    expect(find(tree, long(11))).toBe(11);
  });
});

/** Text in which undefined is a value among others, and no member of an object. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  const members = Object.entries(value).filter(([, item]) => item !== undefined);
  return `{${members.map(([key, item]) => `${key}:${textOf(item)}`).join()}}`;
}
