/** The best total among feasible slots, and who has it. */

/** Three i32 as SELECT_RESULT_BYTES in src/kernels/abi.ts says. */
@inline
export function storeResult(out: usize, best: i32, count: i32, winner: i32): void {
  store<i32>(out, best);
  store<i32>(out, count, 4);
  store<i32>(out, winner, 8);
}

@inline
export function isTie(total: usize, feasible: usize, best: i32, i: i32): bool {
  const offset = usize(i) << 2;
  return load<i32>(feasible + offset) != 0 && load<i32>(total + offset) == best;
}

export function selectBest(total: usize, feasible: usize, order: usize, out: usize, from: i32, to: i32): void {
  let best = 0;
  let count = 0;
  let winner = -1;
  let winnerOrder = 0;
  for (let i = from; i < to; i++) {
    const offset = usize(i) << 2;
    if (load<i32>(feasible + offset) == 0) continue;
    const score = load<i32>(total + offset);
    const place = load<i32>(order + offset);
    if (count == 0 || score > best) {
      best = score;
      count = 1;
    } else if (score == best) {
      count++;
      if (place >= winnerOrder) continue;
    } else {
      continue;
    }
    winner = i;
    winnerOrder = place;
  }
  storeResult(out, best, count, winner);
}

export function collectTies(total: usize, feasible: usize, best: i32, out: usize, from: i32, to: i32): i32 {
  let count = 0;
  for (let i = from; i < to; i++) {
    if (!isTie(total, feasible, best, i)) continue;
    store<i32>(out + (usize(count) << 2), i);
    count++;
  }
  return count;
}

export function countFeasible(feasible: usize, from: i32, to: i32): i32 {
  let count = 0;
  for (let i = from; i < to; i++) count -= load<i32>(feasible + (usize(i) << 2));
  return count;
}
