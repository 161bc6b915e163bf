/** NodeResourcesFit, scoring strategy LeastAllocated, four slots a step. */
import { weightedSharesExact } from './weighted-share';
import { weightedShares } from './weighted-share.simd';

export function scoreLeastAllocated(entries: usize, entryCount: i32, out: usize, exact: i32, from: i32, to: i32): void {
  if (exact) weightedSharesExact(false, entries, entryCount, out, from, to);
  else weightedShares(false, entries, entryCount, out, from, to);
}
