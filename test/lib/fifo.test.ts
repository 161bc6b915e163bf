import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Fifo } from '../../src/lib/fifo.ts';

test('Fifo is a list of which the first item is taken', () => {
  // A number is pushed so often, undefined shifts: enough to pass the length at which the list is cut.
  const step = fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined, freq: 2 });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const fifo = new Fifo<number>();
      const model: number[] = [];
      let next = 0;
      for (const count of steps) {
        if (count === undefined) {
          for (let i = 0; i < 25; i++) expect(fifo.shift()).toBe(model.shift());
        } else {
          for (let i = 0; i < count; i++, next++) {
            fifo.push(next);
            model.push(next);
          }
        }
        expect([fifo.length, fifo.peek()]).toEqual([model.length, model[0]]);
      }
    }),
  );
});
