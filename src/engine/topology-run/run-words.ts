import type { SharedMemory } from '../../memory/shared-memory.ts';
import { SharedVector } from '../../memory/shared-vector.ts';

const WORD_BYTES = Int32Array.BYTES_PER_ELEMENT;

/** Words of shared memory that are taken one after the other, and given back all at once. */
export class RunWords {
  readonly #vector: SharedVector;
  /** The number of words in use. */
  #end = 0;

  constructor(memory: SharedMemory) {
    this.#vector = new SharedVector(memory, 'records of a run');
  }

  get pointer(): number {
    return this.#vector.pointer;
  }

  /** Must be read anew after words were taken. */
  get values(): Int32Array<SharedArrayBuffer> {
    return this.#vector.values;
  }

  /** Gives all words back. */
  clear(): void {
    this.#end = 0;
  }

  /** Makes room for this many words, so that they need not move while they are taken. */
  reserve(count: number): void {
    this.#vector.reserve(count);
  }

  /** Takes the next words; returns the first, which has an even number. */
  take(count: number): number {
    const first = this.#end;
    this.#end = first + count + (count & 1);
    this.#vector.reserve(this.#end);
    return first;
  }

  address(word: number): number {
    return this.#vector.pointer + word * WORD_BYTES;
  }

  /** Writes a list; returns its address. */
  list(numbers: readonly number[]): number {
    const list = this.take(numbers.length);
    const { values } = this.#vector;
    for (let i = 0; i < numbers.length; i++) values[list + i] = numbers[i] ?? 0;
    return this.address(list);
  }

  /** Writes several lists, one after the other; returns the address of the first. */
  lists(several: readonly (readonly number[])[]): number {
    let count = 0;
    for (let i = 0; i < several.length; i++) count += several[i]?.length ?? 0;
    let at = this.take(count);
    const first = this.address(at);
    const { values } = this.#vector;
    for (let i = 0; i < several.length; i++) {
      const numbers = several[i] as readonly number[];
      for (let j = 0; j < numbers.length; j++) values[at++] = numbers[j] as number;
    }
    return first;
  }
}
