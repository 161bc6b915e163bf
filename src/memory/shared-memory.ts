import { assert } from '../lib/assert.ts';
import { CodedError } from '../lib/errors.ts';
import { FreeBlocks } from './free-blocks.ts';
import { growsInPlace, MAX_PAGES, newSharedMemory, PAGE_BYTES } from './wasm-memory.ts';

/** Every allocation starts on a cache line, and is a whole number of them. */
const UNIT_BYTES = 64;
/** The first page is not used, so that pointer 0 is invalid. */
const FIRST_BYTE = PAGE_BYTES;
/** 8 MiB: the most by which a memory grows because that is its half. */
const HALF_PAGES_MAX = 128;

export class OutOfMemoryError extends CodedError<'OutOfMemory'> {
  constructor(bytes: number) {
    super('OutOfMemory', `the kernels' memory is used up: ${bytes} more bytes do not fit`);
  }
}

/** Learns of the blocks of every memory. */
export interface MemoryObserver {
  allocated(memory: object, bytes: number, owner: string): void;
  freed(memory: object, bytes: number, owner: string): void;
}

/**
 * The memory that TypeScript and every kernel instance share, and its allocator. Blocks that were given back are merged
 * with their free neighbours, and found by their size (`FreeBlocks`). After one allocator another can hand out the same
 * memory (`handOver`).
 *
 *   0        64 KiB                                   used                      grown                4 GiB
 *   │ nothing │ column │ column │ (free) │ column │ ... │ not yet handed out │ not yet grown │
 */
export class SharedMemory {
  /** Learns of all blocks, while somebody wants a profile. */
  static observer: MemoryObserver | null = null;
  readonly memory: WebAssembly.Memory;
  readonly #free = new FreeBlocks();
  /** The sizes of the allocated blocks by their start, both in units. */
  readonly #blocks = new Map<number, number>();
  /** The owners of blocks that an observer has heard of, by their start. */
  readonly #owners = new Map<number, string>();
  /** The memory as far as it was grown when bytes were last cleared. */
  #words: BigInt64Array = new BigInt64Array(0);
  #used = FIRST_BYTE;
  #allocated = 0;
  /** The end of the bytes that an earlier allocator has handed out, which may hold anything. */
  readonly #stale: number;
  #isOver = false;

  constructor(memory = newSharedMemory(), staleBytes = FIRST_BYTE) {
    this.memory = memory;
    this.#stale = staleBytes;
  }

  /** Ends this allocator, whose blocks nobody uses any more, and returns one that hands out the same memory anew. */
  handOver(): SharedMemory {
    assert(!this.#isOver, 'a memory is handed over once');
    this.#isOver = true;
    this.#allocated = 0;
    return new SharedMemory(this.memory, this.touchedBytes);
  }

  /** The end of the bytes that were ever handed out, by earlier allocators, too. */
  get touchedBytes(): number {
    return Math.max(this.#used, this.#stale);
  }

  /** The end of the bytes that have ever been allocated. */
  get usedBytes(): number {
    return this.#used;
  }

  /** The number of bytes that are allocated now. */
  get allocatedBytes(): number {
    return this.#allocated;
  }

  /**
   * Returns a pointer to zeroed bytes. Throws `OutOfMemoryError` with nothing changed. `owner`: the purpose of the
   * bytes, for profiles and for the guarded memory of tests.
   */
  allocate(byteLength: number, owner = 'other'): number {
    assert(!this.#isOver, 'this memory belongs to another allocator now');
    const units = unitsOf(byteLength);
    const taken = this.#free.take(units);
    const pointer = taken < 0 ? this.#extend(units) : taken * UNIT_BYTES;
    if (taken >= 0) this.#clear(pointer, units * UNIT_BYTES);
    this.#blocks.set(pointer / UNIT_BYTES, units);
    this.#allocated += units * UNIT_BYTES;
    if (SharedMemory.observer !== null) {
      this.#owners.set(pointer / UNIT_BYTES, owner);
      SharedMemory.observer.allocated(this, units * UNIT_BYTES, owner);
    }
    return pointer;
  }

  free(pointer: number, byteLength: number): void {
    const units = unitsOf(byteLength);
    const bytes = units * UNIT_BYTES;
    assert(
      pointer >= FIRST_BYTE && pointer + bytes <= this.#used,
      `free of ${pointer}+${bytes} outside the used bytes`,
    );
    const start = pointer / UNIT_BYTES;
    assert(this.#blocks.get(start) === units, `${pointer}+${bytes} is no block, or is freed twice`);
    this.#blocks.delete(start);
    this.#free.add(start, units);
    this.#allocated -= bytes;
    if (this.#owners.size === 0) return;
    const owner = this.#owners.get(start);
    if (owner === undefined) return;
    this.#owners.delete(start);
    SharedMemory.observer?.freed(this, bytes, owner);
  }

  /** Appends bytes, of which a free block at the end may be a part. */
  #extend(units: number): number {
    const reusedUnits = this.#free.sizeBefore(this.#used / UNIT_BYTES);
    const pointer = this.#used - reusedUnits * UNIT_BYTES;
    const bytes = units * UNIT_BYTES;
    const end = pointer + bytes;
    if (end > MAX_PAGES * PAGE_BYTES) throw new OutOfMemoryError(bytes);
    const missing = end - this.memory.buffer.byteLength;
    if (missing > 0) {
      if (!growsInPlace(this.memory)) throw new OutOfMemoryError(bytes);
      try {
        this.#grow(Math.ceil(missing / PAGE_BYTES));
      } catch {
        throw new OutOfMemoryError(bytes);
      }
    }
    this.#free.takeBefore(this.#used / UNIT_BYTES);
    const stale = Math.max(this.#used, Math.min(end, this.#stale));
    if (stale > pointer) this.#clear(pointer, stale - pointer);
    this.#used = end;
    return pointer;
  }

  /** Fills whole units with zeros; of shared memory V8 fills number by number, so that these are large. */
  #clear(pointer: number, bytes: number): void {
    const end = (pointer + bytes) / BigInt64Array.BYTES_PER_ELEMENT;
    if (this.#words.length < end) this.#words = new BigInt64Array(this.memory.buffer);
    this.#words.fill(0n, pointer / BigInt64Array.BYTES_PER_ELEMENT, end);
  }

  /**
   * Grows by at least an eighth while there is room, and a small memory by a half, because every growth replaces the
   * buffer object and takes as long as several decisions. Pages that are not used cost address space only.
   */
  #grow(pages: number): void {
    const pagesNow = this.memory.buffer.byteLength / PAGE_BYTES;
    const ample = Math.max(pages, pagesNow >> 3, Math.min(pagesNow >> 1, HALF_PAGES_MAX));
    this.memory.grow(pagesNow + ample <= MAX_PAGES ? ample : pages);
  }
}

function unitsOf(byteLength: number): number {
  return Math.max(1, Math.ceil(byteLength / UNIT_BYTES));
}
