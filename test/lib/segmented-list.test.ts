import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SegmentedList } from '../../src/lib/segmented-list.ts';

const SEGMENT = 2048;
/** Steps that set items behind all others, or again; lengths are those around the ends of segments. */
const step = fc.record({ more: fc.constantFrom(0, 1, 7, SEGMENT - 1, SEGMENT, SEGMENT + 1), again: fc.nat() });

test('holds what an array holds, and a copy holds it after changes of the list', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
      const list = new SegmentedList<number>();
      const model: (number | undefined)[] = [];
      const set = (index: number, item: number | undefined): void => {
        list.set(index, item);
        model[index] = item;
      };
      for (const [number, { more, again }] of steps.entries()) {
        for (let i = 0; i < more; i++) set(model.length, number * 10_000 + i);
        if (model.length > 0) set(again % model.length, number % 3 === 0 ? undefined : -number);
      }
      const copy = list.copy();
      if (model.length > 0) list.set(0, 1);
      list.set(model.length, 1);
      expect(Array.from(model, (_, i) => copy.at(i))).toEqual(model);
      expect([model.length, model.length + 1, model.length + SEGMENT].map((i) => copy.at(i))).toEqual(
        Array(3).fill(undefined),
      );
    }),
  );
});
