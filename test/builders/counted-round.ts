/** The element with this number, counted round. */
export function countedRound<T>(all: readonly T[], number: number): T {
  return all[number % all.length] as T;
}
