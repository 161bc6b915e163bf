import type { Prng } from '../../../src/lib/prng.ts';

/** Draws as a script wants them. */
export class Dice {
  readonly #prng: Prng;

  constructor(prng: Prng) {
    this.#prng = prng;
  }

  /** Both ends included. */
  between(first: number, last: number): number {
    return first + this.#prng.below(last - first + 1);
  }

  /** Once in so many. */
  oneIn(count: number): boolean {
    return this.#prng.below(count) === 0;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.#prng.below(items.length)] as T;
  }
}
