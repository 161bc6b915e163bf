import type { ByteWriter, ParquetWriter, SchemaElement } from 'hyparquet-writer';
import { CodedError } from '../lib/errors.ts';
import type { ByteSink, RowSink } from './row-sink.ts';
import type { Column } from './rows.ts';
import type { SweepHeader } from './sweep-header.ts';

/** The rows of a group, whose columns are held in memory until it is complete. */
const GROUP_ROWS = 65_536;

/** Writes rows as Parquet, one group after the other; the header is in the metadata, under `berth-sweep`. */
export class ParquetRows implements RowSink {
  readonly #columns: readonly Column[];
  readonly #bytes: ByteWriter;
  readonly #writer: ParquetWriter;
  readonly #sink: ByteSink;
  #rows: Record<string, unknown>[] = [];

  private constructor(columns: readonly Column[], bytes: ByteWriter, writer: ParquetWriter, sink: ByteSink) {
    this.#columns = columns;
    this.#bytes = bytes;
    this.#writer = writer;
    this.#sink = sink;
  }

  /** The library is loaded when it is first needed. */
  static async open(header: SweepHeader, columns: readonly Column[], sink: ByteSink): Promise<ParquetRows> {
    let library: typeof import('hyparquet-writer');
    try {
      library = await import('hyparquet-writer');
    } catch {
      throw new CodedError('Unavailable', 'the package hyparquet-writer is needed here: npm install hyparquet-writer');
    }
    const bytes = new library.ByteWriter();
    const schema: SchemaElement[] = [{ name: 'root', num_children: columns.length }, ...columns.map(elementOf)];
    const kvMetadata = [{ key: header.format, value: JSON.stringify(header) }];
    const createdBy = `berth ${header.berth}`;
    return new ParquetRows(
      columns,
      bytes,
      new library.ParquetWriter({ writer: bytes, schema, kvMetadata, createdBy }),
      sink,
    );
  }

  append(lines: readonly string[]): void {
    for (const line of lines) {
      this.#rows.push(JSON.parse(line) as Record<string, unknown>);
      if (this.#rows.length === GROUP_ROWS) this.#writeGroup();
    }
  }

  close(): void {
    if (this.#rows.length > 0) this.#writeGroup();
    this.#writer.finish();
    this.#passOn();
    this.#sink.close();
  }

  #writeGroup(): void {
    const columnData = this.#columns.map(({ name, type }) => ({
      name,
      data: this.#rows.map((row) => cellOf(row[name], type)),
    }));
    this.#rows = [];
    this.#writer.write({ columnData, rowGroupSize: GROUP_ROWS });
    this.#passOn();
  }

  /** Hands the bytes so far to the file; the writer goes on counting from there. */
  #passOn(): void {
    this.#sink.write(this.#bytes.getBytes().slice());
    this.#bytes.index = 0;
  }
}

function elementOf({ name, type }: Column): SchemaElement {
  const isText = type === 'text' || type === 'scalar';
  if (isText) return { name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' };
  return { name, type: type === 'integer' ? 'INT64' : 'DOUBLE', repetition_type: 'OPTIONAL' };
}

/** A field of a file may have values of several types, which are all written as text. */
function cellOf(value: unknown, type: Column['type']): unknown {
  if (value === null || value === undefined) return null;
  if (type === 'integer') return BigInt(value as number);
  return type === 'scalar' ? String(value) : value;
}
