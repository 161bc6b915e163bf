import fc from 'fast-check';
import { expect, test } from 'vitest';
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
