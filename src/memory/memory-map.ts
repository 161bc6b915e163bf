import type { MemoryObserver } from './shared-memory.ts';

/** What one purpose has of a memory of kernels. */
export interface MemoryShare {
  readonly owner: string;
  /** The bytes of all its blocks when all purposes together had most. */
  readonly bytes: number;
  readonly blocks: number;
}

/** Adds up the blocks of each memory by their purpose, at the moment when they took most. */
export class MemoryMap implements MemoryObserver {
  /** Memories that nobody uses any more are not kept; what was counted of them is. */
  readonly #tallies = new WeakMap<object, Tally>();
  #largest: Tally | null = null;

  allocated(memory: object, bytes: number, owner: string): void {
    let tally = this.#tallies.get(memory);
    if (tally === undefined) {
      tally = new Tally();
      this.#tallies.set(memory, tally);
    }
    tally.add(owner, bytes);
    if (tally.peakBytes > (this.#largest?.peakBytes ?? 0)) this.#largest = tally;
  }

  freed(memory: object, bytes: number, owner: string): void {
    this.#tallies.get(memory)?.subtract(owner, bytes);
  }

  /** The shares of the largest memory at the moment of most bytes, largest first. */
  peak(): readonly MemoryShare[] {
    return this.#largest?.peak() ?? [];
  }
}

class Tally {
  readonly #now = new Map<string, { bytes: number; blocks: number }>();
  #bytes = 0;
  #peak: readonly MemoryShare[] = [];
  peakBytes = 0;
  /** Whether the memory has grown since the shares of its peak were noted. */
  #isPeakOpen = false;

  add(owner: string, bytes: number): void {
    const share = this.#now.get(owner) ?? { bytes: 0, blocks: 0 };
    share.bytes += bytes;
    share.blocks++;
    this.#now.set(owner, share);
    this.#bytes += bytes;
    if (this.#bytes <= this.peakBytes) return;
    this.peakBytes = this.#bytes;
    this.#isPeakOpen = true;
  }

  subtract(owner: string, bytes: number): void {
    // The moment of most bytes is over with the first block that is given back.
    this.#note();
    const share = this.#now.get(owner);
    if (share === undefined) return;
    share.bytes -= bytes;
    share.blocks--;
    this.#bytes -= bytes;
  }

  peak(): readonly MemoryShare[] {
    this.#note();
    return this.#peak;
  }

  #note(): void {
    if (!this.#isPeakOpen) return;
    this.#isPeakOpen = false;
    this.#peak = [...this.#now]
      .filter(([, { blocks }]) => blocks > 0)
      .map(([owner, { bytes, blocks }]) => ({ owner, bytes, blocks }))
      .sort((a, b) => b.bytes - a.bytes || (a.owner < b.owner ? -1 : 1));
  }
}
