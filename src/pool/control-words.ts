import { RESULTS_BYTES } from '../kernels/registers.ts';

/**
 * The words by which the threads of a worker team agree on a step: i32 in shared memory, a cache line for each writer.
 * assembly/pool/control.ts has the same offsets.
 *
 *   line 0   EPOCH   STOP   SLEEPERS    the leader counts steps here; the others watch EPOCH, and sleep on it
 *   line 1   WAITING SIGNAL             the leader sleeps on SIGNAL until a thread has finished its part
 *   line 2   PROGRAM INSTRUCTION_COUNT REGISTER_COUNT SLOT_COUNT CHUNK_SLOTS THREAD_COUNT      the step to run
 *   and for each thread, the leader being thread 0:
 *   line 0   CLAIMS                     epoch:32 end:16 next:16 in one word: the chunks that are reserved for it
 *   line 1   STATE BUSY SEEN RESULTS_OF its state, if it may hold a chunk, last epoch seen, epoch of its results
 *   line 2.. registers                  its results
 *
 *   leader   writes the step ─▶ CLAIMS ─▶ EPOCH+1 ─▶ claims and runs chunks ─▶ waits until no thread is BUSY ─▶ merges
 *   thread   sees EPOCH ─▶ BUSY=1 ─▶ claims and runs chunks ─▶ BUSY=0 ─▶ if WAITING: SIGNAL ─▶ watches EPOCH
 */
export const EPOCH = 0;
export const STOP = 1;
export const WAITING = 16;
export const SIGNAL = 17;

export const PROGRAM = 32;
export const INSTRUCTION_COUNT = 33;
export const REGISTER_COUNT = 34;
export const SLOT_COUNT = 35;
export const CHUNK_SLOTS = 36;
export const THREAD_COUNT = 37;

const FIRST_THREAD = 48;
const THREAD_HEAD = 32;
const THREAD_WORDS = THREAD_HEAD + RESULTS_BYTES / Int32Array.BYTES_PER_ELEMENT;

/** The words of a thread, counted from `threadAt`. */
export const STATE = 16;
export const BUSY = 17;
export const SEEN = 18;
export const RESULTS_OF = 19;
export const RESULTS = THREAD_HEAD;

/** Values of STATE; 0 means that the thread has not started yet. */
export const SERVING = 1;
export const FAILED = 2;

/** CLAIMS counts chunks in 16 bits, so there are no more. */
export const CHUNKS_MAX = 65_535;

export function threadAt(thread: number): number {
  return FIRST_THREAD + thread * THREAD_WORDS;
}

export function controlWords(threadCount: number): number {
  return threadAt(threadCount);
}
