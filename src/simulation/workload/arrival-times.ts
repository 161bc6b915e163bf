import type { Prng } from '../../lib/prng.ts';
import type { Bounds } from '../input/settings-file.ts';

/** Times in milliseconds since the simulation began, in ascending order. */
export interface ArrivalTimes {
  /** How many there are; Infinity if they never end. */
  readonly count: number;
  /** The last time, or its expectation. */
  readonly lastMillis: number;
  times(prng: Prng): Generator<number>;
}

/** Arrivals at given times. */
export function fixedTimes(millis: readonly number[]): ArrivalTimes {
  const sorted = millis.toSorted((a, b) => a - b);
  return {
    count: sorted.length,
    lastMillis: sorted.at(-1) ?? 0,
    *times() {
      yield* sorted;
    },
  };
}

/** One arrival every `gapMillis`, the first at the beginning. */
export function steadyTimes(gapMillis: number, bounds: Bounds): ArrivalTimes {
  return process(gapMillis, bounds, 0, () => gapMillis);
}

/** A Poisson process: its gaps are exponential, so that an arrival is equally likely at any time. */
export function poissonTimes(meanGapMillis: number, bounds: Bounds): ArrivalTimes {
  const draw = (prng: Prng): number => -meanGapMillis * Math.log((prng.next() + 0.5) / 2 ** 32);
  return process(meanGapMillis, bounds, meanGapMillis, draw);
}

function process(
  meanGapMillis: number,
  { fromMillis, untilMillis, count }: Bounds,
  firstGapMillis: number,
  drawGap: (prng: Prng) => number,
): ArrivalTimes {
  const bySpan = Math.floor((untilMillis - fromMillis - firstGapMillis) / meanGapMillis) + 1;
  const expected = Math.max(0, Math.min(count, bySpan));
  return {
    count: expected,
    lastMillis: expected === Number.POSITIVE_INFINITY ? expected : fromMillis + expected * meanGapMillis,
    *times(prng) {
      let exact = fromMillis + (firstGapMillis > 0 ? drawGap(prng) : 0);
      for (let i = 0; i < count && exact <= untilMillis; i++) {
        // The clock of a simulation counts whole milliseconds; rounding does not accumulate.
        yield Math.round(exact);
        exact += drawGap(prng);
      }
    },
  };
}
