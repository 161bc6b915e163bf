/** One instruction of a program, as the host lays it out (the record is described in src/kernels/program.ts). */
export const INSTRUCTION_BYTES: usize = 48;

/** Kernels by the number that an instruction names them by. */
export const enum Op {
  filterFit,
  filterDomains,
  countFeasible,
  fill,
  scoreLeastAllocated,
  scoreMostAllocated,
  scoreRequestedToCapacityRatio,
  scoreBalancedAllocation,
  maxFeasible,
  normalize,
  addWeighted,
  sumWeighted,
  selectBest,
  fillDoubles,
  addDomainScores,
  roundScores,
  scoredRange,
  normalizeSpread,
  normalizeRange,
  scanLane,
  countLane,
  selectBestTotal,
}

@inline
export function opOf(instruction: usize): Op {
  return load<i32>(instruction);
}

/** Byte offset of the register among the results. */
@inline
export function registerOf(instruction: usize): usize {
  return usize(load<u32>(instruction, 4));
}

/** Arguments 0 to 5: pointers and whole numbers. */
@inline
export function pointer(instruction: usize, index: usize): usize {
  return usize(load<u32>(instruction + (index << 2), 8));
}

@inline
export function whole(instruction: usize, index: usize): i32 {
  return load<i32>(instruction + (index << 2), 8);
}

/** Arguments 0 and 1 of another kind: doubles. */
@inline
export function double(instruction: usize, index: usize): f64 {
  return load<f64>(instruction + (index << 3), 32);
}
