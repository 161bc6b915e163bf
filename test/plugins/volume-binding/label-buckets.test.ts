import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LabelBuckets, type RequiredLabel } from '../../../src/plugins/volume-binding/label-buckets.ts';

interface Item {
  readonly place: number;
  readonly required: RequiredLabel | null;
}

const value = fc.constantFrom('x', 'y', 'z');
const item = fc.record({
  place: fc.nat(100),
  required: fc.option(
    fc.record({ key: fc.constantFrom('a', 'b'), values: fc.array(value, { minLength: 1, maxLength: 2 }) }),
  ),
});
const byPlace = (a: Item, b: Item): number => a.place - b.place;

test('finds the first accepted item among those whose label the node has, whichever came and went', () => {
  const labels = fc.dictionary(fc.constantFrom('a', 'b', 'c'), value);
  const items = fc.uniqueArray(item, { maxLength: 12, selector: ({ place }) => place });
  fc.assert(
    fc.property(items, fc.infiniteStream(fc.boolean()), labels, fc.func(fc.boolean()), (all, goes, labels, accepts) => {
      const isAccepted = ({ place }: Item): boolean => accepts(place);
      const suits = ({ required }: Item): boolean =>
        required === null || required.values.includes(labels[required.key] ?? '');
      const buckets = new LabelBuckets<Item>(({ required }) => required, byPlace);
      for (const each of all) buckets.add(each);
      const left = all.filter((each) => {
        const isGone = goes.next().value;
        if (isGone) buckets.delete(each);
        return !isGone;
      });
      const expected = left.sort(byPlace).find((each) => suits(each) && isAccepted(each));
      expect(buckets.find(labels, isAccepted)).toBe(expected ?? null);
    }),
    { numRuns: 500 },
  );
});

test('tries only items of the node, however many there are', () => {
  const buckets = new LabelBuckets<Item>(({ required }) => required, byPlace);
  for (let place = 0; place < 1000; place++) buckets.add({ place, required: { key: 'host', values: [`n${place}`] } });
  const tried: number[] = [];
  const found = buckets.find({ host: 'n500' }, ({ place }) => {
    tried.push(place);
    return false;
  });
  expect([found, tried]).toEqual([null, [500]]);
});
