import { expect, test } from 'vitest';
import { keyedPrng } from '../../src/lib/keyed-prng.ts';

test('the same seed and key draw the same, others something else', () => {
  const draw = (seed: number, key: string): number[] => {
    const prng = keyedPrng(seed, key);
    return [prng.next(), prng.next()];
  };
  expect(draw(1, 'a')).toEqual(draw(1, 'a'));
  const keys = Array.from({ length: 5000 }, (_, i) => `default/p-${i}/app`);
  const first = [...keys, 'app/default/p-1', ''].flatMap((key) => [draw(1, key), draw(2, key), draw(2 ** 40, key)]);
  expect(new Set(first.map(String)).size).toBe(first.length);
});

test('draws of neighbouring keys are spread evenly', () => {
  const bins = new Array<number>(10).fill(0);
  for (let i = 0; i < 10_000; i++) bins[keyedPrng(7, `n${i}`).below(10)]!++;
  for (const count of bins) expect(Math.abs(count - 1000)).toBeLessThan(150);
});
