import type { Program } from '../kernels/program.ts';

/** How a runner fared; what it computes does not depend on it. */
export interface RunnerCounters {
  /** Steps that were shared among threads. */
  readonly sharedSteps: number;
  /** Shared steps that the caller's thread did once more, alone, because another failed or went missing. */
  readonly retriedSteps: number;
  /** Threads that were replaced. */
  readonly restartedWorkers: number;
}

/** Who runs programs: the caller's thread alone (inline-runner.ts), or others with it (pooled-runner.ts). */
export interface TaskRunner {
  /** Threads that share a step at most, the caller's included. */
  readonly workers: number;
  readonly counters: RunnerCounters;
  /** So many slots are to be expected: help that takes time to come may be called. */
  prepare(slotCount: number): void;
  /** Runs the program over the slots [from, to), `from` is 0 unless said; afterwards it has its answers. */
  run(program: Program, to: number, from?: number): void;
  /** Ends one of the other threads wherever it is, as if it had died; false: there is none. */
  endWorker(): boolean;
  /** Lets go of all threads but the caller's, which goes on alone. */
  close(): void;
}
