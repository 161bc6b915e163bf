import { assert } from './assert.ts';

/**
 * sfc32, a small generator with 128 bits of state, of integers only, so that a draw is the same on every machine.
 */
export class Prng {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  /** The seed is any safe integer >= 0; all of its 53 bits count. */
  constructor(seed: number) {
    assert(Number.isSafeInteger(seed), 'a seed is a safe integer');
    assert(seed >= 0, 'a seed is not negative');
    this.#a = 0;
    this.#b = seed >>> 0;
    this.#c = Math.floor(seed / 2 ** 32);
    // Twelve rounds are the author's recommendation for a state that differs from its neighbour's in one bit.
    for (let round = 0; round < 12; round++) this.next();
  }

  /** The state: a generator that is given the state of another draws the same from then on. */
  get state(): readonly number[] {
    return [this.#a, this.#b, this.#c, this.#counter];
  }

  set state([a = 0, b = 0, c = 0, counter = 0]: readonly number[]) {
    this.#a = a;
    this.#b = b;
    this.#c = c;
    this.#counter = counter;
  }

  /** Returns the next unsigned 32-bit integer. */
  next(): number {
    const result = (this.#a + this.#b + this.#counter) >>> 0;
    this.#counter = (this.#counter + 1) >>> 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + result) | 0;
    return result;
  }

  /** Draws a number in [0, n), all equally likely; 1 <= n <= 2^32. */
  below(n: number): number {
    assert(Number.isInteger(n), 'a bound is an integer');
    assert(n >= 1 && n <= 2 ** 32, 'a bound is in [1, 2^32]');
    // Draws above the largest multiple of n would favour small remainders, so they are discarded.
    const limit = 2 ** 32 - (2 ** 32 % n);
    let draw = this.next();
    while (draw >= limit) draw = this.next();
    return draw % n;
  }

  /** Shuffles the items in place (Fisher-Yates). */
  shuffle<T>(items: T[]): void {
    for (let last = items.length - 1; last > 0; last--) {
      const other = this.below(last + 1);
      const item = items[last] as T;
      items[last] = items[other] as T;
      items[other] = item;
    }
  }
}
