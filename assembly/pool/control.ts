/** The words over which threads agree on a step (drawn in src/pool/control-words.ts). */

/** The number of the last step; threads sleep on it. */
export const EPOCH: usize = 0;
/** Not 0 if threads are to leave. */
export const STOP: usize = 4;
/** Not 0 while threads sleep that have not been woken. */
export const SLEEPERS: usize = 8;

/** Not 0 while the leader sleeps on SIGNAL until a thread has done its part. */
export const WAITING: usize = 64;
export const SIGNAL: usize = 68;

/** The step: written by the leader before the epoch, read by those who have claimed a part of it. */
export const PROGRAM: usize = 128;
export const INSTRUCTION_COUNT: usize = 132;
export const REGISTER_COUNT: usize = 136;
export const SLOT_COUNT: usize = 140;
export const CHUNK_SLOTS: usize = 144;
export const THREAD_COUNT: usize = 148;

const FIRST_THREAD: usize = 192;
const THREAD_BYTES: usize = 1152;

/** The chunks that a thread takes before others, in its record: epoch (32 bits), end (16) and next (16). */
export const CLAIMS: usize = 0;
export const STATE: usize = 64;
/** Not 0 while the thread may hold a chunk. */
export const BUSY: usize = 68;
/** The last epoch that the thread noticed. */
export const SEEN: usize = 72;
/** The epoch to which the results of the thread belong. */
export const RESULTS_OF: usize = 76;
export const RESULTS: usize = 128;

/** A value of STATE; the others are written by the host. */
export const SERVING: i32 = 1;

@inline
export function threadAt(control: usize, thread: i32): usize {
  return control + FIRST_THREAD + usize(thread) * THREAD_BYTES;
}
