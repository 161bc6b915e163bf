import { assert } from '../lib/assert.ts';
import { CodedError } from '../lib/errors.ts';

const PAGE_BYTES = 65_536;
/** 4 GiB, the address space of 32-bit WebAssembly. Reserved address space costs nothing until it is used. */
const MAX_PAGES = 65_536;
/** Every allocation starts on a cache line. */
const ALIGNMENT_BYTES = 64;
/** The first page is not used, so that pointer 0 is invalid. */
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
 * The memory that TypeScript and every kernel instance share, and its allocator: first fit over a list of free blocks,
 * with neighbours merged. Allocations are few and large (columns), so the list stays short.
 *
 *   0        64 KiB                                   used                      grown                4 GiB
 *   │ nothing │ column │ column │ (free) │ column │ ... │ not yet handed out │ not yet grown │
 */
export class SharedMemory {
  readonly memory = new WebAssembly.Memory({ initial: 1, maximum: MAX_PAGES, shared: true });
  readonly #free: FreeBlock[] = [];
  #used = FIRST_BYTE;
  #allocated = 0;

  /** The end of the bytes that have ever been allocated. */
  get usedBytes(): number {
    return this.#used;
  }

  /** The number of bytes that are allocated now. */
  get allocatedBytes(): number {
    return this.#allocated;
  }

  /**
   * Returns a pointer to zeroed bytes. Throws `OutOfMemoryError` with nothing changed. `_owner`: the purpose of the
   * bytes for error messages, which only the guarded memory of tests keeps.
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
