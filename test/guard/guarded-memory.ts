import { SharedMemory } from '../../src/memory/shared-memory.ts';
import { MemoryFault } from './memory-fault.ts';

/** The gap before and behind every block, as long as the alignment of blocks. */
const GAP_BYTES = 64;
/** Stands in gaps, and between the end of a block and the next gap. */
const GUARD_BYTE = 0xfd;
/** Stands in blocks that were given back. As a pointer it is far outside, as a total or a count it is negative. */
const FREED_BYTE = 0xdb;
/** Blocks that were given back rest, so that nobody gets their bytes while somebody still uses them. */
const RESTING_BLOCKS = 256;
const RESTING_BYTES = 256 * 1024;

/** What a byte is, for kernels. */
const NOBODYS = 0;
const HANDED_OUT = 1;
/** Between the end of a block and the next multiple of the alignment: vectors that begin in the block may read it. */
const PADDING = 2;
const LONGEST_SCALAR_BYTES = 8;

interface Block {
  readonly owner: string;
  /** The address of the owner's bytes, without the gaps. */
  readonly pointer: number;
  readonly bytes: number;
}

/**
 * Memory that notices who does not keep to what is theirs. Kernels of the guarded build ask `load` and `store` before
 * they touch anything; what they write past these (vectors lane by lane), and what is written through views that are
 * out of date, is found by `check`, and when the block is given back.
 *
 *   │ gap fd fd fd │ block │ padding fd fd │ gap fd fd fd │    given back: │ gap │ db db db ... │ gap │
 */
export class GuardedMemory extends SharedMemory {
  /** The allocated blocks by pointer. */
  readonly #blocks = new Map<number, Block>();
  readonly #resting: Block[] = [];
  #restingBytes = 0;
  #handedOutBytes = 0;
  /** What each byte of the memory is. */
  #kinds = new Uint8Array(1 << 18);
  #view: Uint8Array = new Uint8Array(0);
  #fault: MemoryFault | null = null;

  /** The allocated bytes, without gaps and without resting blocks. */
  override get allocatedBytes(): number {
    return this.#handedOutBytes;
  }

  override allocate(byteLength: number, owner = 'without a name'): number {
    const padded = paddedBytes(byteLength);
    const pointer = super.allocate(GAP_BYTES + padded + GAP_BYTES) + GAP_BYTES;
    const block = { owner, pointer, bytes: byteLength };
    this.#blocks.set(pointer, block);
    this.#handedOutBytes += padded;
    for (const { from, to } of gapsOf(block)) this.#all.fill(GUARD_BYTE, from, to);
    this.#mark(pointer, pointer + byteLength, HANDED_OUT);
    this.#mark(pointer + byteLength, pointer + padded, PADDING);
    return pointer;
  }

