import { assert } from '../lib/assert.ts';
import { CodedError } from '../lib/errors.ts';

const PAGE_BYTES = 65_536;
/** 4 GiB, all that 32-bit WebAssembly can address. Reserved address space costs nothing until it is touched. */
const MAX_PAGES = 65_536;
/** Columns start on a cache line of their own. */
const ALIGNMENT_BYTES = 64;
/** The kernels have no static data, but nothing is placed in the first page: pointer 0 stays invalid. */
const FIRST_BYTE = PAGE_BYTES;

export class OutOfMemoryError extends CodedError<'OutOfMemory'> {
  constructor(bytes: number) {
    super('OutOfMemory', `the kernels' 4 GiB address space is used up: ${bytes} more bytes do not fit`);
  }
}

interface FreeBlock {
  pointer: number;
  bytes: number;
}

/**
 * The one memory that TypeScript and every kernel instance share, and the allocator of its bytes: first fit over a list
 * of free blocks, neighbours merged. Few and large allocations (columns), so the list stays short.
 *
 *   0        64 KiB                                   used                      grown                4 GiB
 *   │ nothing │ column │ column │ (free) │ column │ ... │ not yet handed out │ not yet grown │
 */
export class SharedMemory {
  readonly memory = new WebAssembly.Memory({ initial: 1, maximum: MAX_PAGES, shared: true });
  readonly #free: FreeBlock[] = [];
  #used = FIRST_BYTE;
  #allocated = 0;

  /** Bytes from 0 to the last one handed out. */
  get usedBytes(): number {
    return this.#used;
  }

  /** Bytes that are handed out now: less than `usedBytes` where some were given back. */
  get allocatedBytes(): number {
    return this.#allocated;
  }

  /**
   * Returns a pointer to zeroed bytes. Throws `OutOfMemoryError` with nothing changed. `_owner` says what the bytes are
   * for, in the words of an error message; only memory that is watched over remembers it.
   */
  allocate(byteLength: number, _owner?: string): number {
    const bytes = roundUp(Math.max(byteLength, 1), ALIGNMENT_BYTES);
    const index = this.#free.findIndex((block) => block.bytes >= bytes);
    const block = this.#free[index];
    if (block === undefined) return this.#extend(bytes);
    this.#allocated += bytes;
    const pointer = block.pointer;
    block.pointer += bytes;
    block.bytes -= bytes;
    if (block.bytes === 0) this.#free.splice(index, 1);
    new Uint8Array(this.memory.buffer, pointer, bytes).fill(0);
    return pointer;
  }

  free(pointer: number, byteLength: number): void {
    const bytes = roundUp(Math.max(byteLength, 1), ALIGNMENT_BYTES);
    assert(
      pointer >= FIRST_BYTE && pointer + bytes <= this.#used,
      `free of ${pointer}+${bytes} outside the used bytes`,
    );
    let index = this.#free.findIndex((block) => block.pointer > pointer);
    if (index < 0) index = this.#free.length;
    const [before, after] = [this.#free[index - 1], this.#free[index]];
    assert(before === undefined || before.pointer + before.bytes <= pointer, `${pointer} is freed twice`);
    assert(after === undefined || pointer + bytes <= after.pointer, `${pointer} is freed twice`);
    const block = { pointer, bytes };
    this.#free.splice(index, 0, block);
    this.#allocated -= bytes;
    if (after !== undefined && pointer + bytes === after.pointer) {
      block.bytes += after.bytes;
      this.#free.splice(index + 1, 1);
    }
    if (before !== undefined && before.pointer + before.bytes === pointer) {
      before.bytes += block.bytes;
      this.#free.splice(index, 1);
    }
  }

  #extend(bytes: number): number {
    const pointer = this.#used;
    const end = pointer + bytes;
    if (end > MAX_PAGES * PAGE_BYTES) throw new OutOfMemoryError(bytes);
    const missing = end - this.memory.buffer.byteLength;
    if (missing > 0) {
      try {
        this.memory.grow(Math.ceil(missing / PAGE_BYTES));
      } catch {
        throw new OutOfMemoryError(bytes);
      }
    }
    this.#used = end;
    this.#allocated += bytes;
    return pointer;
  }
}

function roundUp(value: number, multiple: number): number {
  return Math.ceil(value / multiple) * multiple;
}
