import { cutTo, visible } from './visible.ts';

const GAP = 3;
/** The last column keeps this much room, however wide the others are. */
const LAST_MIN = 20;

export interface ColumnsFormat {
  /** Leaves out the line of titles. */
  readonly hasNoHeader?: boolean | undefined;
  /** The width of the terminal: the last column is cut to it. Absent: nothing is cut. */
  readonly width?: number | undefined;
}

/** Formats rows in aligned columns, three spaces apart, as kubectl does. The last column is never padded. */
export function formatColumns(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  { hasNoHeader = false, width }: ColumnsFormat = {},
): string {
  const shown = (hasNoHeader ? rows : [header, ...rows]).map((cells) => cells.map(visible));
  if (shown.length === 0) return '';
  const widths = header.map(() => 0);
  for (const row of shown) {
    for (let i = 0; i < row.length; i++) widths[i] = Math.max(widths[i] as number, (row[i] as string).length);
  }
  const before = widths.slice(0, -1).reduce((sum, columns) => sum + columns + GAP, 0);
  const lastWidth = width === undefined ? Number.POSITIVE_INFINITY : Math.max(width - before, LAST_MIN);
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => (i === cells.length - 1 ? cutTo(cell, lastWidth) : cell.padEnd((widths[i] as number) + GAP)))
      .join('')
      .trimEnd();
  return `${shown.map(line).join('\n')}\n`;
}
