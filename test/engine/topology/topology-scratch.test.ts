import { expect, test } from 'vitest';
import { TopologyScratch } from '../../../src/engine/topology/topology-scratch.ts';
import { instantiate } from '../../../src/kernels/load.ts';
import { ColumnTable } from '../../../src/memory/column-table.ts';
import { SharedMemory } from '../../../src/memory/shared-memory.ts';

function start() {
  const memory = new SharedMemory();
  const table = new ColumnTable(memory);
  return { memory, table, scratch: new TopologyScratch(memory, table) };
}

test('the range is what the kernel found among scored nodes', () => {
  const { memory, scratch } = start();
  const kernels = instantiate('simd', memory.memory);
  const { raw, mask, rangePointer } = scratch;
  raw.values.set([5, -3, 8, 100]);
  mask.values.set([-1, -1, -1, 0]);
  kernels.scoredRange(raw.pointer, mask.pointer, rangePointer, 0, 4);
  expect(scratch.range()).toEqual([-3, 8]);
});

test('every stamp is new', () => {
  const { scratch } = start();
  const stamps = [1, 2, 3].map(() => scratch.nextStamp());
  expect(new Set([0, ...stamps]).size).toBe(4);
});

test('scores are marked in its own column until a plan says otherwise; columns grow with the table', () => {
  const { table, scratch } = start();
  expect(scratch.scored).toBe(scratch.mask);
  scratch.raw.values[63] = 0.5;
  table.reserve(65);
  expect([scratch.raw.values.length, scratch.raw.values[63], scratch.normalized.values.length]).toEqual([
    128, 0.5, 128,
  ]);
});
