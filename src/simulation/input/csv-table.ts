import { CodedError } from '../../lib/errors.ts';
import { latePackage } from '../../lib/host-modules.ts';
import { FILE_MAX_BYTES, type FileSource, shownName } from '../../manifests/file-source.ts';
import { decodeUtf8 } from '../../manifests/source-document.ts';

/** The text of one CSV table, and its name in messages. */
export interface CsvFile {
  readonly name: string;
  readonly text: string;
}

/** @throws CodedError `FileNotReadable`, `FileTooLarge`, `InvalidSyntax` when it is not text */
export async function readCsv(name: string, files: FileSource): Promise<CsvFile> {
  const bytes = await files.read(name, FILE_MAX_BYTES);
  return { name: shownName(name), text: decodeUtf8(bytes, shownName(name), 1) };
}

/** The places of columns in a line; the last of several with one name counts. */
type ColumnPlaces = ReadonlyMap<string, number>;

/** One line of a table, read column by column. */
export class CsvRow {
  readonly #cells: readonly string[];
  readonly #places: ColumnPlaces;
  readonly #file: CsvFile;
  readonly #line: number;

  constructor(cells: readonly string[], places: ColumnPlaces, file: CsvFile, line: number) {
    this.#cells = cells;
    this.#places = places;
    this.#file = file;
    this.#line = line;
  }

  text(column: string): string {
    const place = this.#places.get(column);
    return place === undefined ? '' : (this.#cells[place] ?? '');
  }

  integer(column: string): number {
    return this.#number(column, /^\d{1,12}$/, 'a whole number >= 0');
  }

  seconds(column: string): number {
    return this.#number(column, /^\d{1,12}(\.\d+)?$/, 'seconds >= 0');
  }

  /** The number in a column; an empty cell is 0. */
  amount(column: string): number {
    return this.text(column) === '' ? 0 : this.#number(column, /^\d{1,9}(\.\d{1,12})?$/, 'a number >= 0');
  }

  error(column: string, reason: string): CodedError<'InvalidTrace'> {
    return traceError(`${placeOf(this.#file, this.#line)}: column ${column}: ${reason}`);
  }

  check(problems: readonly { readonly field: string; readonly reason: string }[]): void {
    const problem = problems[0];
    if (problem === undefined) return;
    throw traceError(`${placeOf(this.#file, this.#line)}: ${problem.field}: ${problem.reason}`);
  }

  #number(column: string, form: RegExp, what: string): number {
    const text = this.text(column);
    if (!form.test(text)) throw this.error(column, `expected ${what}, found "${text}"`);
    return Number(text);
  }
}

/**
 * The rows of a file with a header. The header must have all these columns, in any order, and may have others. The
 * first column is a name that is unique.
 *
 * @throws CodedError `InvalidTrace` naming file, line and column
 */
export function readNamedRows(file: CsvFile, columns: readonly string[]): CsvRow[] {
  const [header, ...records] = parseCsv(file);
  if (header === undefined) throw traceError(`${file.name}: is empty`);
  const missing = columns.find((column) => !header.cells.includes(column));
  if (missing !== undefined) {
    const found = header.cells.join(', ').slice(0, 200);
    throw traceError(`${file.name}:${header.line}: column ${missing} is missing (found: ${found})`);
  }
  const lineByName = new Map<string, number>();
  const nameColumn = columns[0] as string;
  const places = placesOf(header.cells);
  return records.map((record) => {
    checkLength(file, header.cells, record, 'the header has');
    const row = new CsvRow(record.cells, places, file, record.line);
    const name = row.text(nameColumn);
    const first = lineByName.get(name);
    if (first !== undefined) throw row.error(nameColumn, `duplicate name "${name}" (first in line ${first})`);
    lineByName.set(name, record.line);
    return row;
  });
}

/**
 * The rows of a file without a header that has exactly these columns. A header that repeats their names is skipped.
 *
 * @throws CodedError `InvalidTrace` naming file, line and column
 */
export function readPlainRows(file: CsvFile, columns: readonly string[]): CsvRow[] {
  const records = parseCsv(file);
  if (records.length === 0) throw traceError(`${file.name}: is empty`);
  const isHeader = records[0]?.cells[0] === columns[0];
  const places = placesOf(columns);
  return records.slice(isHeader ? 1 : 0).map((record) => {
    checkLength(file, columns, record, 'a row has');
    return new CsvRow(record.cells, places, file, record.line);
  });
}

function placesOf(columns: readonly string[]): ColumnPlaces {
  return new Map(columns.map((column, i) => [column, i]));
}

function placeOf({ name }: CsvFile, line: number): string {
  return `${name}:${line}`;
}

function checkLength(file: CsvFile, columns: readonly string[], { cells, line }: CsvRecord, who: string): void {
  if (cells.length === columns.length) return;
  throw traceError(`${placeOf(file, line)}: ${cells.length} cells where ${who} ${columns.length}`);
}

interface CsvRecord {
  readonly cells: readonly string[];
  readonly line: number;
}

function parseCsv({ name, text }: CsvFile): readonly CsvRecord[] {
  const { CsvError, parse } = latePackage('csv-parse/sync');
  try {
    const records = parse(text, {
      bom: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    });
    return (records as unknown as { info: { lines: number }; record: string[] }[]).map(({ info, record }) => ({
      cells: record,
      line: info.lines,
    }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = typeof error['lines'] === 'number' ? `:${error['lines']}` : '';
    throw traceError(`${name}${line}: malformed CSV: ${error.message.split('\n')[0]}`);
  }
}

function traceError(message: string): CodedError<'InvalidTrace'> {
  return new CodedError('InvalidTrace', message);
}
