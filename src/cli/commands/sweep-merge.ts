import { Command } from 'commander';
import { plural } from '../../lib/shown-count.ts';
import { mergeRows, openShards, type ShardFiles } from '../../sweep/merge-shards.ts';
import { formatOf, newRowSink } from '../../sweep/row-sinks.ts';
import { readableFiles } from '../terminal/node-readable-file.ts';
import { withProgress } from '../terminal/progress.ts';
import type { OutputFile, Terminal } from '../terminal/terminal.ts';

interface MergeFlags {
  readonly output: string;
}

/** How many bytes are written at once. */
const PIECE_BYTES = 2 ** 20;
/** How many rows a table is given at once. */
const TABLE_ROWS = 65_536;

const AFTER_HELP = `
The files are those of berth sweep --shard, all of one sweep, in any order; that of a whole sweep is turned into another
format. The merged .ndjson file is byte for byte the one that a single machine would have written. Missing, double and
truncated shards are named, and nothing is written then.

Examples:
  berth sweep merge part-*.ndjson -o sweep.ndjson
  berth sweep merge sweep.ndjson -o sweep.parquet`;

export function mergeCommand(terminal: Terminal): Command {
  return new Command('merge')
    .description('Makes one table of the shards of a sweep.')
    .argument('<files...>', 'the files of the shards')
    .requiredOption('-o, --output <file>', 'where the table goes: .ndjson, .csv or .parquet')
    .addHelpText('after', AFTER_HELP)
    .action(async (patterns: readonly string[], { output }: MergeFlags) => {
      const names = (await Promise.all(patterns.map((name) => terminal.findFiles(name, false)))).flat();
      await mergeFiles([...new Set(names)], output, terminal);
    });
}

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
