/** NodeResourcesFit, scoring strategy LeastAllocated. */
import { weightedShares, weightedSharesExact } from './weighted-share';

export function scoreLeastAllocated(entries: usize, entryCount: i32, out: usize, exact: i32, from: i32, to: i32): void {
  if (exact) weightedSharesExact(false, entries, entryCount, out, from, to);
  else weightedShares(false, entries, entryCount, out, from, to);
}
