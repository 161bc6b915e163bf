import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NameMap } from '../../src/lib/name-map.ts';

const names = fc.oneof(
  fc.nat({ max: 1500 }).map((number) => `pod-${number}`),
  fc.nat({ max: 20 }).map((number) => `${number}.example.com`),
  fc.constantFrom('', 'a', 'ab', 'abc', '__proto__', 'é✓'),
);

/** Many names at once, so that the map is divided, and then emptied. */
const steps = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.record({ op: fc.constantFrom('set', 'delete', 'get'), name: names }) },
    { weight: 1, arbitrary: fc.record({ op: fc.constantFrom('set all', 'delete all'), name: names }) },
  ),
  { maxLength: 60 },
);

it('a map by names holds what a plain map holds', () => {
  fc.assert(
    fc.property(steps, (script) => {
      const map = new NameMap<number>();
      const model = new Map<string, number>();
      let value = 0;
      const set = (name: string): void => {
        value++;
        map.set(name, value);
        model.set(name, value);
      };
      const remove = (name: string): void => {
        expect(map.delete(name)).toBe(model.delete(name));
      };
      for (const { op, name } of script) {
        if (op === 'set') set(name);
        else if (op === 'delete') remove(name);
        else if (op === 'set all') for (let i = 0; i < 1500; i += 2) set(`pod-${i}`);
        else if (op === 'delete all') for (const each of [...model.keys()]) remove(each);
        expect(map.size).toBe(model.size);
        expect(map.has(name)).toBe(model.has(name));
        expect(map.get(name)).toBe(model.get(name));
      }
      for (const [name, known] of model) expect(map.get(name)).toBe(known);
    }),
  );
});
