import type { Int64 } from '../../lib/int64.ts';

/**
 * Returns the index of the element at the root of a binary heap that is built over `totals` by sifting down, from the
 * last parent to the first, where a child moves up only if it is strictly greater (upstream's container/heap over node
 * scores).
 */
export function heapRoot(totals: readonly Int64[]): number {
  const heap = totals.map((total, index) => ({ total, index }));
  const totalAt = (i: number): Int64 => heap[i]?.total ?? Number.NEGATIVE_INFINITY;
  for (let parent = Math.floor(heap.length / 2) - 1; parent >= 0; parent--) {
    let at = parent;
    for (;;) {
      const left = 2 * at + 1;
      const child = totalAt(left + 1) > totalAt(left) ? left + 1 : left;
      const [upper, lower] = [heap[at], heap[child]];
      if (upper === undefined || lower === undefined || lower.total <= upper.total) break;
      heap[at] = lower;
      heap[child] = upper;
      at = child;
    }
  }
  return heap[0]?.index ?? -1;
}
