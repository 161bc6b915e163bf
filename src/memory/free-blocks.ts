import { assert } from '../lib/assert.ts';

/** Sizes below this have a bin each; above, each power of two is divided into as many bins. */
const EXACT_SIZES = 8;
const EXACT_BITS = 3;
/** Sizes are below 2^26 units: 4 GiB in units of 64 bytes. */
const BINS = (26 - EXACT_BITS + 2) * EXACT_SIZES;
/** The most blocks of its own bin that an allocation looks at, some of which are too small. */
const MOST_LOOKS = 8;

/** The most ranges of each small size that wait to be merged. */
const MOST_WAITING = 32;

/** A free block, in the list of its bin. Positions and sizes are in units. */
interface FreeBlock {
  readonly start: number;
  readonly size: number;
  previous: FreeBlock | null;
  next: FreeBlock | null;
}

/**
 * The free blocks of a memory, in bins by size (segregated fit): to take one, to give one back and to merge it with its
 * free neighbours takes the same time however many there are. Small ranges are often taken again soon, and are merged
 * only when nothing else is large enough.
 *
 *   bin of size     1  2  ...  7 | 8 9 ... 15 | 16-17  18-19 ... 30-31 | 32-35 ...
 *   words of bits   a bit for each bin that has blocks, so that the next larger block is found in a few steps
 */
export class FreeBlocks {
  readonly #bins: (FreeBlock | null)[] = new Array(BINS).fill(null);
  readonly #filled = new Uint32Array(Math.ceil(BINS / 32));
  /** The starts of ranges that were given back lately and are not merged yet, by their size. */
  readonly #waiting: number[][] = Array.from({ length: EXACT_SIZES }, () => []);
  #waitingCount = 0;
  readonly #byStart = new Map<number, FreeBlock>();
  readonly #byEnd = new Map<number, FreeBlock>();

  /** The number of free blocks, no two of which are neighbours. */
  get count(): number {
    this.#mergeAll();
    return this.#byStart.size;
  }

  /** Takes a free range of this size; returns its start, or -1 if no block is known to be large enough. */
  take(size: number): number {
    const waiting = this.#waiting[size]?.pop();
    if (waiting !== undefined) {
      this.#waitingCount--;
      return waiting;
    }
    let block = this.#find(size);
    if (block === null && this.#mergeAll()) block = this.#find(size);
    if (block === null) return -1;
    this.#remove(block);
    if (block.size > size) this.#insert(block.start + size, block.size - size);
    return block.start;
  }

  /** The size of the free block that ends at `end`; 0 if there is none. */
  sizeBefore(end: number): number {
    this.#mergeAll();
    return this.#byEnd.get(end)?.size ?? 0;
  }

  /** Takes the whole free block that ends at `end`. */
  takeBefore(end: number): void {
    this.#mergeAll();
    const block = this.#byEnd.get(end);
    if (block !== undefined) this.#remove(block);
  }

  /** Adds a range that is not free yet. */
  add(start: number, size: number): void {
    const waiting = this.#waiting[size];
    if (waiting !== undefined && waiting.length < MOST_WAITING) {
      waiting.push(start);
      this.#waitingCount++;
    } else this.#merge(start, size);
  }

  /** Merges all ranges that wait for it; returns whether there were any. */
  #mergeAll(): boolean {
    if (this.#waitingCount === 0) return false;
    for (let size = 1; size < EXACT_SIZES; size++) {
      const waiting = this.#waiting[size] as number[];
      for (let start = waiting.pop(); start !== undefined; start = waiting.pop()) this.#merge(start, size);
    }
    this.#waitingCount = 0;
    return true;
  }

  /** Makes one block of a range and its free neighbours. */
  #merge(start: number, size: number): void {
    let [from, to] = [start, start + size];
    const before = this.#byEnd.get(from);
    if (before !== undefined) {
      this.#remove(before);
      from = before.start;
    }
    const after = this.#byStart.get(to);
    if (after !== undefined) {
      this.#remove(after);
      to += after.size;
    }
    this.#insert(from, to - from);
  }

  #find(size: number): FreeBlock | null {
    const bin = binOf(size);
    let block = this.#bins[bin] ?? null;
    for (let looks = 0; block !== null && looks < MOST_LOOKS; looks++) {
      if (block.size >= size) return block;
      block = block.next;
    }
    const larger = this.#nextFilled(bin + 1);
    return larger < 0 ? null : (this.#bins[larger] ?? null);
  }

  /** The first bin from `bin` on that has blocks; -1 if there is none. */
  #nextFilled(bin: number): number {
    for (let word = bin >>> 5; word < this.#filled.length; word++) {
      const mask = word === bin >>> 5 ? -1 << (bin & 31) : -1;
      const bits = (this.#filled[word] ?? 0) & mask;
      if (bits !== 0) return word * 32 + 31 - Math.clz32(bits & -bits);
    }
    return -1;
  }

  #insert(start: number, size: number): void {
    const bin = binOf(size);
    const next = this.#bins[bin] ?? null;
    const block: FreeBlock = { start, size, previous: null, next };
    if (next !== null) next.previous = block;
    else this.#setFilled(bin, true);
    this.#bins[bin] = block;
    this.#byStart.set(start, block);
    this.#byEnd.set(start + size, block);
  }

  #remove(block: FreeBlock): void {
    const { previous, next, start, size } = block;
    if (next !== null) next.previous = previous;
    if (previous !== null) previous.next = next;
    else {
      const bin = binOf(size);
      assert(this.#bins[bin] === block, 'the first block of a list is that of its bin');
      this.#bins[bin] = next;
      if (next === null) this.#setFilled(bin, false);
    }
    this.#byStart.delete(start);
    this.#byEnd.delete(start + size);
  }

  #setFilled(bin: number, isFilled: boolean): void {
    const word = bin >>> 5;
    const bit = 1 << (bin & 31);
    this.#filled[word] = isFilled ? (this.#filled[word] ?? 0) | bit : (this.#filled[word] ?? 0) & ~bit;
  }
}

/** The bin of a size: the higher the bin, the larger the blocks in it. */
function binOf(size: number): number {
  if (size < EXACT_SIZES) return size;
  const power = 31 - Math.clz32(size);
  return (power - EXACT_BITS + 1) * EXACT_SIZES + ((size >>> (power - EXACT_BITS)) & (EXACT_SIZES - 1));
}
