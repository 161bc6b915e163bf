import fc from 'fast-check';
import { expect, test } from 'vitest';
import { heapMeter } from '../../src/cli/terminal/heap-meter.ts';
import { LruMap } from '../../src/lib/lru-map.ts';

test('LruMap forgets what was used longest ago, and nothing before it is full', () => {
  const step = fc.record({ key: fc.nat(8), value: fc.option(fc.nat(), { nil: undefined }) });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), fc.array(step), (limit, steps) => {
      const map = new LruMap<number, number>(limit);
      let model: { key: number; value: number }[] = [];
      for (const { key, value } of steps) {
        const known = model.find((entry) => entry.key === key);
        if (value === undefined) expect(map.get(key)).toBe(known?.value);
        else map.set(key, value);
        const used = value ?? known?.value;
        if (used === undefined) continue;
        model = [...model.filter((entry) => entry.key !== key), { key, value: used }].slice(-limit);
        expect(map.size).toBe(model.length);
      }
      for (const { key, value } of model) expect(map.get(key)).toBe(value);
    }),
  );
});

test('LruMap keeps no memory of uses', () => {
  const heap = heapMeter();
  const map = new LruMap<string, number>(8);
  for (let i = 0; i < 20; i++) map.set(`key ${i}`, i);
  const before = heap.usedBytes();
  // Each use moves an entry to the end, so that the table within the map is made anew 25,000 times.
  for (let i = 0; i < 200_000; i++) map.get(`key ${12 + (i % 8)}`);
  for (let i = 0; i < 200_000; i++) map.set(`key ${12 + (i % 8)}`, i);
  const grownBytes = heap.usedBytes() - before;
  // The map is still in use here, so that it was not collected itself.
  expect(map.size).toBe(8);
  expect(grownBytes).toBeLessThan(5_000_000);
});
