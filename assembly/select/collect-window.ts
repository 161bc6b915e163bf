/** Sampling: which nodes the search looks at, in the order in which it meets them. */

/**
 * Walks `count` slots in `order` from position `start` on, round and round, until it meets one feasible slot more than
 * `wanted`. The first `wanted` are listed; that one more, and all that were not reached, lose their feasibility. The
 * number of slots that the search has dealt with goes to `processed` (the surplus one does not count).
 */
export function collectWindow(
  order: usize,
  count: i32,
  start: i32,
  wanted: i32,
  feasible: usize,
  list: usize,
  processed: usize,
): i32 {
  let found = 0;
  let position = start;
  let i = 0;
  for (; i < count; i++) {
    const slot = load<i32>(order + (usize(position) << 2));
    if (load<i32>(feasible + (usize(slot) << 2)) != 0) {
      if (found == wanted) break;
      store<i32>(list + (usize(found) << 2), slot);
      found++;
    }
    position++;
    if (position == count) position = 0;
  }
  store<i32>(processed, i);
  for (; i < count; i++) {
    store<i32>(feasible + (usize(load<i32>(order + (usize(position) << 2))) << 2), 0);
    position++;
    if (position == count) position = 0;
  }
  return found;
}
