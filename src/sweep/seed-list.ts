import { CodedError } from '../lib/errors.ts';

/** The largest seed of a scheduler. */
const SEED_MAX = 2 ** 32 - 1;
const SEEDS_MAX = 10_000_000;

interface SeedRange {
  readonly first: number;
  readonly last: number;
}

/** A list of seeds as people write it: `1..100`, `7`, `1..10,50..60`. */
export class SeedList {
  readonly #ranges: readonly SeedRange[];
  readonly count: number;

  private constructor(ranges: readonly SeedRange[]) {
    this.#ranges = ranges;
    this.count = ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  }

  /** Parses a list. Throws `InvalidSeeds`. */
  static parse(text: string): SeedList {
    const seeds = new SeedList(text.split(',').map((part) => parseRange(part.trim())));
    if (seeds.count > SEEDS_MAX) throw invalid(`there are ${seeds.count} seeds, at most ${SEEDS_MAX} are possible`);
    return seeds;
  }

  /** The seed at `index`, from 0 to below `count`. */
  at(index: number): number {
    let left = index;
    for (const { first, last } of this.#ranges) {
      if (left <= last - first) return first + left;
      left -= last - first + 1;
    }
    throw new RangeError(`seed ${index} of ${this.count}`);
  }

  /** The list in one canonical spelling. */
  toString(): string {
    return this.#ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}..${last}`)).join(',');
  }
}

function parseRange(text: string): SeedRange {
  const match = /^(\d+)(?:\.\.(\d+))?$/.exec(text);
  if (match === null) throw invalid(`"${text}" is neither a seed nor a range such as 1..100`);
  const first = Number(match[1]);
  const last = match[2] === undefined ? first : Number(match[2]);
  if (last > SEED_MAX || first > SEED_MAX) throw invalid(`"${text}": a seed is at most ${SEED_MAX}`);
  if (last < first) throw invalid(`"${text}": the last seed is less than the first`);
  return { first, last };
}

function invalid(reason: string): CodedError<'InvalidSeeds'> {
  return new CodedError('InvalidSeeds', reason);
}
