import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PairMap } from '../../src/lib/pair-map.ts';

const name = fc.constantFrom('', 'a', 'b', 'c');
const step = fc.record({ kind: fc.constantFrom('set', 'set', 'delete', 'clear'), first: name, second: name });

test('holds what a map with the key of both texts would hold', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const map = new PairMap<number>();
      const expected = new Map<string, number>();
      for (const [i, { kind, first, second }] of steps.entries()) {
        const key = `${first}/${second}`;
        if (kind === 'set') map.set(first, second, i);
        else if (kind === 'delete') map.delete(first, second);
        else if (i % 5 === 0) map.clear();
        if (kind === 'set') expected.set(key, i);
        else if (kind === 'delete') expected.delete(key);
        else if (i % 5 === 0) expected.clear();
        for (const a of ['', 'a', 'b', 'c']) {
          for (const b of ['', 'a', 'b', 'c']) expect(map.get(a, b)).toBe(expected.get(`${a}/${b}`));
        }
        expect([...map.values()].toSorted()).toEqual([...expected.values()].toSorted());
      }
    }),
  );
});
