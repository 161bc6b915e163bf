import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RecentMap } from '../../src/lib/recent-map.ts';

const MOST = 4;
const keys = Array.from({ length: 12 }, () => ({}));

it('holds what was used lately, and never more than twice as many values', () => {
  const arbitraryStep = fc.record({ key: fc.nat(keys.length - 1), isSet: fc.boolean() });
  fc.assert(
    fc.property(fc.array(arbitraryStep, { maxLength: 60 }), (steps) => {
      const map = new RecentMap<object, number>(MOST);
      const model = new Map<object, number>();
      let used: object[] = [];
      steps.forEach(({ key: i, isSet }, value) => {
        const key = keys[i] as object;
        if (isSet) {
          map.set(key, value);
          model.set(key, value);
        }
        const found = map.get(key);
        expect(found === undefined || found === model.get(key)).toBe(true);
        if (isSet || used.slice(0, MOST).includes(key)) expect(found).toBe(model.get(key));
        if (found === undefined) return;
        used = [key, ...used.filter((other) => other !== key)];
      });
      const left = keys.filter((key) => map.has(key));
      expect(left.length).toBeLessThanOrEqual(2 * MOST);
    }),
  );
});

it('forgets a key after twice as many others', () => {
  const map = new RecentMap<object, string>(MOST);
  const [first = {}, second = {}, ...others] = keys;
  map.set(first, 'first');
  map.set(second, 'second');
  for (const key of others) {
    map.set(key, 'other');
    expect(map.get(second)).toBe('second');
  }
  expect([map.has(first), map.has(second), map.has(others[0] as object)]).toEqual([false, true, false]);
});
