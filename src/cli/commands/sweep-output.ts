import { CodedError } from '../../lib/errors.ts';
import { checkFound, type FoundLine, type Kept, type WantedFile } from '../../sweep/found-rows.ts';
import { formatOf, newRowSink } from '../../sweep/row-sinks.ts';
import { SHARDS_MAX, type Shard } from '../../sweep/shard.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { isObjectUrl, type UrlObjects } from '../terminal/url-objects.ts';

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
  if (isObjectUrl(name)) return openObject(wanted, isResumed, terminal.objects);
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

/** An object is written as a whole when its rows are complete, or when the sweep ends early. */
async function openObject(wanted: WantedFile, isResumed: boolean, objects: UrlObjects): Promise<SweepOutput> {
  const { name, header } = wanted;
  if (/\.(?:csv|parquet)(?:\?|$)/.test(name)) {
    throw new CodedError('Usage', `${name}: under a URL there are JSON lines only; berth sweep merge writes tables`);
  }
  const found = await objects.get(name);
  if (found !== undefined && !isResumed)
    throw new CodedError('FileExists', `${name}: exists already; --resume goes on with it`);
  const kept = found === undefined ? NOTHING_KEPT : await checkFound(linesOf(found), wanted);
  const beginning = kept.bytes === 0 ? `${JSON.stringify(header)}\n` : found?.subarray(0, kept.bytes);
  const pieces: Uint8Array[] = [Buffer.from(beginning ?? '')];
  let appended = kept.bytes === 0 ? 1 : 0;
  return {
    keptRows: kept.rows,
    append: async (lines) => {
      appended += lines.length;
      pieces.push(Buffer.from(lines.map((line) => `${line}\n`).join('')));
    },
    close: async () => {
      if (appended > 0) await objects.put(name, Buffer.concat(pieces));
    },
  };
}

const NOTHING_KEPT: Kept = { rows: 0, bytes: 0 };
const LINE_FEED = 0x0a;

async function* linesOf(content: Uint8Array): AsyncGenerator<FoundLine> {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
  for (let from = 0; from < bytes.length; ) {
    const found = bytes.indexOf(LINE_FEED, from);
    const end = found < 0 ? bytes.length : found;
    yield { text: bytes.toString('utf8', from, end), isWhole: found >= 0, endByte: Math.min(end + 1, bytes.length) };
    from = end + 1;
  }
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
