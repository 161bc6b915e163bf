import { describe, expect, test } from 'vitest';
import { LARGEST_EXACT_SCORE_OPERAND } from '../../src/memory/layout.ts';
import { NodeColumns } from '../../src/memory/node-columns.ts';
import { SharedMemory } from '../../src/memory/shared-memory.ts';

const newColumns = (): NodeColumns => new NodeColumns(new SharedMemory());

describe('NodeColumns', () => {
  test('standard resources are there, others on first use, and then always the same', () => {
    const columns = newColumns();
    expect([...columns.resourceNames()]).toEqual(['pods', 'cpu', 'memory']);
    const gpu = columns.resource('example.com/gpu');
    expect(columns.resource('example.com/gpu')).toBe(gpu);
    expect(gpu.allocatable.pointer).not.toBe(gpu.requested.pointer);
    expect([...columns.resourceNames()]).toHaveLength(4);
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
    const all = [
      nonZeroMilliCPU,
      nonZeroMemoryBytes,
      gpu.allocatable,
      gpu.requested,
      columns.resource('cpu').requested,
    ];
    for (const column of all) for (const slot of [0, 1]) columns.setAmount(column, slot, 2n ** 60n + 1n);
    columns.clear(0);
    expect(all.map((column) => column.values[0])).toEqual(all.map(() => 0));
    expect(all.map((column) => column.values[1])).toEqual(all.map(() => 2 ** 60));
    expect(columns.isInexact).toBe(true);
    columns.clear(1);
    expect(columns.isInexact).toBe(false);
  });
});
