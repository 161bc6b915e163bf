import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Prng } from '../../src/lib/prng.ts';

const seeds = fc.nat({ max: Number.MAX_SAFE_INTEGER });

describe('Prng', () => {
  it('gives u32 numbers, the same for the same seed', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const one = new Prng(seed);
        const two = new Prng(seed);
        for (let i = 0; i < 20; i++) {
          const draw = one.next();
          expect(draw).toBe(two.next());
          expect(Number.isInteger(draw) && draw >= 0 && draw < 2 ** 32).toBe(true);
        }
      }),
    );
  });

  it('is frozen: recorded runs depend on it', () => {
    const prng = new Prng(1);
    expect([prng.next(), prng.next(), prng.next()]).toMatchInlineSnapshot(`
      [
        2012149540,
        1872316204,
        1707632675,
      ]
    `);
  });

  it('distinguishes seeds beyond 32 bits', () => {
    expect(new Prng(1).next()).not.toBe(new Prng(2 ** 32 + 1).next());
  });

  it('draws below n evenly', () => {
    const prng = new Prng(7);
    const counts = new Array<number>(6).fill(0);
    for (let i = 0; i < 60_000; i++) counts[prng.below(6)]!++;
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(500);
    expect(prng.below(1)).toBe(0);
    expect(prng.below(2 ** 32)).toBeLessThan(2 ** 32);
  });

  it('refuses bounds and seeds that mean nothing', () => {
    for (const bound of [0, -1, 1.5, 2 ** 33]) expect(() => new Prng(1).below(bound)).toThrow();
    for (const seed of [-1, 0.5, Number.NaN]) expect(() => new Prng(seed)).toThrow();
  });

  it('shuffles into a permutation, and every item reaches every place', () => {
    fc.assert(
      fc.property(seeds, fc.array(fc.nat()), (seed, items) => {
        const shuffled = [...items];
        new Prng(seed).shuffle(shuffled);
        expect([...shuffled].sort((a, b) => a - b)).toEqual([...items].sort((a, b) => a - b));
      }),
    );
    const seen = new Set<string>();
    const prng = new Prng(3);
    for (let i = 0; i < 200; i++) {
      const items = ['a', 'b', 'c'];
      prng.shuffle(items);
      seen.add(items.join(''));
    }
    expect(seen.size).toBe(6);
  });
});
