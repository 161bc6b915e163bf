/** NodeResourcesFit, scoring strategy MostAllocated, four slots a step. */
import { weightedSharesExact } from './weighted-share';
import { weightedShares } from './weighted-share.simd';

export function scoreMostAllocated(entries: usize, entryCount: i32, out: usize, exact: i32, from: i32, to: i32): void {
  if (exact) weightedSharesExact(true, entries, entryCount, out, from, to);
  else weightedShares(true, entries, entryCount, out, from, to);
}
