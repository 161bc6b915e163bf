/** One instruction of a program, as the host lays it out (src/kernels/program.ts describes the record). */
export const INSTRUCTION_BYTES: usize = 32;

/** Kernels by the number that an instruction names them by: the opcodes of src/kernels/kernel-table.ts. */
export const enum Op {
  filterFit,
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
  scanTotals,
  countTotals,
  selectBestTotal,
  countVerdicts,
  writeMaxima,
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
