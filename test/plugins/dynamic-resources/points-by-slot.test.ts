import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_POINTS, PointsBySlot } from '../../../src/plugins/dynamic-resources/points-by-slot.ts';

describe('PointsBySlot', () => {
  it('knows the points of each slot, and whether all that have any have the same', () => {
    const step = fc.record({ slot: fc.nat(5), points: fc.constantFrom(NO_POINTS, 0, 7, 8) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const points = new PointsBySlot();
        const model = new Map<number, number>();
        for (const each of steps) {
          points.set(each.slot, each.points);
          model.set(each.slot, each.points);
          for (let slot = 0; slot < 7; slot++) expect(points.at(slot)).toBe(model.get(slot) ?? NO_POINTS);
          const different = new Set([...model.values()].filter((value) => value !== NO_POINTS));
          expect(points.common).toBe(different.size > 1 ? null : ([...different][0] ?? 0));
        }
      }),
    );
  });
});
