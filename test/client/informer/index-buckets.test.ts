import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type CacheEntry, IndexBuckets } from '../../../src/client/informer/index-buckets.ts';

interface Colours {
  readonly colours: readonly string[];
}

const steps = fc.array(
  fc.record({
    op: fc.constantFrom('put', 'put', 'put', 'remove', 'read'),
    key: fc.nat(60),
    colours: fc.subarray(['red', 'green', 'blue'], { maxLength: 2 }),
  }),
  { maxLength: 400 },
);

it('buckets list the objects in the order in which their entries came, and never change a list', () => {
  fc.assert(
    fc.property(steps, (script) => {
      const index = new IndexBuckets<Colours>(0, ({ colours }) => colours);
      const entries = new Map<number, CacheEntry<Colours>>();
      const model: Record<string, Set<number>> = { red: new Set(), green: new Set(), blue: new Set() };
      const given: { readonly list: readonly Colours[]; readonly copy: readonly Colours[] }[] = [];
      for (const { op, key, colours } of script) {
        const entry = entries.get(key);
        if (op === 'remove' && entry !== undefined) {
          index.remove(entry);
          entries.delete(key);
          for (const keys of Object.values(model)) keys.delete(key);
        } else if (op === 'put') {
          const unlinked = { namespace: '', name: String(key), before: null, after: null };
          const current = entry ?? { ...unlinked, object: { colours }, places: [] };
          current.object = { colours };
          entries.set(key, current);
          index.put(current);
          for (const [colour, keys] of Object.entries(model)) {
            if (colours.includes(colour)) keys.add(key);
            else keys.delete(key);
          }
        }
        if (op !== 'read') continue;
        for (const [colour, keys] of Object.entries(model)) {
          const list = index.list(colour);
          expect(list).toEqual([...keys].map((each) => entries.get(each)?.object));
          expect(index.list(colour)).toBe(list);
          given.push({ list, copy: [...list] });
        }
      }
      for (const { list, copy } of given) expect(list).toEqual(copy);
    }),
  );
});
