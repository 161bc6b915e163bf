import { describe, expect, test } from 'vitest';
import { ResourceEntries, type ResourceEntry } from '../../../src/engine/index/resource-entries.ts';
import { RESOURCE_ENTRY_BYTES } from '../../../src/kernels/abi.ts';
import { ColumnTable } from '../../../src/memory/column-table.ts';
import { SharedMemory } from '../../../src/memory/shared-memory.ts';

function start(requests: readonly (number | bigint)[]) {
  const memory = new SharedMemory();
  const table = new ColumnTable(memory);
  const list = requests.map((podRequest, i): ResourceEntry => {
    return { allocatable: table.add('f64'), requested: table.add('f64'), podRequest, weight: i + 0.5 };
  });
  const before = memory.allocatedBytes;
  const entries = new ResourceEntries(memory, list);
  /** Returns the entries as the kernels read them. */
  const read = () => {
    const view = new DataView(memory.memory.buffer, entries.pointer);
    return list.map((_, i) => {
      const at = i * RESOURCE_ENTRY_BYTES;
      const pointers = [view.getUint32(at, true), view.getUint32(at + 4, true)];
      return [...pointers, view.getFloat64(at + 8, true), view.getFloat64(at + 16, true)];
    });
  };
  const expected = () =>
    list.map(({ allocatable, requested, podRequest, weight }) => {
      return [allocatable.pointer, requested.pointer, Number(podRequest), weight];
    });
  return { memory, table, entries, before, read, expected };
}

describe('resource entries', () => {
  test('stand in memory as the kernels read them', () => {
    const { entries, read, expected } = start([250, 0, 2 ** 53]);
    expect(entries.count).toBe(3);
    expect(read()).toEqual(expected());
  });

  test('hold of an amount that doubles cannot hold the nearest', () => {
    expect(start([2n ** 53n + 1n]).read()[0]?.[2]).toBe(2 ** 53);
  });

  test('point to the new places of columns when they are written again', () => {
    const { table, entries, read, expected } = start([1, 2]);
    const old = read();
    table.reserve(65);
    expect(read()).toEqual(old);
    expect(expected()).not.toEqual(old);
    entries.write();
    expect(read()).toEqual(expected());
  });

  test.each([0, 1, 5])('%i of them give their bytes back', (count) => {
    const { memory, entries, before } = start(Array<number>(count).fill(1));
    entries.release();
    expect(memory.allocatedBytes).toBe(before);
  });
});
