/** The cells of one line of a table, and its number from 1. */
export interface CsvRecord {
  readonly cells: readonly string[];
  readonly line: number;
}

/** Printable ASCII without quotes, in lines. */
const PLAIN = /^[\n\x20\x21\x23-\x7e]*$/;

/**
 * The records of a table without quotes and other characters that need a parser, which most tables are: lines cut at
 * commas, as `csv-parse` would, without the spaces around cells and without empty lines. Undefined for any other text.
 */
export function plainRecords(text: string): readonly CsvRecord[] | undefined {
  if (!PLAIN.test(text)) return undefined;
  const hasSpaces = text.includes(' ');
  const records: CsvRecord[] = [];
  let line = 0;
  for (let start = 0; start < text.length; ) {
    const next = text.indexOf('\n', start);
    const end = next < 0 ? text.length : next;
    line++;
    const content = hasSpaces ? text.slice(start, end).trim() : text.slice(start, end);
    start = end + 1;
    if (content === '') continue;
    const cells = content.split(',');
    records.push({ cells: hasSpaces ? cells.map((cell) => cell.trim()) : cells, line });
  }
  return records;
}
