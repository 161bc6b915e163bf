import { describe, expect, test } from 'vitest';
import { ColumnTable } from '../../src/memory/column-table.ts';
import { GuardedMemory } from './guarded-memory.ts';
import { MemoryFault } from './memory-fault.ts';

function bytesOf(memory: GuardedMemory): Uint8Array {
  return new Uint8Array(memory.memory.buffer);
}

describe('what is written outside of a block', () => {
  test.each([
    ['right behind its end', 10, '0 bytes behind the end'],
    ['in its padding', 20, '10 bytes behind the end'],
    ['in the gap behind it', 127, '117 bytes behind the end'],
    ['before its start', -1, '1 bytes before the start'],
  ])('%s is found, with owner, place and byte', (_, offset, where) => {
    const memory = new GuardedMemory();
    const pointer = memory.allocate(10, 'totals');
    memory.check();
    bytesOf(memory)[pointer + offset] = 7;
    const text = `somebody has written 0x07 at ${pointer + offset}, ${where} of "totals" (10 bytes at ${pointer})`;
    expect(() => memory.check()).toThrow(new MemoryFault(text));
    expect(() => memory.free(pointer, 10)).toThrow(text);
  });

  test('is found when the block is given back', () => {
    const memory = new GuardedMemory();
    const pointer = memory.allocate(64, 'totals');
    bytesOf(memory)[pointer + 64] = 0;
    expect(() => memory.free(pointer, 64)).toThrow('0 bytes behind the end of "totals"');
  });

  test('a column is called by its name, also after it has grown', () => {
    const memory = new GuardedMemory();
    const table = new ColumnTable(memory);
    const column = table.add('i32', 'order');
    table.reserve(1000);
    bytesOf(memory)[column.pointer + column.values.byteLength] = 1;
    expect(() => memory.check()).toThrow('0 bytes behind the end of "column order" (4096 bytes at');
  });
});

describe('a block that was given back', () => {
  test('reports writes to it', () => {
    const memory = new GuardedMemory();
    const pointer = memory.allocate(100, 'totals');
    memory.free(pointer, 100);
    memory.check();
    bytesOf(memory)[pointer + 99] = 1;
    const text = `0x01 at ${pointer + 99}, 99 bytes into "totals" (100 bytes at ${pointer}), after that was given back`;
    expect(() => memory.check()).toThrow(text);
  });

  test('reports them at the latest when another block is to have its bytes', () => {
    const memory = new GuardedMemory();
    const pointer = memory.allocate(100, 'totals');
    memory.free(pointer, 100);
    bytesOf(memory)[pointer] = 1;
    const others = (): void => {
      for (let i = 0; i < 1000; i++) memory.free(memory.allocate(100, 'other'), 100);
    };
    expect(others).toThrow('0 bytes into "totals"');
  });

  test('holds nothing that looks like a result, and is zeroed for the next', () => {
    const memory = new GuardedMemory();
    const pointer = memory.allocate(4, 'totals');
    const totals = new Int16Array(memory.memory.buffer, pointer, 2);
    memory.free(pointer, 4);
    expect(totals[1]).toBeLessThan(-1);
    const seen = new Set<number>();
    for (let i = 0; i < 1000; i++) {
      const next = memory.allocate(4, 'other');
      expect([...bytesOf(memory).subarray(next, next + 4)]).toEqual([0, 0, 0, 0]);
      seen.add(next);
      memory.free(next, 4);
    }
    expect(seen).toContain(pointer);
  });

  test('cannot be given back again, nor with another length, nor in part', () => {
    const memory = new GuardedMemory();
    const [first, second] = [memory.allocate(100, 'first'), memory.allocate(100, 'second')];
    memory.free(first, 100);
    expect(() => memory.free(first, 100)).toThrow('0 bytes into "first" (100 bytes');
    expect(() => memory.free(second, 90)).toThrow(`90 bytes are given back of "second" (100 bytes at ${second})`);
    expect(() => memory.free(second + 64, 36)).toThrow('where no block begins: 64 bytes into "second"');
  });
});

test('a fault that somebody has caught is reported again', () => {
  const memory = new GuardedMemory();
  const pointer = memory.allocate(8, 'totals');
  expect(() => memory.load(pointer + 8, 1)).toThrow(MemoryFault);
  expect(() => memory.check()).toThrow(`kernels read 1 bytes at ${pointer + 8}, 0 bytes behind the end of "totals"`);
});

test('counts the bytes that are handed out as memory without gaps does', () => {
  const memory = new GuardedMemory();
  const pointer = memory.allocate(65, 'totals');
  expect(memory.allocatedBytes).toBe(128);
  memory.free(pointer, 65);
  expect(memory.allocatedBytes).toBe(0);
});
