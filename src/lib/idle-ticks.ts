/** A tick that comes every period, at first at `dueMillis`. Ticks of one time come in the order of their numbers. */
export interface PeriodicTick {
  readonly dueMillis: number;
  readonly sequence: number;
  readonly periodMillis: number;
}

/** The number of ticks before this time. */
export function ticksBefore({ dueMillis, periodMillis }: PeriodicTick, untilMillis: number): number {
  if (dueMillis >= untilMillis) return 0;
  let count = Math.ceil((untilMillis - dueMillis) / periodMillis);
  // The quotient may be rounded.
  while (dueMillis + count * periodMillis < untilMillis) count++;
  while (dueMillis + (count - 1) * periodMillis >= untilMillis) count--;
  return count;
}

/** Whether the times of the tick are computed without rounding. */
export function hasWholeTimes({ dueMillis, periodMillis }: PeriodicTick): boolean {
  return Number.isSafeInteger(dueMillis) && Number.isSafeInteger(periodMillis) && periodMillis > 0;
}

/**
 * Which of two ticks, that many of which were left out, would have asked later for the next one: negative for `b`. They
 * ask when they come. Of two that come at one time last, and have one period, that one comes first which began later:
 * at its first time it had waited since the beginning, and the other one had asked once more since.
 */
export function compareLastAsked(a: PeriodicTick, aCount: number, b: PeriodicTick, bCount: number): number {
  const aLast = a.dueMillis + (aCount - 1) * a.periodMillis;
  const bLast = b.dueMillis + (bCount - 1) * b.periodMillis;
  if (aLast !== bLast) return aLast - bLast;
  // Ticks with other periods have other times next, so that their order does not matter.
  if (aCount !== bCount) return aCount - bCount;
  return a.sequence - b.sequence;
}
