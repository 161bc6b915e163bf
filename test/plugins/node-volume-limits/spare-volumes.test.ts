import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FEW, SpareVolumes } from '../../../src/plugins/node-volume-limits/spare-volumes.ts';

test('nodes on which fewer volumes can be attached than wanted are those of a Map of all', () => {
  const slot = fc.oneof(fc.nat(9), fc.constantFrom(63, 64, 500));
  const change = fc.record({ slot, spare: fc.option(fc.integer({ min: -3, max: FEW - 1 })) });
  const wanted = fc.integer({ min: 1, max: FEW });
  fc.assert(
    fc.property(fc.array(fc.tuple(change, wanted), { maxLength: 40 }), (steps) => {
      const spareVolumes = new SpareVolumes();
      const all = new Map<number, number>();
      for (const [{ slot, spare }, count] of steps) {
        if (spare === null) {
          spareVolumes.delete(slot);
          all.delete(slot);
        } else {
          spareVolumes.set(slot, spare);
          all.set(slot, spare);
        }
        const found = new Set<number>();
        spareVolumes.addBelow(count, found);
        const expected = [...all].filter(([, left]) => left < count).map(([each]) => each);
        expect([...found].sort((a, b) => a - b)).toEqual(expected.sort((a, b) => a - b));
        expect(spareVolumes.least).toBe(Math.max(0, Math.min(FEW, ...all.values())));
      }
    }),
  );
});
