import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { compareElements } from '../../../src/kinds/apply/element-order.ts';

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
  expect(sorted.toReversed().sort(compareElements)).toEqual(sorted);
});

test('is one order', () => {
  const key = fc.record({ port: fc.nat(200), protocol: fc.constantFrom('TCP', 'UDP') });
  const element = fc.oneof(
    fc.string({ maxLength: 3 }).map((name) => `f:${name}`),
    key.map((keys) => `k:${JSON.stringify(keys)}`),
    fc.oneof(fc.nat(20), fc.string({ maxLength: 2 })).map((value) => `v:${JSON.stringify(value)}`),
  );
  fc.assert(
    fc.property(element, element, element, (a, b, c) => {
      expect(Math.sign(compareElements(a, b))).toBe(0 - Math.sign(compareElements(b, a)));
      if (compareElements(a, b) <= 0 && compareElements(b, c) <= 0)
        expect(compareElements(a, c)).toBeLessThanOrEqual(0);
    }),
  );
});
