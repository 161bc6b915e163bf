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

export interface CrewModules {
  readonly memory: SharedMemory;
  readonly kernels: Kernels;
  readonly kind: KernelKind;
}

/** About 100 µs: longer than the JavaScript between two steps, and the processor is free soon after the last one. */
const PARKED_SPINS = 120_000;
const LEADER_SPINS = 120_000;
/**
 *   done      by all together
 *   failed    a thread has failed in the middle of it; nobody is at it any more
 *   missing   a thread does not come to its end: killed, perhaps; it may still write
 */
export type StepOutcome = 'done' | 'failed' | 'missing';

/** Threads that share steps over one memory, and the words over which they agree. Never healed: replaced as a whole. */
export class Crew {
  readonly #kernels: Kernels;
  readonly #threads: readonly PoolThread[];
  readonly #patienceMillis: number;
  readonly #control: number;
  readonly #words: Int32Array;
  /** By thread; the first is the leader's. */
  readonly #results: readonly ThreadResults[];
  /** Threads beside the leader that took part in the last step. */
  helpers = 0;

  /**
   * The control words are never given back: who is late may look at them at any time. `patienceMillis`: how long the
   * others may take for what they hold when the leader has nothing left to do.
   */
  constructor({ memory, kernels, kind }: CrewModules, threads: readonly PoolThread[], patienceMillis: number) {
    this.#patienceMillis = patienceMillis;
    this.#kernels = kernels;
    this.#threads = threads;
    const count = threads.length + 1;
    const bytes = controlWords(count) * Int32Array.BYTES_PER_ELEMENT;
    this.#control = memory.allocate(bytes, 'control words of a crew');
    const { buffer } = memory.memory;
    this.#words = new Int32Array(buffer, this.#control, controlWords(count));
    this.#words[THREAD_COUNT] = count;
    this.#results = Array.from({ length: count }, (_, thread) => {
      const at = (threadAt(thread) + RESULTS) * Int32Array.BYTES_PER_ELEMENT;
      return new ThreadResults(buffer, this.#control + at);
    });
    threads.forEach((thread, i) => {
      const post = { kind, memory: memory.memory, control: this.#control, spins: PARKED_SPINS };
      thread.take({ ...post, thread: i + 1 });
    });
  }

  /** Whether anybody but the leader is there. */
  get isManned(): boolean {
    return this.#threads.some((_, i) => this.#load(i + 1, STATE) === SERVING);
  }

  /** Shares the slots [0, slotCount) in chunks of so many; merges what was found when that is `done`. */
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

  /** The last step that a thread has noticed. */
  lastSeen(index: number): number {
    return this.#load(index + 1, SEEN);
  }

  /** It has died, or given up: it will not answer any more. */
  hasFallen(index: number): boolean {
    return (this.#threads[index]?.isDead ?? true) || this.#load(index + 1, STATE) === FAILED;
  }

  /** Whether it is at a step: long after that has begun, it is stuck. */
  isBusy(index: number): boolean {
    return this.#load(index + 1, BUSY) !== 0;
  }

  /** Everybody leaves who is there. */
  dissolve(): void {
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
