import type { Clock } from '../../src/lib/clock.ts';

/**
 * Prepares a scheduler or a cluster with `size` objects of one kind, and returns a round of the work that is timed. The
 * round returns how many operations it did, of which each should cost the same whatever the size is.
 */
export type Probe = (size: number) => () => number;

export interface Growth {
  /** Microseconds of an operation at each size, in the fastest round. */
  readonly micros: readonly number[];
  /** The power of the size with which the cost grows from the first size to the last: 0 is flat, 1 in proportion. */
  readonly exponent: number;
}

export interface GrowthOptions {
  /** In ascending order. */
  readonly sizes: readonly number[];
  /** How often the work is done at each size, one round after the other. */
  readonly rounds: number;
  readonly clock: Clock;
}

/** The first size comes once more before all others, since code is compiled meanwhile. */
export function growthOf(probe: Probe, { sizes, rounds, clock }: GrowthOptions): Growth {
  const [first = 1] = sizes;
  const last = sizes.at(-1) ?? first;
  microsOf(probe, first, rounds, clock);
  const micros = sizes.map((size) => microsOf(probe, size, rounds, clock));
  const [least = 0, most = least] = [micros[0], micros.at(-1)];
  const exponent = last === first ? 0 : Math.log(most / least) / Math.log(last / first);
  return { micros, exponent };
}

function microsOf(probe: Probe, size: number, rounds: number, clock: Clock): number {
  const work = probe(size);
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const startMillis = clock.nowMillis();
    const operations = work();
    least = Math.min(least, ((clock.nowMillis() - startMillis) * 1000) / operations);
  }
  return least;
}
