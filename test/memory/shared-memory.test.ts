import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OutOfMemoryError, SharedMemory } from '../../src/memory/shared-memory.ts';

const ALIGNMENT_BYTES = 64;
const GIBIBYTE = 2 ** 30;

interface Block {
  readonly pointer: number;
  readonly bytes: number;
}

function fill(memory: SharedMemory, { pointer, bytes }: Block, value: number): void {
  new Uint8Array(memory.memory.buffer, pointer, bytes).fill(value);
}

describe('SharedMemory', () => {
  test('starts after the first page; blocks are aligned; nothing is asked for, something is given', () => {
    const memory = new SharedMemory();
    const pointers = [0, 1, 64, 65].map((bytes) => memory.allocate(bytes));
    expect(pointers).toEqual([65_536, 65_600, 65_664, 65_728]);
    expect(memory.usedBytes).toBe(65_728 + 128);
  });

  test('reuses the first block that is large enough, and hands it out zeroed', () => {
    const memory = new SharedMemory();
    const [small, , large] = [64, 64, 256, 64].map((bytes) => memory.allocate(bytes)) as [
      number,
      number,
      number,
      number,
    ];
    fill(memory, { pointer: large, bytes: 256 }, 7);
    memory.free(large, 256);
    memory.free(small, 64);
    expect(memory.allocate(128)).toBe(large);
    expect(new Uint8Array(memory.memory.buffer, large, 128).every((byte) => byte === 0)).toBe(true);
    expect(memory.allocate(64)).toBe(small);
    expect(memory.allocate(128)).toBe(large + 128);
  });

  test.each([
    [0, 1, 2],
    [2, 1, 0],
    [0, 2, 1],
    [1, 0, 2],
  ])('neighbours that are free become one block (freed in order %i %i %i)', (...order) => {
    const memory = new SharedMemory();
    const pointers = [64, 64, 64, 64].map((bytes) => memory.allocate(bytes));
    const used = memory.usedBytes;
    for (const index of order) memory.free(pointers[index] ?? 0, 64);
    expect(memory.allocate(192)).toBe(pointers[0]);
    expect(memory.usedBytes).toBe(used);
  });

  test('freeing twice, or what was never handed out, is a mistake of ours', () => {
    const memory = new SharedMemory();
    const [first, second] = [memory.allocate(64), memory.allocate(128)];
    memory.free(first, 64);
    expect(() => memory.free(first, 64)).toThrow('freed twice');
    expect(() => memory.free(second, 64)).toThrow('is no block');
    expect(() => memory.free(second, 256)).toThrow('outside the used bytes');
    expect(() => memory.free(0, 64)).toThrow('outside the used bytes');
    memory.free(second, 128);
    expect(() => memory.free(second + 64, 64)).toThrow('freed twice');
  });

  test('grows by pages, and old views still show the same bytes', () => {
    const memory = new SharedMemory();
    const pointer = memory.allocate(64);
    const view = new Uint8Array(memory.memory.buffer, pointer, 64);
    const large = memory.allocate(300_000);
    expect(memory.memory.buffer.byteLength).toBeGreaterThanOrEqual(large + 300_000);
    view[3] = 9;
    expect(new Uint8Array(memory.memory.buffer, pointer, 64)[3]).toBe(9);
  });

  test('grows a few times to 32 MiB, by the block, and by no more than an eighth or 8 MiB', () => {
    const memory = new SharedMemory();
    const sizes = new Set<number>();
    while (memory.usedBytes < 2 ** 25) {
      memory.allocate(65_536);
      sizes.add(memory.memory.buffer.byteLength);
    }
    expect(sizes.size).toBeLessThan(12);
    expect(Math.max(...sizes) - 2 ** 25).toBeLessThanOrEqual(2 ** 23);
  });

  test('what does not fit into 4 GiB changes nothing', () => {
    const memory = new SharedMemory();
    const before = memory.allocate(64);
    expect(() => memory.allocate(4 * GIBIBYTE)).toThrow(OutOfMemoryError);
    expect(() => memory.allocate(5 * GIBIBYTE)).toThrow('more bytes do not fit');
    expect(memory.allocate(64)).toBe(before + 64);
  });

  test('an allocator that takes over hands out zeroed bytes, and the one before it none', () => {
    const step = fc.integer({ min: 1, max: 3000 });
    fc.assert(
      fc.property(fc.array(fc.array(step, { maxLength: 20 }), { minLength: 2, maxLength: 5 }), (lives) => {
        let memory = new SharedMemory();
        for (const sizes of lives) {
          const blocks = sizes.map((bytes) => ({ pointer: memory.allocate(bytes), bytes }));
          for (const { pointer, bytes } of blocks) {
            expect(new Uint8Array(memory.memory.buffer, pointer, bytes).every((byte) => byte === 0)).toBe(true);
          }
          for (const block of blocks) fill(memory, block, 0xff);
          const before = memory;
          memory = before.handOver();
          expect(memory.touchedBytes).toBeGreaterThanOrEqual(before.usedBytes);
          expect(memory.allocatedBytes + before.allocatedBytes).toBe(0);
          expect(() => before.allocate(1)).toThrow('belongs to another allocator');
          expect(() => before.handOver()).toThrow('handed over once');
        }
      }),
    );
  });

  test('live blocks never overlap, stay as they were written, and are handed out zeroed', () => {
    const step = fc.record({ bytes: fc.integer({ min: 0, max: 1000 }), free: fc.option(fc.nat()) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const memory = new SharedMemory();
        const live = new Map<number, Block>();
        let peak = 0;
        for (const [i, { bytes, free }] of steps.entries()) {
          const marks = [...live];
          if (free !== null && marks.length > 0) {
            const [mark, block] = marks[free % marks.length] as [number, Block];
            expect(
              new Uint8Array(memory.memory.buffer, block.pointer, block.bytes).every((byte) => byte === mark),
            ).toBe(true);
            memory.free(block.pointer, block.bytes);
            live.delete(mark);
          } else {
            const block = { pointer: memory.allocate(bytes), bytes };
            expect(block.pointer % ALIGNMENT_BYTES).toBe(0);
            expect(new Uint8Array(memory.memory.buffer, block.pointer, bytes).every((byte) => byte === 0)).toBe(true);
            for (const other of live.values()) {
              const apart = block.pointer + bytes <= other.pointer || other.pointer + other.bytes <= block.pointer;
              expect(apart, `${block.pointer}+${bytes} and ${other.pointer}+${other.bytes}`).toBe(true);
            }
            // Marks differ in every live block: a write across a border shows when the neighbour is freed.
            fill(memory, block, i + 1);
            live.set(i + 1, block);
          }
          peak = Math.max(peak, memory.usedBytes);
          const taken = [...live.values()].map((block) => Math.max(Math.ceil(block.bytes / 64), 1) * 64);
          expect(memory.allocatedBytes).toBe(taken.reduce((sum, bytes) => sum + bytes, 0));
        }
        for (const { pointer, bytes } of live.values()) memory.free(pointer, bytes);
        // The memory is free again and merged: everything that was ever used fits into one block.
        if (peak > 65_536) expect(memory.allocate(peak - 65_536)).toBe(65_536);
      }),
    );
  });
});
