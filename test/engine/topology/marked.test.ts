import { expect, test } from 'vitest';
import { compileLabelSelector, type LabelSelector, selectorFromSet } from '../../../src/api/label-selector.ts';
import { Marked, marksOf } from '../../../src/engine/topology/marked.ts';

test('values are found once by any of their marks, until they are deleted', () => {
  const marked = new Marked<string>();
  marked.add('a', ['x', 'y']);
  marked.add('b', ['y']);
  expect([...marked.of(['x', 'y', 'z'])].sort()).toEqual(['a', 'b']);
  marked.delete('a', ['x', 'y']);
  expect([[...marked.of(['x'])], [...marked.of(['y'])]]).toEqual([[], ['b']]);
});

const compiled = (selector: LabelSelector) => {
  const result = compileLabelSelector(selector);
  if ('error' in result) throw new Error(result.error);
  return result;
};

test.each<[string, LabelSelector, readonly string[] | null]>([
  ['a label', { matchLabels: { app: 'web' } }, ['app=web']],
  [
    'the most distinctive label',
    { matchLabels: { tier: 'web', app: 'frontend-of-shop', zone: 'a' } },
    ['app=frontend-of-shop'],
  ],
  [
    'a choice of values',
    { matchExpressions: [{ key: 'app', operator: 'In', values: ['a', 'b'] }] },
    ['app=a', 'app=b'],
  ],
  ['no label', { matchExpressions: [{ key: 'app', operator: 'Exists' }] }, null],
  ['every label', {}, null],
])('a selector of %s has marks', (_, selector, marks) => {
  expect(marksOf(compiled(selector))).toEqual(marks);
});

test('the selector of a service has the marks of its labels', () => {
  expect([marksOf(selectorFromSet({ app: 'web' })), marksOf(selectorFromSet({}))]).toEqual([['app=web'], null]);
});
