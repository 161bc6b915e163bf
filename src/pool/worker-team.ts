import type { Kernels } from '../kernels/abi.ts';
import type { KernelKind } from '../kernels/load.ts';
import type { Program } from '../kernels/program.ts';
import { ThreadResults } from '../kernels/registers.ts';
import type { SharedMemory } from '../memory/shared-memory.ts';
import {
  BUSY,
  CHUNK_SLOTS,
  CHUNKS_MAX,
  controlWords,
  EPOCH,
  FAILED,
  INSTRUCTION_COUNT,
  PROGRAM,
  REGISTER_COUNT,
  RESULTS,
  RESULTS_OF,
  SEEN,
  SERVING,
  SIGNAL,
  SLOT_COUNT,
  STATE,
  STOP,
  THREAD_COUNT,
  threadAt,
  WAITING,
} from './control-words.ts';
import type { PoolThread } from './pool-thread.ts';

export interface WorkerTeamModules {
  readonly memory: SharedMemory;
  readonly kernels: Kernels;
  readonly kind: KernelKind;
}

/**
 * About 100 µs: longer than the JavaScript between two steps, but short enough to free the processor soon after the
 * last step.
 */
const PARKED_SPINS = 120_000;
const LEADER_SPINS = 120_000;
/**
 *   done      all threads took part and finished
 *   failed    a thread has failed during the step; no thread works on it any more
 *   missing   a thread does not finish, perhaps because it was killed; it may still write
 */
export type StepOutcome = 'done' | 'failed' | 'missing';

/**
 * Threads that share steps over one memory, and the control words by which they agree. A team is never repaired, but
 * replaced as a whole.
 */
export class WorkerTeam {
  readonly #kernels: Kernels;
  readonly #threads: readonly PoolThread[];
  readonly #patienceMillis: number;
  readonly #control: number;
  readonly #words: Int32Array;
  /** The results of each thread; the first are the leader's. */
  readonly #results: readonly ThreadResults[];
  /** How many threads besides the leader took part in the last step. */
  helpers = 0;

  /**
   * The control words are never freed, since a late thread may read them at any time. `patienceMillis`: how long the
   * leader waits for the chunks of other threads when it has nothing left to do.
   */
  constructor({ memory, kernels, kind }: WorkerTeamModules, threads: readonly PoolThread[], patienceMillis: number) {
    this.#patienceMillis = patienceMillis;
    this.#kernels = kernels;
    this.#threads = threads;
    const count = threads.length + 1;
    const bytes = controlWords(count) * Int32Array.BYTES_PER_ELEMENT;
    this.#control = memory.allocate(bytes, 'control words of a team');
    const { buffer } = memory.memory;
    this.#words = new Int32Array(buffer, this.#control, controlWords(count));
    this.#words[THREAD_COUNT] = count;
    this.#results = Array.from({ length: count }, (_, thread) => {
      const at = (threadAt(thread) + RESULTS) * Int32Array.BYTES_PER_ELEMENT;
      return new ThreadResults(buffer, this.#control + at);
    });
    threads.forEach((thread, i) => {
      const assignment = { kind, memory: memory.memory, control: this.#control, spins: PARKED_SPINS };
      thread.take({ ...assignment, thread: i + 1 });
    });
  }

  /** Whether any thread besides the leader serves. */
  get hasHelpers(): boolean {
    return this.#threads.some((_, i) => this.#load(i + 1, STATE) === SERVING);
  }

  /**
   * Shares the slots [0, slotCount) in chunks of `chunkSlots`, and merges the results of the threads if the step is
   * `done`.
   */
  share(program: Program, slotCount: number, chunkSlots: number): StepOutcome {
    const words = this.#words;
    words[PROGRAM] = program.pointer;
    words[INSTRUCTION_COUNT] = program.instructionCount;
    words[REGISTER_COUNT] = program.results.size;
    words[SLOT_COUNT] = slotCount;
    words[CHUNK_SLOTS] = Math.max(chunkSlots, Math.ceil(slotCount / CHUNKS_MAX));
    if (this.#kernels.leadStep(this.#control, LEADER_SPINS) === 0 && !this.#isDoneInTime()) return 'missing';
    if (this.#threads.some((_, i) => this.#load(i + 1, STATE) === FAILED)) return 'failed';
    const epoch = Atomics.load(words, EPOCH);
    program.results.reset();
    this.helpers = 0;
    this.#results.forEach((results, thread) => {
      if (this.#load(thread, RESULTS_OF) !== epoch) return;
      program.results.merge(results);
      if (thread > 0) this.helpers++;
    });
    return 'done';
  }

  /** The last step that the thread has noticed. */
  lastSeen(index: number): number {
    return this.#load(index + 1, SEEN);
  }

  /** Whether the thread has died or failed, so that it will not answer any more. */
  hasFailed(index: number): boolean {
    return (this.#threads[index]?.isDead ?? true) || this.#load(index + 1, STATE) === FAILED;
  }

  /** Whether the thread works on a step. If it still does so long after the step began, it is stuck. */
  isBusy(index: number): boolean {
    return this.#load(index + 1, BUSY) !== 0;
  }

  /** Makes all threads leave the team. */
  shutDown(): void {
    Atomics.store(this.#words, STOP, 1);
    Atomics.add(this.#words, EPOCH, 1);
    Atomics.notify(this.#words, EPOCH);
  }

  #isDoneInTime(): boolean {
    const words = this.#words;
    Atomics.store(words, WAITING, 1);
    let isDone = false;
    let isInTime = true;
    while (!isDone && isInTime) {
      const signal = Atomics.load(words, SIGNAL);
      isDone = this.#kernels.isStepDone(this.#control) === 1;
      if (!isDone) isInTime = Atomics.wait(words, SIGNAL, signal, this.#patienceMillis) !== 'timed-out';
    }
    Atomics.store(words, WAITING, 0);
    return isDone || this.#kernels.isStepDone(this.#control) === 1;
  }

  #load(thread: number, word: number): number {
    return Atomics.load(this.#words, threadAt(thread) + word);
  }
}
