import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { sortedElements } from '../../../src/kinds/apply/element-order.ts';

it('sorts members by name, items by their keys and values as what they are', () => {
  const sorted = [
    'f:a',
    'f:b',
    'k:{"containerPort":80,"protocol":"TCP"}',
    'k:{"containerPort":80,"protocol":"UDP"}',
    'k:{"containerPort":443,"protocol":"TCP"}',
    'k:{"name":"a"}',
    'v:9',
    'v:10',
    'i:2',
    'i:10',
  ];
  expect(sortedElements(sorted.toReversed())).toEqual(sorted);
});

test('is one order', () => {
  const key = fc.record({ port: fc.nat(200), protocol: fc.constantFrom('TCP', 'UDP') });
  const element = fc.oneof(
    fc.string({ maxLength: 3 }).map((name) => `f:${name}`),
    key.map((keys) => `k:${JSON.stringify(keys)}`),
    fc.oneof(fc.nat(20), fc.string({ maxLength: 2 })).map((value) => `v:${JSON.stringify(value)}`),
  );
  fc.assert(
    fc.property(fc.uniqueArray(element, { maxLength: 6 }), (elements) => {
      const sorted = sortedElements(elements);
      expect(sortedElements(elements.toReversed())).toEqual(sorted);
      // Any two of them stand as they do alone.
      for (const [i, a] of sorted.entries()) {
        for (const b of sorted.slice(i + 1)) expect(sortedElements([b, a])).toEqual([a, b]);
      }
    }),
  );
});

test('takes elements that are no JSON', () => {
  expect(sortedElements(['k:null', 'v:1', 'k:{', 'f:a']).sort()).toEqual(['f:a', 'k:null', 'k:{', 'v:1']);
});
