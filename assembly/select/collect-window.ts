/** Sampling: which nodes the search looks at, in the order in which it meets them. */

/**
 * Walks `count` slots in `order` from position `start` on, round and round, until it meets one feasible slot more than
 * `wanted`. The first `wanted` are listed; that one more, and all that were not reached, lose their feasibility. Three
 * i32 go to `out`: how many slots the search has dealt with (the surplus one does not count), and the lowest and the
 * highest slot of the list.
 *
 * `feasible` holds `slots` slots, and is 0 where no node is.
 */
export function collectWindow(
  order: usize,
  count: i32,
  start: i32,
  wanted: i32,
  feasible: usize,
  slots: i32,
  list: usize,
  out: usize,
): i32 {
  let found = 0;
  let lowest = slots;
  let highest = -1;
  let position = start;
  let i = 0;
  for (; i < count; i++) {
    const slot = load<i32>(order + (usize(position) << 2));
    if (load<i32>(feasible + (usize(slot) << 2)) != 0) {
      if (found == wanted) break;
      store<i32>(list + (usize(found) << 2), slot);
      found++;
      lowest = min(lowest, slot);
      highest = max(highest, slot);
    }
    position++;
    if (position == count) position = 0;
  }
  store<i32>(out, i);
  store<i32>(out, lowest, 4);
  store<i32>(out, highest, 8);
  if (i < count) keepListed(list, found, feasible, slots);
  return found;
}

/** To clear everything is one instruction; few are to be set again. */
function keepListed(list: usize, found: i32, feasible: usize, slots: i32): void {
  memory.fill(feasible, 0, usize(slots) << 2);
  const end = list + (usize(found) << 2);
  for (let at = list; at < end; at += 4) store<i32>(feasible + (usize(load<i32>(at)) << 2), -1);
}
