import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type CacheEntry, IndexBuckets, readingParts } from '../../../src/client/informer/index-buckets.ts';

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
          const current = entry ?? { ...unlinked, object: { colours }, places: null };
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

it('an index that reads parts holds objects as one that is asked each time', () => {
  const parts = [['red'], ['red', 'blue'], ['green'], []];
  const changes = fc.array(fc.record({ key: fc.nat(5), part: fc.nat(parts.length - 1) }), { maxLength: 60 });
  fc.assert(
    fc.property(changes, (script) => {
      const asked = new IndexBuckets<Colours>(0, ({ colours }) => colours);
      const valuesOf = readingParts<Colours>(
        ({ colours }) => colours,
        (a, b) => a.colours === b.colours,
      );
      const reading = new IndexBuckets<Colours>(1, valuesOf);
      const entries = new Map<number, CacheEntry<Colours>>();
      for (const { key, part } of script) {
        const object: Colours = { colours: parts[part] as readonly string[] };
        const unlinked = { namespace: '', name: String(key), before: null, after: null };
        const entry = entries.get(key) ?? { ...unlinked, object, places: null };
        const before = entries.has(key) ? entry.object : undefined;
        entry.object = object;
        entries.set(key, entry);
        asked.put(entry, before);
        reading.put(entry, before);
        for (const colour of ['red', 'green', 'blue']) {
          const [list, other] = [reading.list(colour), asked.list(colour)];
          expect(list.length).toBe(other.length);
          list.forEach((each, i) => void expect(each).toBe(other[i]));
        }
      }
    }),
  );
});
