import { describe, expect, test } from 'vitest';
import { BLOCK_BYTES, COLUMNS, FIELD } from '../../../src/engine/index/layout.ts';
import { TotalsRows, treeBytes } from '../../../src/engine/index/totals-rows.ts';
import { instantiate } from '../../../src/kernels/load.ts';
import { OutOfMemoryError, SharedMemory } from '../../../src/memory/shared-memory.ts';

const ROW_BYTES = 2 * COLUMNS;

function start(rowCount: number) {
  const memory = new SharedMemory();
  const block = memory.allocate(BLOCK_BYTES);
  const head = new DataView(memory.memory.buffer, block, BLOCK_BYTES);
  const before = memory.allocatedBytes;
  const rows = new TotalsRows(memory, rowCount, head);
  const totals = () => new Int16Array(memory.memory.buffer, rows.pointer, rowCount * COLUMNS);
  const kernels = instantiate('simd', memory.memory);
  return { memory, block, head, before, rows, totals, kernels };
}

describe('the rows of a block', () => {
  test('have a tree above them with sixteen rows below each', () => {
    // 64 nodes: 64 rows, 4 (padded to 16) above them, and one (padded).
    expect(treeBytes(64)).toBe((64 + 16 + 16) * ROW_BYTES);
    expect(treeBytes(1)).toBe(16 * ROW_BYTES);
    expect(treeBytes(17)).toBe((32 + 16 + 16) * ROW_BYTES);
    expect(treeBytes(1024)).toBe((1024 + 64 + 16 + 16) * ROW_BYTES);
  });

  test('say in the head of the block where they are', () => {
    const { head, rows } = start(300);
    expect(head.getUint32(FIELD.rows, true)).toBe(rows.pointer);
    expect(head.getInt32(FIELD.levelCount, true)).toBe(3);
    const levels = [0, 1, 2].map((level) => head.getUint32(FIELD.levels + level * 4, true) - rows.pointer);
    expect(levels).toEqual([304, 304 + 32, 304 + 32 + 16].map((row) => row * ROW_BYTES));
    expect(rows.maximaOffset).toBe(levels[0]);
    expect(rows.byteLength).toBe(treeBytes(300));
  });

  test('begin with nothing that fits anywhere', () => {
    const { rows } = start(64);
    expect([rows.best(0), rows.best(7), rows.totalAt(3, 63)]).toEqual([-1, -1, -1]);
  });

  test('know the best of each column when the tree has been built', () => {
    const { block, rows, totals, kernels } = start(64);
    totals()[5 * COLUMNS + 2] = 30;
    totals()[60 * COLUMNS + 2] = 41;
    totals()[9 * COLUMNS + 6] = 0;
    kernels.buildTree(block, 1, 64);
    expect([rows.best(2), rows.best(6), rows.best(0)]).toEqual([41, 0, -1]);
    expect([rows.totalAt(2, 5), rows.totalAt(2, 60), rows.totalAt(6, 9), rows.totalAt(6, 8)]).toEqual([30, 41, 0, -1]);
  });

  test('of one node are the tree', () => {
    const { rows, totals } = start(1);
    totals()[3] = 17;
    expect([rows.best(3), rows.totalAt(3, 0)]).toEqual([17, 17]);
  });

  test('keep what they hold when they move', () => {
    const { block, head, rows, totals, kernels } = start(64);
    totals()[7 * COLUMNS] = 12;
    kernels.buildTree(block, 1, 64);
    const before = rows.pointer;
    rows.relocate();
    expect(rows.pointer).not.toBe(before);
    expect(head.getUint32(FIELD.rows, true)).toBe(rows.pointer);
    expect([rows.best(0), rows.totalAt(0, 7)]).toEqual([12, 12]);
    totals()[8 * COLUMNS] = 13;
    kernels.buildTree(block, 1, 64);
    expect(rows.best(0)).toBe(13);
  });

  test('give their bytes back', () => {
    const { memory, before, rows } = start(300);
    rows.release();
    expect(memory.allocatedBytes).toBe(before);
  });
});

test('without room for them nothing changes', () => {
  const memory = new SharedMemory();
  const head = new DataView(new ArrayBuffer(BLOCK_BYTES));
  expect(() => new TotalsRows(memory, 2 ** 28, head)).toThrow(OutOfMemoryError);
  expect([memory.allocatedBytes, head.getUint32(FIELD.rows, true)]).toEqual([0, 0]);
});
