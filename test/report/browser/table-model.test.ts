import { describe, expect, it } from 'vitest';
import { filteredRows, sortedRows } from '../../../src/report/browser/table-model.ts';

const COLUMNS = [{ title: 'name' }, { title: 'size', unit: 'bytes' as const }];
const ROWS = [
  ['b', 2048],
  ['A', null],
  ['c', 1],
  ['a', 2048],
];

describe('rows of a table', () => {
  it('are found by what people read', () => {
    expect(filteredRows(ROWS, COLUMNS, ' 2 kib ')).toEqual([ROWS[0], ROWS[3]]);
    expect(filteredRows(ROWS, COLUMNS, 'a')).toEqual([ROWS[1], ROWS[3]]);
    expect(filteredRows(ROWS, COLUMNS, '')).toBe(ROWS);
  });

  it('are sorted by value, empty ones last', () => {
    const names = (column: number, isDescending: boolean) =>
      sortedRows(ROWS, { column, isDescending }).map(([name]) => name);
    expect(names(1, true)).toEqual(['b', 'a', 'c', 'A']);
    expect(names(1, false)).toEqual(['c', 'b', 'a', 'A']);
    expect(names(0, false)).toEqual(['A', 'a', 'b', 'c']);
    expect(sortedRows(ROWS, null)).toBe(ROWS);
  });
});
