import { ParquetRows } from './parquet-rows.ts';
import type { ByteSink, RowSink } from './row-sink.ts';
import { type Column, columnsOf } from './rows.ts';
import type { SweepHeader } from './sweep-header.ts';

/** The format of a table, by the ending of its file's name. */
export type RowFormat = 'ndjson' | 'csv' | 'parquet';

export function formatOf(name: string): RowFormat {
  if (name.endsWith('.csv')) return 'csv';
  return name.endsWith('.parquet') ? 'parquet' : 'ndjson';
}

/** Writes a table in one of the formats. Only JSON lines have the header in their first line. */
export async function newRowSink(format: RowFormat, header: SweepHeader, sink: ByteSink): Promise<RowSink> {
  const columns = columnsOf(header);
  if (format === 'csv') return new CsvRows(columns, sink);
  if (format === 'parquet') return ParquetRows.open(header, columns, sink);
  return new JsonRows(header, sink);
}

class JsonRows implements RowSink {
  readonly #sink: ByteSink;

  constructor(header: SweepHeader, sink: ByteSink) {
    this.#sink = sink;
    sink.write(`${JSON.stringify(header)}\n`);
  }

  append(lines: readonly string[]): void {
    this.#sink.write(lines.map((line) => `${line}\n`).join(''));
  }

  close(): void {
    this.#sink.close();
  }
}

class CsvRows implements RowSink {
  readonly #names: readonly string[];
  readonly #sink: ByteSink;

  constructor(columns: readonly Column[], sink: ByteSink) {
    this.#names = columns.map(({ name }) => name);
    this.#sink = sink;
    sink.write(`${this.#names.map(cell).join(',')}\n`);
  }

  append(lines: readonly string[]): void {
    const rows = lines.map((line) => {
      const row = JSON.parse(line) as Record<string, unknown>;
      return `${this.#names.map((name) => cell(row[name])).join(',')}\n`;
    });
    this.#sink.write(rows.join(''));
  }

  close(): void {
    this.#sink.close();
  }
}

/** A cell as RFC 4180 writes it; what is not there is empty. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
