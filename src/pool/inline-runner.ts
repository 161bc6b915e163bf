import type { Kernels } from '../kernels/abi.ts';
import type { Program } from '../kernels/program.ts';
import { RESULTS_BYTES, ThreadResults } from '../kernels/registers.ts';
import type { SharedMemory } from '../memory/shared-memory.ts';
import type { RunnerCounters, TaskRunner } from './task-runner.ts';

export interface InlineRunnerModules {
  readonly memory: SharedMemory;
  readonly kernels: Kernels;
}

/** The columns of this many nodes stay in the cache while up to eight signatures are scanned. */
const BUILD_TILE_SLOTS = 4096;

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
    const tileSlots = program.isBuild ? BUILD_TILE_SLOTS : to;
    results.reset();
    for (let tile = from; tile < to; tile += tileSlots) {
      const end = Math.min(tile + tileSlots, to);
      this.#kernels.interpret(pointer, instructionCount, results.size, this.#results.pointer, tile, end);
      results.merge(this.#results);
    }
  }

  endWorker(): boolean {
    return false;
  }

  close(): void {}
}
