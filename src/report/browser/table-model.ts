import type { Cell, Column } from '../sections.ts';
import { formatCell } from '../units.ts';

export interface TableOrder {
  readonly column: number;
  readonly isDescending: boolean;
}

export type Row = readonly Cell[];

/** The rows that hold the text in one of their cells, in their order. */
export function filteredRows(rows: readonly Row[], columns: readonly Column[], text: string): readonly Row[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return rows;
  return rows.filter((row) =>
    columns.some(({ unit }, i) =>
      formatCell(unit, row[i] ?? null)
        .toLowerCase()
        .includes(wanted),
    ),
  );
}

/** The rows by one column: numbers by size, texts by their characters, empty cells last; equal rows as they were. */
export function sortedRows(rows: readonly Row[], order: TableOrder | null): readonly Row[] {
  if (order === null) return rows;
  const { column, isDescending } = order;
  const sign = isDescending ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [x, y] = [a[column] ?? null, b[column] ?? null];
    if (x === null || y === null) return (x === null ? 1 : 0) - (y === null ? 1 : 0);
    if (x === y) return 0;
    return x < y ? -sign : sign;
  });
}
