import { describe, expect, test, vi } from 'vitest';
import { LARGEST_EXACT_SCORE_OPERAND } from '../../src/memory/layout.ts';
import { NodeColumns } from '../../src/memory/node-columns.ts';
import { SharedMemory } from '../../src/memory/shared-memory.ts';

const newColumns = (): NodeColumns => new NodeColumns(new SharedMemory());

describe('NodeColumns', () => {
  test('standard resources are there, others on first use, and then always the same', () => {
    const columns = newColumns();
    expect([...columns.namesAt(0)]).toEqual(['pods', 'cpu', 'memory']);
    const gpu = columns.resource('example.com/gpu');
    expect(columns.resource('example.com/gpu')).toBe(gpu);
    expect(gpu.allocatable.pointer).not.toBe(gpu.requested.pointer);
  });

  test('a rare resource is kept by slot, and gets columns when they are asked for', () => {
    const columns = newColumns();
    const before = columns.table.capacity;
    columns.setResource('allocatable', 'example.com/gpu', 5, 8);
    columns.setResource('requested', 'example.com/gpu', 5, 3);
    expect([...columns.namesAt(5)]).toEqual(['pods', 'cpu', 'memory', 'example.com/gpu']);
    expect([...columns.namesAt(6)]).toEqual(['pods', 'cpu', 'memory']);
    expect([...(columns.holders('example.com/gpu')?.keys() ?? [])]).toEqual([5]);
    const { allocatable, requested } = columns.resource('example.com/gpu');
    expect([...allocatable.values]).toEqual(Array.from({ length: before }, (_, slot) => (slot === 5 ? 8 : 0)));
    expect(requested.values[5]).toBe(3);
    columns.setResource('requested', 'example.com/gpu', 5, 4);
    expect(requested.values[5]).toBe(4);
  });

  test('a rare resource keeps what kernels have added to its columns when these are released', () => {
    const columns = newColumns();
    columns.setResource('allocatable', 'example.com/gpu', 5, 8);
    const { requested, allocatable: held } = columns.resource('example.com/gpu');
    requested.values[5] = 2;
    for (const _ of [1, 2]) columns.hold(held);
    columns.release(held);
    expect(columns.resource('example.com/gpu').requested).toBe(requested);
    columns.release(held);
    // The columns go to whoever asks next, without the amounts.
    const next = columns.resource('example.com/other');
    expect([next.requested, next.requested.values[5], next.allocatable.values[5]]).toEqual([requested, 0, 0]);
    const { allocatable, requested: again } = columns.resource('example.com/gpu');
    expect(again).not.toBe(requested);
    expect([allocatable.values[5], again.values[5]]).toEqual([8, 2]);
  });

  test('columns that nobody reads are given back, but for a few', () => {
    const memory = new SharedMemory();
    const columns = new NodeColumns(memory);
    const hold = (i: number) => {
      const { allocatable } = columns.resource(`example.com/${i}`);
      expect(columns.hold(allocatable)).toBe(true);
      return allocatable;
    };
    expect(columns.hold(columns.resource('cpu').allocatable)).toBe(false);
    const free = vi.spyOn(memory, 'free');
    for (const held of Array.from({ length: 20 }, (_, i) => hold(i))) columns.release(held);
    expect(free).toHaveBeenCalledTimes(2 * (20 - 16));
    const before = memory.allocatedBytes;
    for (const i of Array.from({ length: 16 }).keys()) hold(i);
    expect(memory.allocatedBytes).toBe(before);
  });

  test('a resource with many holders has columns like any other', () => {
    const columns = newColumns();
    columns.table.reserve(100);
    for (let slot = 0; slot < 100; slot++) columns.setResource('allocatable', 'example.com/gpu', slot, slot + 1);
    expect(columns.isCommon('example.com/gpu')).toBe(true);
    expect(columns.holders('example.com/gpu')).toBeNull();
    expect([...columns.namesAt(7)]).toEqual(['pods', 'cpu', 'memory', 'example.com/gpu']);
    const { values } = columns.resource('example.com/gpu').allocatable;
    expect([...values.subarray(0, 100)]).toEqual(Array.from({ length: 100 }, (_, slot) => slot + 1));
  });

  test('a resource that devices back has no limit on slots that have none of it', () => {
    const columns = newColumns();
    columns.setResource('allocatable', 'example.com/gpu', 5, 8);
    const { allocatable, requested } = columns.resourceOrDevices('example.com/gpu');
    const allocatableAt = (...slots: number[]) => slots.map((slot) => allocatable.values[slot]);
    expect(allocatableAt(4, 5)).toEqual([Number.POSITIVE_INFINITY, 8]);
    columns.setResource('allocatable', 'example.com/gpu', 5, 0);
    columns.setResource('allocatable', 'example.com/gpu', 4, 2);
    expect(allocatableAt(4, 5)).toEqual([2, Number.POSITIVE_INFINITY]);
    columns.table.reserve(100);
    expect(allocatableAt(4, 99)).toEqual([2, Number.POSITIVE_INFINITY]);
    columns.clear(4);
    expect(allocatableAt(4)).toEqual([Number.POSITIVE_INFINITY]);
    expect(requested).toBe(columns.common('example.com/gpu').requested);
    expect(columns.resourceOrDevices('example.com/gpu').allocatable).toBe(allocatable);
  });

  test('a rare resource beyond 2^53 makes the columns inexact at once', () => {
    const columns = newColumns();
    columns.setResource('allocatable', 'example.com/gpu', 5, 2n ** 53n + 1n);
    expect(columns.isInexact).toBe(true);
    columns.setResource('allocatable', 'example.com/gpu', 5, 1);
    expect(columns.isInexact).toBe(false);
  });

  test('a column that comes late has all rows', () => {
    const columns = newColumns();
    columns.table.reserve(1000);
    expect(columns.resource('late').allocatable.values).toHaveLength(columns.table.capacity);
  });

  test('amounts beyond 2^53 are known as long as one is there', () => {
    const columns = newColumns();
    const { allocatable, requested } = columns.resource('memory');
    const huge = 2n ** 53n + 1n;
    columns.setAmount(allocatable, 1, huge);
    columns.setAmount(allocatable, 2, huge);
    columns.setAmount(requested, 1, huge);
    expect(columns.isInexact).toBe(true);
    columns.setAmount(allocatable, 1, 5);
    columns.setAmount(allocatable, 2, 5);
    expect(columns.isInexact).toBe(true);
    columns.setAmount(requested, 2, 5);
    expect(columns.isInexact).toBe(true);
    columns.setAmount(requested, 1, 5);
    expect(columns.isInexact).toBe(false);
    expect(allocatable.values[1]).toBe(5);
  });

  test('exact scores are asked for above the largest operand of doubles', () => {
    const columns = newColumns();
    const { requested } = columns.resource('memory');
    columns.setAmount(requested, 0, LARGEST_EXACT_SCORE_OPERAND);
    expect(columns.needsExactScores).toBe(false);
    columns.setAmount(requested, 0, LARGEST_EXACT_SCORE_OPERAND + 1);
    expect(columns.needsExactScores).toBe(true);
  });

  test('a cleared slot holds nothing, in any column', () => {
    const columns = newColumns();
    const { nonZeroMilliCPU, nonZeroMemoryBytes } = columns.fixed;
    const gpu = columns.resource('example.com/gpu');
    const ofNode = [nonZeroMilliCPU, nonZeroMemoryBytes, columns.resource('cpu').requested];
    const all = [...ofNode, gpu.allocatable, gpu.requested];
    const huge = 2n ** 60n + 1n;
    for (const slot of [0, 1]) {
      for (const column of ofNode) columns.setAmount(column, slot, huge);
      for (const kind of ['allocatable', 'requested'] as const) {
        columns.setResource(kind, 'example.com/gpu', slot, huge);
      }
    }
    columns.clear(0);
    expect(all.map((column) => column.values[0])).toEqual(all.map(() => 0));
    expect(all.map((column) => column.values[1])).toEqual(all.map(() => 2 ** 60));
    expect(columns.isInexact).toBe(true);
    columns.clear(1);
    expect(columns.isInexact).toBe(false);
  });
});
