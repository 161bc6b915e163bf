import { plural } from '../../lib/shown-count.ts';
import { mergeRows, openShards, type ShardFiles } from '../../sweep/merge-shards.ts';
import { formatOf, newRowSink } from '../../sweep/row-sinks.ts';
import { readableFiles } from '../terminal/node-readable-file.ts';
import { withProgress } from '../terminal/progress.ts';
import type { OutputFile, Terminal } from '../terminal/terminal.ts';

/** How many bytes are written at once. */
const PIECE_BYTES = 2 ** 20;
/** How many rows a table is given at once. */
const TABLE_ROWS = 65_536;

/** Merges shards into a new file. @throws CodedError */
export async function mergeFiles(names: readonly string[], output: string, terminal: Terminal): Promise<void> {
  const shards = openShards(readableFiles(names));
  const { runs } = shards.header;
  await withProgress(terminal, runs, 'rows', async (show) => {
    if (formatOf(output) === 'ndjson') mergeBytes(shards, terminal.createFile(output), show);
    else await mergeTable(shards, output, terminal, show);
  });
  terminal.log(`${plural(runs, 'row')} of ${plural(names.length, 'file')}`);
}

/** Copies rows as they are. */
function mergeBytes(shards: ShardFiles, file: OutputFile, show: (rows: number) => void): void {
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  let filled = 0;
  const flush = (): void => {
    // The sink may keep what it is given, as files in memory do.
    file.write(piece.subarray(0, filled));
    filled = 0;
  };
  file.write(`${JSON.stringify(shards.header)}\n`);
  mergeRows(
    shards,
    (buffer, start, end) => {
      const length = end + 1 - start;
      if (filled + length > PIECE_BYTES) flush();
      if (length > PIECE_BYTES) file.write(buffer.subarray(start, end + 1));
      else filled += buffer.copy(piece, filled, start, end + 1);
    },
    show,
  );
  flush();
  file.close();
}

/** Rows are parsed, since other formats write them otherwise. */
async function mergeTable(shards: ShardFiles, output: string, terminal: Terminal, show: (rows: number) => void) {
  const { header, readers } = shards;
  const sink = await newRowSink(formatOf(output), header, terminal.createFile(output));
  let lines: string[] = [];
  mergeRows(
    { header, readers },
    (buffer, start, end) => {
      lines.push(buffer.toString('utf8', start, end));
      if (lines.length < TABLE_ROWS) return;
      sink.append(lines);
      lines = [];
    },
    show,
  );
  sink.append(lines);
  sink.close();
}
