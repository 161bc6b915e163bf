import type { SharedMemory } from './shared-memory.ts';

const SMALLEST_LENGTH = 16;

/** A growing i32 array in shared memory. New elements are 0. `pointer` and `values` are replaced when it grows. */
export class SharedVector {
  readonly #memory: SharedMemory;
  readonly #owner: string;
  pointer: number;
  values: Int32Array<SharedArrayBuffer>;

  constructor(memory: SharedMemory, owner = '') {
    this.#memory = memory;
    this.#owner = `vector ${owner}`;
    this.pointer = memory.allocate(SMALLEST_LENGTH * Int32Array.BYTES_PER_ELEMENT, this.#owner);
    this.values = new Int32Array(memory.memory.buffer, this.pointer, SMALLEST_LENGTH);
  }

  /** Makes room for `length` elements. */
  reserve(length: number): void {
    if (length <= this.values.length) return;
    const grown = Math.max(length, this.values.length * 2);
    const pointer = this.#memory.allocate(grown * Int32Array.BYTES_PER_ELEMENT, this.#owner);
    const values = new Int32Array(this.#memory.memory.buffer, pointer, grown);
    values.set(this.values);
    this.#memory.free(this.pointer, this.values.byteLength);
    this.pointer = pointer;
    this.values = values;
  }

  /** Frees the memory; the vector must not be used afterwards. */
  release(): void {
    this.#memory.free(this.pointer, this.values.byteLength);
  }

  get(index: number): number {
    return this.values[index] ?? 0;
  }

  add(index: number, delta: number): void {
    this.values[index] = this.get(index) + delta;
  }
}
