import type { Prng } from '../../lib/prng.ts';

/** Moments, in milliseconds since the simulation began, that never go back. */
export interface ArrivalTimes {
  /** Infinity: without end. */
  readonly count: number;
  /** The last one, or what is expected of it. */
  readonly lastMillis: number;
  times(prng: Prng): Generator<number>;
}

/** Where a process begins and ends. */
export interface ProcessBounds {
  readonly fromMillis: number;
  /** Infinity: it does not end by itself. */
  readonly untilMillis: number;
  /** Infinity: as many as come until then. */
  readonly count: number;
}

/** At given moments. */
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

/** One every `gapMillis`, the first at the beginning. */
export function steadyTimes(gapMillis: number, bounds: ProcessBounds): ArrivalTimes {
  return process(gapMillis, bounds, 0, () => gapMillis);
}

/** A Poisson process: gaps are exponential, so that any moment is as likely as any other. */
export function poissonTimes(meanGapMillis: number, bounds: ProcessBounds): ArrivalTimes {
  const draw = (prng: Prng): number => -meanGapMillis * Math.log((prng.next() + 0.5) / 2 ** 32);
  return process(meanGapMillis, bounds, meanGapMillis, draw);
}

function process(
  meanGapMillis: number,
  { fromMillis, untilMillis, count }: ProcessBounds,
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
        // The clock of a simulation counts whole milliseconds; the process does not drift by it.
        yield Math.round(exact);
        exact += drawGap(prng);
      }
    },
  };
}
