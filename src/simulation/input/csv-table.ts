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
  readonly #records: CsvRecords;
  readonly #index: number;

  /** `index`: the number of its record. */
  constructor(records: CsvRecords, places: ColumnPlaces, index: number) {
    this.#cells = records.cells[index] ?? [];
    this.#places = places;
    this.#records = records;
    this.#index = index;
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
    return traceError(`${this.#records.placeOf(this.#index)}: column ${column}: ${reason}`);
  }

  check(problems: readonly { readonly field: string; readonly reason: string }[]): void {
    const problem = problems[0];
    if (problem === undefined) return;
    throw traceError(`${this.#records.placeOf(this.#index)}: ${problem.field}: ${problem.reason}`);
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
  const records = new CsvRecords(file);
  const [header] = records.cells;
  if (header === undefined) throw traceError(`${file.name}: is empty`);
  const missing = columns.find((column) => !header.includes(column));
  if (missing !== undefined) {
    const found = header.join(', ').slice(0, 200);
    throw traceError(`${records.placeOf(0)}: column ${missing} is missing (found: ${found})`);
  }
  const indexByName = new Map<string, number>();
  const nameColumn = columns[0] as string;
  const places = placesOf(header);
  return rowsFrom(1, records, (index) => {
    records.checkLength(index, header, 'the header has');
    const row = new CsvRow(records, places, index);
    const name = row.text(nameColumn);
    const first = indexByName.get(name);
    if (first !== undefined) {
      throw row.error(nameColumn, `duplicate name "${name}" (first in line ${records.lineOf(first)})`);
    }
    indexByName.set(name, index);
    return row;
  });
}

/**
 * The rows of a file without a header that has exactly these columns. A header that repeats their names is skipped.
 *
 * @throws CodedError `InvalidTrace` naming file, line and column
 */
export function readPlainRows(file: CsvFile, columns: readonly string[]): CsvRow[] {
  const records = new CsvRecords(file);
  const [first] = records.cells;
  if (first === undefined) throw traceError(`${file.name}: is empty`);
  const isHeader = first[0] === columns[0];
  const places = placesOf(columns);
  return rowsFrom(isHeader ? 1 : 0, records, (index) => {
    records.checkLength(index, columns, 'a row has');
    return new CsvRow(records, places, index);
  });
}

function rowsFrom(start: number, { cells }: CsvRecords, rowOf: (index: number) => CsvRow): CsvRow[] {
  return Array.from({ length: cells.length - start }, (_, i) => rowOf(start + i));
}

function placesOf(columns: readonly string[]): ColumnPlaces {
  return new Map(columns.map((column, i) => [column, i]));
}

/**
 * The records of a file. Only errors name lines, and to note the line of each record takes a third of the reading: the
 * file is read once more for the first error.
 */
class CsvRecords {
  readonly cells: readonly (readonly string[])[];
  readonly #file: CsvFile;
  #lines: readonly number[] | undefined;

  constructor(file: CsvFile) {
    this.#file = file;
    this.cells = parseCsv(file, false) as string[][];
  }

  lineOf(index: number): number {
    this.#lines ??= (parseCsv(this.#file, true) as { info: { lines: number } }[]).map(({ info }) => info.lines);
    return this.#lines[index] ?? 0;
  }

  placeOf(index: number): string {
    return `${this.#file.name}:${this.lineOf(index)}`;
  }

  checkLength(index: number, columns: readonly string[], who: string): void {
    const count = this.cells[index]?.length ?? 0;
    if (count === columns.length) return;
    throw traceError(`${this.placeOf(index)}: ${count} cells where ${who} ${columns.length}`);
  }
}

/** `hasInfo`: each record comes with where it stands. */
function parseCsv({ name, text }: CsvFile, hasInfo: boolean): readonly unknown[] {
  const { CsvError, parse } = latePackage('csv-parse/sync');
  try {
    return parse(text, {
      bom: true,
      info: hasInfo,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = typeof error['lines'] === 'number' ? `:${error['lines']}` : '';
    throw traceError(`${name}${line}: malformed CSV: ${error.message.split('\n')[0]}`);
  }
}

function traceError(message: string): CodedError<'InvalidTrace'> {
  return new CodedError('InvalidTrace', message);
}
