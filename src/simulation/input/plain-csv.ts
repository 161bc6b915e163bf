/** A quote, or a space that a CSV reader may take in one way or another, such as a carriage return. */
const NOT_PLAIN = /"|[^\S \t\n]/;

/**
 * The trimmed cells of each line that is not empty; undefined for a text that takes more than commas and line ends to
 * read. Few traces quote anything, and a whole CSV reader takes five times as long for them.
 */
export function plainCells(text: string): string[][] | undefined {
  if (NOT_PLAIN.test(text)) return undefined;
  const rows: string[][] = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const cells = line.split(',');
    for (let i = 0; i < cells.length; i++) cells[i] = trimmed(cells[i] as string);
    if (cells.length === 1 && cells[0] === '') return undefined;
    rows.push(cells);
  }
  return rows;
}

function trimmed(cell: string): string {
  return isSpace(cell.charCodeAt(0)) || isSpace(cell.charCodeAt(cell.length - 1)) ? cell.trim() : cell;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
