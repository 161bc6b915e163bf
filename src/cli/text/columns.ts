/** Formats rows in aligned columns, three spaces apart, as kubectl does. The last column is never padded. */
export function formatColumns(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((title) => title.length);
  for (const row of rows) {
    for (let i = 0; i < row.length; i++) widths[i] = Math.max(widths[i] ?? 0, (row[i] as string).length);
  }
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => (i === cells.length - 1 ? cell : cell.padEnd((widths[i] as number) + GAP)))
      .join('')
      .trimEnd();
  return `${[header, ...rows].map(line).join('\n')}\n`;
}

const GAP = 3;
