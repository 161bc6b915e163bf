import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BLOCK_BYTES, COLUMNS, FIELD } from '../../../src/engine/index/layout.ts';
import { rowsWithRoom, TotalsRows, treeBytes } from '../../../src/engine/index/totals-rows.ts';
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

  test('are whole sixteens for an eighth more slots than there are, if these are many', () => {
    expect([0, 64, 800, 1000, 1024, 5000].map(rowsWithRoom)).toEqual([1024, 1024, 1024, 1136, 1152, 5632]);
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

  test('may reject: the tree above them is what it would be if it were built anew', () => {
    const plan = fc.record({
      rowCount: fc.integer({ min: 1, max: 400 }),
      column: fc.nat(COLUMNS - 1),
      seeds: fc.array(fc.tuple(fc.nat(399), fc.nat(COLUMNS - 1), fc.integer({ min: -1, max: 300 })), { maxLength: 60 }),
      slots: fc.array(fc.nat(399), { maxLength: 20 }),
    });
    fc.assert(
      fc.property(plan, ({ rowCount, column, seeds, slots }) => {
        const { block, rows, totals, kernels } = start(rowCount);
        const paddedCount = rows.maximaOffset / ROW_BYTES;
        for (const [slot, at, total] of seeds) if (slot < rowCount) totals()[slot * COLUMNS + at] = total;
        if (rowCount > 1) kernels.buildTree(block, 1, paddedCount);
        const rejected = slots.filter((slot) => slot < rowCount);
        rows.reject(column, rejected);
        const after = [...rows.bytes];
        for (const slot of rejected) totals()[slot * COLUMNS + column] = -1;
        if (rowCount > 1) kernels.buildTree(block, 1, paddedCount);
        expect(after).toEqual([...rows.bytes]);
      }),
    );
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
