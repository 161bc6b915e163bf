import { CodedError } from '../../lib/errors.ts';
import { checkFound, type WantedFile } from '../../sweep/found-rows.ts';
import { formatOf, newRowSink } from '../../sweep/row-sinks.ts';
import { SHARDS_MAX, type Shard } from '../../sweep/shard.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Where the rows of a sweep go. */
export interface SweepOutput {
  /** The number of rows that were there before. */
  readonly keptRows: number;
  /** Writes whole lines; resolves when they are written. */
  readonly append: (lines: readonly string[]) => Promise<void>;
  /** `isComplete`: all rows are there, so that a table can be completed. */
  readonly close: (isComplete: boolean) => Promise<void>;
}

/** The name of a file in which `{shard}` stands for the number of the shard. */
export function outputName(pattern: string, { shard, of }: Shard): string {
  const digits = Math.max(String(Math.min(of, SHARDS_MAX)).length, 1);
  return pattern.replaceAll('{shard}', String(shard).padStart(digits, '0'));
}

/** Opens the output, which is JSON lines, a table by the ending of its name, or `-`. @throws CodedError */
export async function openSweepOutput(
  wanted: WantedFile,
  isResumed: boolean,
  terminal: Terminal,
): Promise<SweepOutput> {
  const { name, header } = wanted;
  const format = formatOf(name);
  if (name === '-') {
    if (isResumed) throw new CodedError('Usage', '--resume needs a file, not standard output');
    await terminal.print(`${JSON.stringify(header)}\n`);
    const append = (lines: readonly string[]) => terminal.print(lines.map((line) => `${line}\n`).join(''));
    return { keptRows: 0, append, close: async () => {} };
  }
  if (format === 'ndjson') return openJsonLines(wanted, isResumed, terminal);
  const table = `${name}: a .${format} file`;
  if (isResumed)
    throw new CodedError('Usage', `${table} cannot be resumed: sweep into .ndjson, then berth sweep merge`);
  if (header.shard !== undefined) {
    throw new CodedError(
      'Usage',
      `${table} cannot be a shard: shards are .ndjson, and berth sweep merge writes tables`,
    );
  }
  const sink = await newRowSink(format, header, terminal.createFile(name));
  const close = async (isComplete: boolean) => (isComplete ? sink.close() : undefined);
  return { keptRows: 0, append: async (lines) => sink.append(lines), close };
}

async function openJsonLines(wanted: WantedFile, isResumed: boolean, terminal: Terminal): Promise<SweepOutput> {
  const file = await terminal.openResultFile(wanted.name, !isResumed);
  try {
    const kept = await checkFound(file.lines(), wanted);
    await file.truncate(kept.bytes);
    if (kept.bytes === 0) await file.append(`${JSON.stringify(wanted.header)}\n`);
    const append = (lines: readonly string[]) => file.append(lines.map((line) => `${line}\n`).join(''));
    return { keptRows: kept.rows, append, close: () => file.close() };
  } catch (error) {
    await file.close();
    throw error;
  }
}
