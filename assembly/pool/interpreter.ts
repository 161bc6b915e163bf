/** Programs: kernels one after the other over the same slots, so that a decision takes one call, not a dozen. */
import { execute } from './execute';
import { INSTRUCTION_BYTES, registerOf } from './instruction';
import { REGISTER_BYTES } from './registers';

/** Runs all instructions over [from, to) and adds what they find to the registers. */
export function runInstructions(program: usize, instructionCount: i32, results: usize, from: i32, to: i32): void {
  const end = program + usize(instructionCount) * INSTRUCTION_BYTES;
  for (let at = program; at < end; at += INSTRUCTION_BYTES) {
    execute(at, results + registerOf(at), from, to);
  }
}

@inline
export function clearRegisters(results: usize, registerCount: i32): void {
  memory.fill(results, 0, usize(registerCount) * REGISTER_BYTES);
}

/** A whole program on one thread. */
export function interpret(
  program: usize,
  instructionCount: i32,
  registerCount: i32,
  results: usize,
  from: i32,
  to: i32,
): void {
  clearRegisters(results, registerCount);
  runInstructions(program, instructionCount, results, from, to);
}
