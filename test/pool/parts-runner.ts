import type { Kernels } from '../../src/kernels/abi.ts';
import type { Program } from '../../src/kernels/program.ts';
import { RESULTS_BYTES, ThreadResults } from '../../src/kernels/registers.ts';
import { Prng } from '../../src/lib/prng.ts';
import type { SharedMemory } from '../../src/memory/shared-memory.ts';
import type { RunnerCounters, TaskRunner } from '../../src/pool/task-runner.ts';

/** What threads do, without threads: parts of the slots in any order, each with results of its own. */
export class PartsRunner implements TaskRunner {
  readonly workers = 4;
  readonly counters: RunnerCounters = { sharedSteps: 0, retriedSteps: 0, restartedWorkers: 0 };
  readonly #kernels: Kernels;
  readonly #prng: Prng;
  readonly #parts: readonly ThreadResults[];

  constructor({ memory, kernels }: { readonly memory: SharedMemory; readonly kernels: Kernels }, seed: number) {
    this.#kernels = kernels;
    this.#prng = new Prng(seed);
    const pointers = Array.from({ length: this.workers }, () => memory.allocate(RESULTS_BYTES));
    this.#parts = pointers.map((pointer) => new ThreadResults(memory.memory.buffer, pointer));
  }

  run(program: Program, slotCount: number): void {
    const { pointer, instructionCount, results } = program;
    const cuts = this.#parts.slice(1).map(() => this.#prng.below(slotCount + 1));
    const bounds = [0, ...cuts.sort((a, b) => a - b), slotCount];
    const order = this.#parts.map((_, part) => part);
    this.#prng.shuffle(order);
    results.reset();
    for (const part of order) {
      const thread = this.#parts[part];
      const [from = 0, to = 0] = bounds.slice(part);
      if (thread === undefined) continue;
      this.#kernels.interpret(pointer, instructionCount, results.size, thread.pointer, from, to);
      results.merge(thread);
    }
  }

  prepare(): void {}

  endWorker(): boolean {
    return false;
  }

  close(): void {}
}
