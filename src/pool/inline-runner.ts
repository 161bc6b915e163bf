import type { Kernels } from '../kernels/abi.ts';
import type { Program } from '../kernels/program.ts';
import { RESULTS_BYTES, ThreadResults } from '../kernels/registers.ts';
import type { SharedMemory } from '../memory/shared-memory.ts';
import type { RunnerCounters, TaskRunner } from './task-runner.ts';

export interface InlineRunnerModules {
  readonly memory: SharedMemory;
  readonly kernels: Kernels;
}

/** Runs everything on the caller's thread. Every other runner must give the same results. */
export class InlineRunner implements TaskRunner {
  readonly workers = 1;
  readonly counters: RunnerCounters = { sharedSteps: 0, retriedSteps: 0, restartedWorkers: 0 };
  readonly #kernels: Kernels;
  readonly #results: ThreadResults;

  constructor({ memory, kernels }: InlineRunnerModules) {
    this.#kernels = kernels;
    const pointer = memory.allocate(RESULTS_BYTES, 'registers');
    this.#results = new ThreadResults(memory.memory.buffer, pointer);
  }

  prepare(): void {}

  run(program: Program, to: number, from = 0): void {
    const { pointer, instructionCount, results } = program;
    this.#kernels.interpret(pointer, instructionCount, results.size, this.#results.pointer, from, to);
    results.reset();
    results.merge(this.#results);
  }

  endWorker(): boolean {
    return false;
  }

  close(): void {}
}
