import { storeResult } from './select-best';

/**
 * The tie rule of kube-scheduler v1.36: the root of a binary heap that is built by sift-down over the feasible nodes in
 * the order they were found, where a child moves up only if it is strictly greater. That is the first maximum in a
 * pre-order walk of the implicit heap, so comparing the ranks of the ties is enough:
 *
 *              1            ranks from 1; a rank's binary digits are the path to it
 *          2       3        pre-order: 1 2 4 5 3 6 7
 *        4   5   6   7
 */
export function selectHeapRoot(list: usize, count: i32, total: usize, out: usize): void {
  let best = 0;
  let ties = 0;
  let winner = -1;
  let winnerRank = 0;
  for (let i = 0; i < count; i++) {
    const slot = load<i32>(list + (usize(i) << 2));
    const score = load<i32>(total + (usize(slot) << 2));
    if (ties == 0 || score > best) {
      best = score;
      ties = 1;
    } else if (score == best) {
      ties++;
      if (!isBeforeInPreOrder(i + 1, winnerRank)) continue;
    } else {
      continue;
    }
    winner = slot;
    winnerRank = i + 1;
  }
  storeResult(out, best, ties, winner);
}

/** `rank` is greater than `other` in level order; it comes first only if it lies further left on the other's level. */
@inline
export function isBeforeInPreOrder(rank: i32, other: i32): bool {
  // An ancestor comes before all below it; between branches the left one, the smaller number on equal depth, comes
  // first.
  const levels = clz<i32>(other) - clz<i32>(rank);
  return rank >> levels < other;
}

/**
 * A number by which ranks stand in pre-order: their binary digits, the first one on the left. Of ranks with equal
 * numbers the smaller comes first, since it is above the others.
 */
@inline
export function preOrderKey(rank: i32): u32 {
  return u32(rank) << clz<u32>(u32(rank));
}
