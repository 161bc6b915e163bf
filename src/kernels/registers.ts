import { assert } from '../lib/assert.ts';
import type { RegisterKind } from './kernel-table.ts';

/**
 * The size of a register. It holds the result of an instruction; the second half is for the kernels only:
 *
 *   count     i32 sum
 *   maximum   i32, at least 0
 *   best      i32 best total, ties, winner (its slot), the winner's order
 *   histogram i32 counts of the numbers 0 to 15, without a second half
 *
 * @internal
 */
export const REGISTER_BYTES = 64;
/** The capacity of a program. A profile needs one register per normalised plugin, and three more. */
const REGISTERS_MAX = 16;
/** The size of the registers of one thread. */
export const RESULTS_BYTES = REGISTERS_MAX * REGISTER_BYTES;

const WORDS = REGISTER_BYTES / Int32Array.BYTES_PER_ELEMENT;

/** All numbers that a histogram counts are below this. */
export const HISTOGRAM_SIZE = WORDS;

/** The best total, the number of slots that have it, and the first of them in order; -1 without a slot. */
export interface BestSlot {
  readonly total: number;
  readonly ties: number;
  readonly slot: number;
}

/** One thread's registers in shared memory. */
export class ThreadResults {
  readonly pointer: number;
  readonly words: Int32Array;

  constructor(buffer: SharedArrayBuffer, pointer: number) {
    this.pointer = pointer;
    this.words = new Int32Array(buffer, pointer, RESULTS_BYTES / Int32Array.BYTES_PER_ELEMENT);
  }
}

/**
 * The results of a program, merged from all threads that took part. The results of one thread depend on its slots, but
 * the merged results do not.
 */
export class Registers {
  readonly #kinds: RegisterKind[] = [];
  readonly #words = new Int32Array(RESULTS_BYTES / Int32Array.BYTES_PER_ELEMENT);

  get size(): number {
    return this.#kinds.length;
  }

  /** Adds a register. Returns its byte offset among the results. */
  add(kind: RegisterKind): number {
    assert(this.#kinds.length < REGISTERS_MAX, `a program has at most ${REGISTERS_MAX} registers`);
    return (this.#kinds.push(kind) - 1) * REGISTER_BYTES;
  }

  clear(): void {
    this.#kinds.length = 0;
  }

  /** Clears the results before those of the first thread are merged. */
  reset(): void {
    this.#words.fill(0, 0, this.#kinds.length * WORDS);
  }

  merge(thread: ThreadResults): void {
    for (let register = 0; register < this.#kinds.length; register++) {
      const at = register * WORDS;
      switch (this.#kinds[register]) {
        case 'count':
          this.#words[at] = this.#word(at) + word(thread, at);
          break;
        case 'maximum':
          this.#words[at] = Math.max(this.#word(at), word(thread, at));
          break;
        case 'best':
          this.#mergeBest(thread, at);
          break;
        case 'histogram':
          for (let i = at; i < at + WORDS; i++) this.#words[i] = this.#word(i) + word(thread, i);
          break;
      }
    }
  }

  number(register: number): number {
    return this.#word(register / Int32Array.BYTES_PER_ELEMENT);
  }

  histogram(register: number): Int32Array {
    const at = register / Int32Array.BYTES_PER_ELEMENT;
    return this.#words.subarray(at, at + HISTOGRAM_SIZE);
  }

  best(register: number): BestSlot {
    const at = register / Int32Array.BYTES_PER_ELEMENT;
    const ties = this.#word(at + 1);
    return { total: this.#word(at), ties, slot: ties === 0 ? -1 : this.#word(at + 2) };
  }

  #word(at: number): number {
    return this.#words[at] ?? 0;
  }

  #mergeBest(thread: ThreadResults, at: number): void {
    const ties = word(thread, at + 1);
    if (ties === 0) return;
    const known = this.#word(at + 1);
    const difference = known === 0 ? 1 : word(thread, at) - this.#word(at);
    if (difference < 0) return;
    this.#words[at] = word(thread, at);
    this.#words[at + 1] = difference > 0 ? ties : known + ties;
    if (difference === 0 && word(thread, at + 3) >= this.#word(at + 3)) return;
    this.#words[at + 2] = word(thread, at + 2);
    this.#words[at + 3] = word(thread, at + 3);
  }
}

function word({ words }: ThreadResults, at: number): number {
  return words[at] ?? 0;
}
