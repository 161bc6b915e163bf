/**
 * What a program finds out: one register for each instruction that answers, all bytes 0 before the first range. In the
 * first half stands the answer so far, in the second what a kernel found in the last range (src/kernels/registers.ts);
 * a kernel that counts by number adds to the whole register itself.
 */
export const REGISTER_BYTES: usize = 64;
const FOUND: usize = 32;

/** The place at which a kernel writes what it found in one range. */
@inline
export function foundAt(register: usize): usize {
  return register + FOUND;
}

@inline
export function addCount(register: usize, count: i32): void {
  store<i32>(register, load<i32>(register) + count);
}

@inline
export function raiseMaximum(register: usize, value: i32): void {
  store<i32>(register, max(load<i32>(register), value));
}

/** Best total, ties, winner, and the winner's order, by which it stands against a tie of another range. */
export function mergeBest(register: usize, order: usize): void {
  const found = foundAt(register);
  const best = load<i32>(found);
  const ties = load<i32>(found, 4);
  if (ties == 0) return;
  const winner = load<i32>(found, 8);
  const place = load<i32>(order + (usize(winner) << 2));
  const known = load<i32>(register, 4);
  if (known == 0 || best > load<i32>(register)) {
    store<i32>(register, best);
    store<i32>(register, ties, 4);
  } else if (best == load<i32>(register)) {
    store<i32>(register, known + ties, 4);
    if (place >= load<i32>(register, 12)) return;
  } else {
    return;
  }
  store<i32>(register, winner, 8);
  store<i32>(register, place, 12);
}
