import { expect } from 'vitest';
import type { Kernels } from '../../src/kernels/abi.ts';
import { instantiate, type KernelKind } from '../../src/kernels/load.ts';

const FIRST_BYTE = 65_536;
const ARENA_BYTES = 65_536;

export type View = ArrayBufferView<SharedArrayBuffer>;

/** Columns of any length beside each other, and a guard who sees that a kernel writes nothing but its output. */
export class KernelArena {
  readonly kernels: Kernels;
  readonly #memory = new WebAssembly.Memory({ initial: 2, maximum: 2, shared: true });
  #used = FIRST_BYTE;

  constructor(kind: KernelKind) {
    this.kernels = instantiate(kind, this.#memory);
  }

  /** Forgets all columns. */
  clear(): void {
    new Uint8Array(this.#memory.buffer, FIRST_BYTE, ARENA_BYTES).fill(0xa5);
    this.#used = FIRST_BYTE;
  }

  /** A column; its pointer is `byteOffset`. */
  i32(values: readonly number[]): Int32Array<SharedArrayBuffer> {
    const view = new Int32Array(this.#memory.buffer, this.#allocate(values.length * 4), values.length);
    view.set(values);
    return view;
  }

  i16(values: readonly number[]): Int16Array<SharedArrayBuffer> {
    const view = new Int16Array(this.#memory.buffer, this.#allocate(values.length * 2), values.length);
    view.set(values);
    return view;
  }

  /** Zeroed bytes for a record. */
  record(bytes: number): DataView<SharedArrayBuffer> {
    const view = new DataView(this.#memory.buffer, this.#allocate(bytes), bytes);
    for (let at = 0; at < bytes; at++) view.setUint8(at, 0);
    return view;
  }

  f64(values: readonly number[]): Float64Array<SharedArrayBuffer> {
    const view = new Float64Array(this.#memory.buffer, this.#allocate(values.length * 8), values.length);
    view.set(values);
    return view;
  }

  /** Calls a kernel that may change these parts of columns and nothing else. */
  run<T>(outputs: readonly View[], call: () => T): T {
    const all = new Uint8Array(this.#memory.buffer);
    const before = all.slice();
    const result = call();
    const after = all.slice();
    for (const { byteOffset, byteLength } of outputs) {
      after.set(before.subarray(byteOffset, byteOffset + byteLength), byteOffset);
    }
    expect(Buffer.compare(after, before), 'bytes outside the output are as they were').toBe(0);
    return result;
  }

  /** Leaves gaps between columns, so that a write beyond the end of one does not hit another. */
  #allocate(bytes: number): number {
    const pointer = this.#used;
    this.#used += Math.ceil(bytes / 16) * 16 + 16;
    expect(this.#used).toBeLessThanOrEqual(FIRST_BYTE + ARENA_BYTES);
    return pointer;
  }
}
