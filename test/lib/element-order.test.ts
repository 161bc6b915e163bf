import { expect, it } from 'vitest';
import { inOrder } from '../../src/lib/element-order.ts';

const sorted = (items: string, order: string, before: string): string =>
  inOrder([...items], [...order], [...before], (item) => item).join('');

it('puts items into the order of the names', () => {
  expect(sorted('abc', 'cab', '')).toBe('cab');
});

it('keeps an item without a name before a named one that it preceded', () => {
  expect(sorted('abx', 'ba', 'xab')).toBe('xba');
  expect(sorted('abx', 'ba', 'abx')).toBe('bax');
});

it('puts what is added before items that nobody names', () => {
  expect(sorted('xn', 'n', 'x')).toBe('nx');
});
