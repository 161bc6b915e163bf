import type { Prng } from '../../../src/lib/prng.ts';

/** Draws as a script wants them. */
export class Dice {
  readonly #prng: Prng;

  constructor(prng: Prng) {
    this.#prng = prng;
  }

  /** A whole number of a range, both ends included. */
  between(first: number, last: number): number {
    return first + this.#prng.below(last - first + 1);
  }

  /** Whether an event of the probability 1 in `count` happens. */
  oneIn(count: number): boolean {
    return this.#prng.below(count) === 0;
  }

  /** Makes a value once in `count` draws; else it is undefined, which JSON leaves out. */
  maybe<T>(count: number, make: () => T): T | undefined {
    return this.oneIn(count) ? make() : undefined;
  }

  /** A list whose length is in a range, each entry drawn by itself. */
  list<T>(first: number, last: number, make: (i: number) => T): T[] {
    return Array.from({ length: this.between(first, last) }, (_, i) => make(i));
  }

  /** Draws `first` to `last` of the items, each at most once, in a random order. */
  some<T>(items: readonly T[], first: number, last: number): T[] {
    const drawn = [...items];
    this.#prng.shuffle(drawn);
    return drawn.slice(0, this.between(Math.min(first, items.length), Math.min(last, items.length)));
  }

  pick<T>(items: readonly T[]): T {
    return items[this.#prng.below(items.length)] as T;
  }
}
