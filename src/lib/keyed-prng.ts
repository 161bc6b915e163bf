import { Prng } from './prng.ts';

/**
 * A random generator of its own for each key: the draws for one key do not depend on the draws for others, or on their
 * order. `seed` as for `Prng`.
 */
export function keyedPrng(seed: number, key: string): Prng {
  let low = seed >>> 0;
  let high = Math.floor(seed / 2 ** 32);
  for (let i = 0; i < key.length; i++) {
    const unit = key.charCodeAt(i);
    low = Math.imul(low ^ unit, 0x9e3779b1);
    low ^= low >>> 15;
    high = Math.imul(high ^ unit ^ low, 0x85ebca77);
    high ^= high >>> 13;
  }
  low = Math.imul(low ^ (high >>> 16), 0xc2b2ae3d);
  high = Math.imul(high ^ (low >>> 15), 0x27d4eb2f);
  // A seed has 53 bits.
  return new Prng((high >>> 11) * 2 ** 32 + (low >>> 0));
}
