import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Column, ColumnTable } from '../../src/memory/column-table.ts';
import { OutOfMemoryError, SharedMemory } from '../../src/memory/shared-memory.ts';

describe('ColumnTable', () => {
  test('columns have the width of their type and room for every row', () => {
    const table = new ColumnTable(new SharedMemory());
    const columns = [table.add('u8'), table.add('i32'), table.add('f64')] as const;
    expect(columns.map(({ values }) => values.BYTES_PER_ELEMENT)).toEqual([1, 4, 8]);
    for (const { values, pointer } of columns) {
      expect(values).toHaveLength(table.capacity);
      expect(values.byteOffset).toBe(pointer);
    }
  });

  test('growing doubles, keeps every value, moves columns and says so', () => {
    const table = new ColumnTable(new SharedMemory());
    const column = table.add('f64');
    column.values[63] = 1.5;
    const before = { version: table.version, pointer: column.pointer };
    table.reserve(64);
    expect({ version: table.version, pointer: column.pointer }).toEqual(before);
    table.reserve(65);
    expect(table.capacity).toBe(128);
    expect(table.version).not.toBe(before.version);
    expect(column.values[63]).toBe(1.5);
    expect(column.values.subarray(64).every((value) => value === 0)).toBe(true);
  });

  test('a removed column gives its bytes to the next', () => {
    const memory = new SharedMemory();
    const table = new ColumnTable(memory);
    const column = table.add('f64');
    const used = memory.usedBytes;
    column.values.fill(7);
    table.remove(column);
    const next = table.add('f64');
    expect(memory.usedBytes).toBe(used);
    expect(next.values.every((value) => value === 0)).toBe(true);
  });

  test('a relocated column keeps its values, and nobody gets the bytes it had', () => {
    const memory = new SharedMemory();
    const table = new ColumnTable(memory);
    const column = table.add('i32');
    column.values.fill(7);
    const { version } = table;
    const { values: left, pointer } = column;
    table.relocate(column);
    expect(table.version).not.toBe(version);
    expect(column.values).toEqual(left);
    left.fill(-1);
    expect(column.values.every((value) => value === 7)).toBe(true);
    expect([table.add('i32'), table.add('f64')].map((other) => other.pointer)).not.toContain(pointer);
  });

  test('rows that do not fit into memory change nothing, not even for the columns that would have fitted', () => {
    const memory = new SharedMemory();
    const table = new ColumnTable(memory);
    const [narrow, wide] = [table.add('u8'), table.add('f64')];
    narrow.values[1] = 1;
    wide.values[1] = 2;
    const before = { version: table.version, narrow: narrow.pointer, wide: wide.pointer };
    expect(() => table.reserve(2 ** 29)).toThrow(OutOfMemoryError);
    expect({ version: table.version, narrow: narrow.pointer, wide: wide.pointer }).toEqual(before);
    expect(table.capacity).toBe(64);
    expect([narrow.values[1], wide.values[1]]).toEqual([1, 2]);
    // The half that had been found was given back: there is room for it again.
    const used = memory.usedBytes;
    memory.free(memory.allocate(64), 64);
    expect(memory.usedBytes).toBe(used);
  });

  test('behaves as plain arrays do, whatever is added, removed, grown and written', () => {
    const step = fc.oneof(
      fc.record({
        do: fc.constant('add' as const),
        type: fc.constantFrom('u8' as const, 'i32' as const, 'f64' as const),
      }),
      fc.record({ do: fc.constant('remove' as const), which: fc.nat() }),
      fc.record({ do: fc.constant('reserve' as const), rows: fc.nat(600) }),
      fc.record({ do: fc.constant('write' as const), which: fc.nat(), row: fc.nat(), value: fc.nat(255) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const table = new ColumnTable(new SharedMemory());
        const model = new Map<Column, Map<number, number>>();
        for (const event of steps) {
          const columns = [...model.keys()];
          if (event.do === 'add') model.set(table.add(event.type), new Map());
          else if (event.do === 'reserve') table.reserve(event.rows);
          else if (columns.length > 0) {
            const column = columns[event.which % columns.length] as Column;
            if (event.do === 'remove') {
              table.remove(column);
              model.delete(column);
            } else {
              const row = event.row % table.capacity;
              column.values[row] = event.value;
              model.get(column)?.set(row, event.value);
            }
          }
        }
        for (const [column, values] of model) {
          const expected = Array.from({ length: table.capacity }, (_, row) => values.get(row) ?? 0);
          expect([...column.values]).toEqual(expected);
        }
      }),
    );
  });
});
