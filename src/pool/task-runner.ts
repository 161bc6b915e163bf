import type { Program } from '../kernels/program.ts';

/** The counters of a runner; its results do not depend on them. */
export interface RunnerCounters {
  /** Steps that were shared among threads. */
  readonly sharedSteps: number;
  /** Shared steps that the caller's thread repeated alone, because another thread failed or went missing. */
  readonly retriedSteps: number;
  /** Threads that were replaced. */
  readonly restartedWorkers: number;
}

export function sumOfCounters(runners: readonly TaskRunner[]): RunnerCounters {
  const sum = (name: keyof RunnerCounters): number =>
    runners.reduce((total, { counters }) => total + counters[name], 0);
  return {
    sharedSteps: sum('sharedSteps'),
    retriedSteps: sum('retriedSteps'),
    restartedWorkers: sum('restartedWorkers'),
  };
}

/** Runs programs, on the caller's thread alone (inline-runner.ts) or with other threads (pooled-runner.ts). */
export interface TaskRunner {
  /** How many threads share a step at most, the caller's included. */
  readonly workers: number;
  readonly counters: RunnerCounters;
  /** Announces programs over this many slots, which build or do not, so that threads can be started in advance. */
  prepare(slotCount: number, isBuild: boolean): void;
  /** Runs the program over the slots [from, to); afterwards the program has its results. `from` defaults to 0. */
  run(program: Program, to: number, from?: number): void;
  /** Ends one of the other threads wherever it is, as if it had died. Returns false when there is none. */
  endWorker(): boolean;
  /** Releases all threads but the caller's, which continues alone. */
  close(): void;
}