  override free(pointer: number, byteLength: number): void {
    const block = this.#blocks.get(pointer);
    if (block === undefined) this.#fail(`${pointer} is given back, where no block begins: ${this.#place(pointer)}`);
    if (block.bytes !== byteLength) this.#fail(`${byteLength} bytes are given back of ${nameOf(block)}`);
    this.#checkGaps(block);
    const padded = paddedBytes(byteLength);
    this.#blocks.delete(pointer);
    this.#handedOutBytes -= padded;
    this.#all.fill(FREED_BYTE, pointer, pointer + byteLength);
    this.#mark(pointer, pointer + padded, NOBODYS);
    this.#resting.push(block);
    this.#restingBytes += padded;
    while (this.#resting.length > RESTING_BLOCKS || this.#restingBytes > RESTING_BYTES) this.#giveBack();
  }

  /** Kernels are about to read. Throws a MemoryFault. */
  load(pointer: number, bytes: number): void {
    const last = this.#kinds[pointer + bytes - 1];
    if (this.#kinds[pointer] === HANDED_OUT && last === HANDED_OUT) return;
    const isVector = bytes > LONGEST_SCALAR_BYTES;
    if (isVector && this.#kinds[pointer] === HANDED_OUT && last === PADDING) return;
    this.#fail(`kernels read ${bytes} bytes at ${pointer}, ${this.#place(pointer)}`);
  }

  /** Kernels are about to write. Throws a MemoryFault. */
  store(pointer: number, bytes: number): void {
    // Gaps are longer than whatever is written at once: nothing lies between two blocks.
    if (this.#kinds[pointer] === HANDED_OUT && this.#kinds[pointer + bytes - 1] === HANDED_OUT) return;
    this.#fail(`kernels write ${bytes} bytes at ${pointer}, ${this.#place(pointer)}`);
  }

  /** Kernels ask a table for an entry that it does not have. */
  outOfBounds(table: number, index: number, length: number): never {
    this.#fail(`kernels want entry ${index} of ${length} of the table at ${table}, ${this.#place(table)}`);
  }

  /** Throws what was found first: also what somebody has caught. */
  check(): void {
    if (this.#fault !== null) throw this.#fault;
    for (const block of this.#blocks.values()) this.#checkGaps(block);
    for (const block of this.#resting) this.#checkAtRest(block);
  }

  /** The longest at rest may be somebody else's from now on. */
  #giveBack(): void {
    const block = this.#resting.shift();
    if (block === undefined) return;
    this.#checkAtRest(block);
    const padded = paddedBytes(block.bytes);
    this.#restingBytes -= padded;
    super.free(block.pointer - GAP_BYTES, GAP_BYTES + padded + GAP_BYTES);
  }

  #checkGaps(block: Block): void {
    for (const { from, to } of gapsOf(block)) {
      const at = this.#firstOther(from, to, GUARD_BYTE);
      if (at >= 0) this.#fail(`${this.#found(at)} ${side(block, at)} of ${nameOf(block)}`);
    }
  }

  #checkAtRest(block: Block): void {
    this.#checkGaps(block);
    const at = this.#firstOther(block.pointer, block.pointer + block.bytes, FREED_BYTE);
    if (at < 0) return;
    this.#fail(`${this.#found(at)} ${at - block.pointer} bytes into ${nameOf(block)}, after that was given back`);
  }

  /** Where the first byte stands that is not this one; -1: nowhere. */
  #firstOther(from: number, to: number, byte: number): number {
    const bytes = this.#all;
    for (let at = from; at < to; at++) if (bytes[at] !== byte) return at;
    return -1;
  }

  #found(at: number): string {
    const { [at]: byte = 0 } = this.#all;
    return `somebody has written 0x${byte.toString(16).padStart(2, '0')} at ${at},`;
  }

  /** Describes where the address lies relative to the nearest block. */
  #place(at: number): string {
    const blocks = [...this.#blocks.values(), ...this.#resting];
    const distance = ({ pointer, bytes }: Block): number =>
      at < pointer ? pointer - at : Math.max(0, at - pointer - bytes + 1);
    const nearest = blocks.toSorted((a, b) => distance(a) - distance(b))[0];
    if (nearest === undefined) return 'where no block is';
    const isInside = distance(nearest) === 0;
    const where = isInside ? `${at - nearest.pointer} bytes into` : `${side(nearest, at)} of`;
    const isLive = this.#blocks.get(nearest.pointer) === nearest;
    return `${where} ${nameOf(nearest)}${isLive ? '' : ', which was given back'}`;
  }

  #fail(message: string): never {
    const fault = new MemoryFault(message);
    this.#fault ??= fault;
    throw fault;
  }

  #mark(from: number, to: number, kind: number): void {
    if (to > this.#kinds.length) {
      const grown = new Uint8Array(Math.max(to, 2 * this.#kinds.length));
      grown.set(this.#kinds);
      this.#kinds = grown;
    }
    this.#kinds.fill(kind, from, to);
  }

  /** The bytes of the whole memory; memory that has grown has another buffer. */
  get #all(): Uint8Array {
    if (this.#view.length < this.usedBytes) this.#view = new Uint8Array(this.memory.buffer);
    return this.#view;
  }
}

function gapsOf({ pointer, bytes }: Block): { readonly from: number; readonly to: number }[] {
  return [
    { from: pointer - GAP_BYTES, to: pointer },
    { from: pointer + bytes, to: pointer + paddedBytes(bytes) + GAP_BYTES },
  ];
}

function side({ pointer, bytes }: Block, at: number): string {
  return at < pointer ? `${pointer - at} bytes before the start` : `${at - pointer - bytes} bytes behind the end`;
}

function paddedBytes(bytes: number): number {
  return Math.ceil(Math.max(bytes, 1) / GAP_BYTES) * GAP_BYTES;
}

function nameOf({ owner, pointer, bytes }: Block): string {
  return `"${owner}" (${bytes} bytes at ${pointer})`;
}
