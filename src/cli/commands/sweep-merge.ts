import { Command } from 'commander';
import type { Terminal } from '../terminal/terminal.ts';

interface MergeFlags {
  readonly output: string;
}

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
      // Other commands need not wait for the readers and writers of rows.
      const { mergeFiles } = await import('./merge-files.ts');
      const names = (await Promise.all(patterns.map((name) => terminal.findFiles(name, false)))).flat();
      await mergeFiles([...new Set(names)], output, terminal);
    });
}
