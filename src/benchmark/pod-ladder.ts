const STEPS = [1, 2, 5] as const;
const RUNG_MAX = 10_000_000;

/**
 * The numbers of pods that a suite places: 1, 2, 5, 10, 20, 50, ... Runs of nearly the same speed place equally many
 * pods, and a run on a lower rung places the first pods of those on a higher one, so that their decisions can be
 * compared.
 */
export const POD_LADDER: readonly number[] = rungs();

/** The highest rung that is not above `podCount`, at least 1. */
export function rungBelow(podCount: number): number {
  return POD_LADDER.findLast((rung) => rung <= podCount) ?? 1;
}

function rungs(): number[] {
  const ladder: number[] = [];
  for (let decade = 1; decade <= RUNG_MAX; decade *= 10) for (const step of STEPS) ladder.push(step * decade);
  return ladder.filter((rung) => rung <= RUNG_MAX);
}
