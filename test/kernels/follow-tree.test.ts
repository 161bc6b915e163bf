import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BLOCK_BYTES, COLUMNS, ENVIRONMENT_BYTES, FAN, FIELD } from '../../src/engine/index/layout.ts';
import { treeBytes } from '../../src/engine/index/totals-rows.ts';
import { instantiate, type KernelKind } from '../../src/kernels/load.ts';
import { Prng } from '../../src/lib/prng.ts';
import { runs } from '../builders/runs.ts';

const kinds: readonly KernelKind[] = ['scalar', 'simd'];
const ROW_BYTES = 2 * COLUMNS;
const [ENV, BLOCK, LOG] = [65_536, 66_560, 68_608];
const LOG_ENTRIES = 64;
const HEADROOM = LOG + LOG_ENTRIES * 4;
/** From this number of rows on, rows of the third level share the bits by which the kernel notes them. */
const MANY_ROWS = 64 * FAN ** 3;
/** A block without columns in use follows no more entries of the log at once. */
const MOST_ENTRIES = 5;

const sizes = fc.oneof(
  fc.constantFrom(1, FAN, FAN + 1, FAN ** 2, FAN ** 2 + 1),
  fc.integer({ min: 1, max: 3 * FAN ** 3 }),
  fc.integer({ min: MANY_ROWS, max: MANY_ROWS + 3 * FAN ** 3 }),
);

const padded = (rows: number): number => Math.ceil(rows / FAN) * FAN;

/** A block without columns in use: a row that is followed rejects, whatever it was before. */
class FollowedBlock {
  readonly #slotCount: number;
  readonly #levels: readonly Int16Array[];
  readonly #kernels: ReturnType<typeof instantiate>;
  readonly #env: DataView;
  readonly #log: Int32Array;
  #logEnd = 0n;

  constructor(kind: KernelKind, slotCount: number, seed: number) {
    const rowsAt = HEADROOM + padded(slotCount) * 2;
    const pages = Math.ceil((rowsAt + treeBytes(slotCount)) / 65_536);
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
    this.#kernels = instantiate(kind, memory);
    this.#slotCount = slotCount;
    this.#env = new DataView(memory.buffer, ENV, ENVIRONMENT_BYTES);
    this.#log = new Int32Array(memory.buffer, LOG, LOG_ENTRIES);
    this.#env.setUint32(32, HEADROOM, true);
    this.#env.setUint32(48, LOG, true);
    this.#env.setUint32(52, LOG_ENTRIES - 1, true);
    for (const weightAt of [64, 72]) this.#env.setFloat64(weightAt, 1, true);
    this.#env.setInt32(88, slotCount, true);
    this.#levels = this.#layOut(memory.buffer, rowsAt);
    const prng = new Prng(seed);
    const rows = this.#levels[0] as Int16Array;
    for (let i = 0; i < slotCount * COLUMNS; i++) rows[i] = prng.below(4) - 1;
    this.#kernels.buildTree(BLOCK, 1, padded(slotCount));
  }

  #layOut(buffer: ArrayBufferLike, rowsAt: number): Int16Array[] {
    const block = new DataView(buffer, BLOCK, BLOCK_BYTES);
    const levels: Int16Array[] = [];
    let at = rowsAt;
    for (let rows = this.#slotCount; ; rows = Math.ceil(rows / FAN)) {
      levels.push(new Int16Array(buffer, at, padded(rows) * COLUMNS).fill(-1));
      at += padded(rows) * ROW_BYTES;
      if (rows === 1 && levels.length > 1) break;
    }
    block.setUint32(FIELD.rows, rowsAt, true);
    block.setInt32(FIELD.levelCount, levels.length - 1, true);
    block.setInt32(FIELD.isStandard, 3, true);
    levels.slice(1).forEach(({ byteOffset }, i) => {
      block.setUint32(FIELD.levels + i * 4, byteOffset, true);
    });
    return levels;
  }

  follow(slots: readonly number[]): void {
    for (const slot of slots) this.#log[Number(this.#logEnd++) % LOG_ENTRIES] = slot;
    this.#env.setBigInt64(FIELD.logEnd, this.#logEnd, true);
    expect(this.#kernels.syncBlock(ENV, BLOCK)).toBe(1);
  }

  expectMaxima(): void {
    for (let level = 1; level < this.#levels.length; level++) {
      const [below, above] = [this.#levels[level - 1] as Int16Array, this.#levels[level] as Int16Array];
      const maxima = new Int16Array(above.length).fill(-1);
      for (let i = 0; i < below.length; i++) {
        const at = Math.floor(i / (COLUMNS * FAN)) * COLUMNS + (i % COLUMNS);
        maxima[at] = Math.max(maxima[at] as number, below[i] as number);
      }
      expect(
        Buffer.compare(new Uint8Array(maxima.buffer), Buffer.from(above.buffer, above.byteOffset, above.byteLength)),
      ).toBe(0);
    }
  }

  expectRejecting(slots: readonly number[]): void {
    const rows = this.#levels[0] as Int16Array;
    for (const slot of slots)
      expect([...rows.subarray(slot * COLUMNS, (slot + 1) * COLUMNS)]).toEqual(new Array(8).fill(-1));
  }
}

describe.each(kinds)('the %s kernel that follows the log', (kind) => {
  it('keeps all maxima, whatever the number of rows, and however many of them change at once', () => {
    const input = fc.tuple(sizes, fc.nat()).chain(([slotCount, seed]) => {
      const slots = fc.array(fc.nat(slotCount - 1), { minLength: 1, maxLength: MOST_ENTRIES });
      return fc.tuple(fc.constant(slotCount), fc.constant(seed), fc.array(slots, { minLength: 1, maxLength: 12 }));
    });
    fc.assert(
      fc.property(input, ([slotCount, seed, rounds]) => {
        const block = new FollowedBlock(kind, slotCount, seed);
        for (const slots of rounds) block.follow(slots);
        block.expectRejecting(rounds.flat());
        block.expectMaxima();
      }),
      { numRuns: runs(10) },
    );
  });

  it('raises every row of the third level that has to follow, though their marks are the same', () => {
    const slotCount = MANY_ROWS + 2 * FAN ** 3;
    const block = new FollowedBlock(kind, slotCount, 7);
    // All rows below a row of the third level become worse, and so do those below the row that shares its mark.
    for (let slot = 0; slot < FAN ** 3; slot += 2) {
      block.follow([slot, slot + MANY_ROWS, slot + 1, slot + 1 + MANY_ROWS]);
    }
    block.expectMaxima();
  });
});
