import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LabelBuckets, type RequiredLabel } from '../../../src/plugins/volume-binding/label-buckets.ts';

interface Item {
  readonly name: number;
  readonly required: RequiredLabel | null;
}

const value = fc.constantFrom('x', 'y', 'z');
const required = fc.option(
  fc.record({ key: fc.constantFrom('a', 'b'), values: fc.array(value, { minLength: 1, maxLength: 2 }) }),
);

test('finds the first accepted item among those whose label the node has', () => {
  const labels = fc.dictionary(fc.constantFrom('a', 'b', 'c'), value);
  fc.assert(
    fc.property(fc.array(required, { maxLength: 12 }), labels, fc.func(fc.boolean()), (all, labels, accepts) => {
      const items = all.map((required, name): Item => ({ name, required }));
      const isAccepted = ({ name }: Item): boolean => accepts(name);
      const suits = ({ required }: Item): boolean =>
        required === null || required.values.includes(labels[required.key] ?? '');
      const buckets = new LabelBuckets(items, (item) => item.required);
      expect(buckets.find(labels, isAccepted)).toBe(items.find((item) => suits(item) && isAccepted(item)) ?? null);
    }),
    { numRuns: 500 },
  );
});

test('tries only items of the node, however many there are', () => {
  const items = Array.from({ length: 1000 }, (_, name) => ({ name, required: { key: 'host', values: [`n${name}`] } }));
  const tried: number[] = [];
  const found = new LabelBuckets(items, (item) => item.required).find({ host: 'n500' }, ({ name }) => {
    tried.push(name);
    return false;
  });
  expect([found, tried]).toEqual([null, [500]]);
});
