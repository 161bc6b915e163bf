import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Prng } from '../../../src/lib/prng.ts';
import { generatedName, RandomNames } from '../../../src/store/objects/names.ts';

const seeds = fc.nat({ max: Number.MAX_SAFE_INTEGER });

describe('RandomNames', () => {
  it('makes version 4 UUIDs, none twice, the same for the same seed', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const [one, two] = [new RandomNames(new Prng(seed)), new RandomNames(new Prng(seed))];
        const uids = Array.from({ length: 20 }, () => one.uid());
        expect(uids).toEqual(uids.map(() => two.uid()));
        expect(new Set(uids).size).toBe(uids.length);
        for (const uid of uids) expect(uid).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
      }),
    );
  });

  it('uses every digit in every place that is free', () => {
    const names = new RandomNames(new Prng(5));
    const uids = Array.from({ length: 2000 }, () => names.uid());
    for (let place = 0; place < 36; place++) {
      const digits = new Set(uids.map((uid) => uid[place])).size;
      const isFixed = [8, 13, 14, 18, 23].includes(place);
      expect([place, digits]).toEqual([place, isFixed ? 1 : place === 19 ? 4 : 16]);
    }
  });

  it('completes names to at most 63 characters', () => {
    fc.assert(
      fc.property(seeds, fc.stringMatching(/^[a-z]{1,80}$/), (seed, base) => {
        const name = generatedName(base, new RandomNames(new Prng(seed)));
        expect(name).toMatch(/^[a-z]{1,58}[bcdfghjklmnpqrstvwxz2456789]{5}$/);
        expect(name.slice(0, -5)).toBe(base.slice(0, 58));
      }),
    );
  });

  it('completes names of changing beginnings as a joined text', () => {
    const beginnings = fc.constantFrom('', 'a-', 'b-', 'é✓-', `${'long'.repeat(20)}-`, `${'long'.repeat(20)}-b`);
    const ends = fc.constantFrom('bcdfg', '24567', 'x');
    fc.assert(
      fc.property(fc.array(fc.tuple(beginnings, ends), { maxLength: 12 }), (asked) => {
        for (const [beginning, end] of asked) {
          const name = generatedName(beginning, { uid: () => '', suffix: () => end });
          expect(name).toBe(beginning.slice(0, 58) + end);
        }
      }),
    );
  });
});
