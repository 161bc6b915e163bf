import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SmallMap } from '../../src/lib/small-map.ts';

const key = fc.constantFrom('a', 'b', 'c', 'd');
const step = fc.oneof(
  fc.record({ type: fc.constant('set' as const), key, value: fc.nat(9) }),
  fc.record({ type: fc.constant('delete' as const), key }),
  fc.record({ type: fc.constant('clear' as const), key }),
);

describe('SmallMap', () => {
  it('has the entries of a Map, in the same order', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const small = new SmallMap<string, number>();
        const map = new Map<string, number>();
        for (const each of steps) {
          if (each.type === 'set') {
            small.set(each.key, each.value);
            map.set(each.key, each.value);
          } else if (each.type === 'delete') {
            expect(small.delete(each.key)).toBe(map.delete(each.key));
          } else {
            small.clear();
            map.clear();
          }
          expect([...small]).toEqual([...map]);
          expect([...small.keys()]).toEqual([...map.keys()]);
          expect([...small.values()]).toEqual([...map.values()]);
          const walked: [string, number][] = [];
          small.forEach((value, walkedKey) => {
            walked.push([walkedKey, value]);
          });
          expect(walked).toEqual([...map]);
          expect([small.size, small.get(each.key), small.has(each.key)]).toEqual([
            map.size,
            map.get(each.key),
            map.has(each.key),
          ]);
        }
      }),
    );
  });

  it('lets entries be deleted while it is walked through', () => {
    const map = new SmallMap<string, number>();
    for (const [i, each] of ['a', 'b', 'c'].entries()) map.set(each, i);
    const seen: string[] = [];
    for (const each of map.keys()) {
      seen.push(each);
      map.delete(each);
    }
    expect(seen).toEqual(['a', 'b', 'c']);
    expect(map.size).toBe(0);
  });

  it('lets entries be deleted while forEach walks through it', () => {
    const map = new SmallMap<string, number>();
    for (const [i, each] of ['a', 'b', 'c'].entries()) map.set(each, i);
    const seen: string[] = [];
    map.forEach((_, each) => {
      seen.push(each);
      map.delete(each);
      map.delete('c');
    });
    expect(seen).toEqual(['a', 'b']);
    expect(map.size).toBe(0);
  });
});
