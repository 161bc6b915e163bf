import { CodedError } from '../lib/errors.ts';
import { LineReader, type ReadableFile } from './line-reader.ts';
import { runIndexAt } from './shard.ts';
import { checkSameSweep, parseHeader, type ShardOfFile, type SweepHeader, wholeHeader } from './sweep-header.ts';

/** The rows of a merge, one after the other, as bytes. */
export type OnRow = (buffer: Buffer, start: number, end: number) => void;

export interface ShardFiles {
  /** The header of the whole file. */
  readonly header: SweepHeader;
  /** The shards in order; each stands behind its header. */
  readonly readers: readonly LineReader[];
}

/** The memory that the buffers of all shards have together. */
const BUFFERS_BYTES = 64 * 2 ** 20;
const BUFFER_MIN_BYTES = 4096;
const BUFFER_MAX_BYTES = 2 ** 20;
/** The end of a file in which its last row is looked for. */
const TAIL_BYTES = 65_536;
/** Messages name so many shards at most. */
const NAMED_MAX = 10;

/**
 * Opens the shards of one sweep: all of them, each once, each complete.
 *
 * @throws CodedError `NotASweep`, `OtherSweep`, `ShardMissing`, `ShardTwice`, `ShardTruncated`
 */
export function openShards(files: readonly ReadableFile[]): ShardFiles {
  const bufferBytes = Math.min(BUFFER_MAX_BYTES, Math.max(BUFFER_MIN_BYTES, BUFFERS_BYTES / files.length));
  const shards = files.map((file) => openShard(file, Math.floor(bufferBytes)));
  const [first] = shards;
  if (first === undefined) throw new CodedError('ShardMissing', 'there are no shards');
  const byNumber = new Map<number, OpenShard>();
  for (const one of shards) {
    const { header, shard, reader } = one;
    checkSameSweep(header, first.header, reader.file.name, ` than ${first.reader.file.name}`);
    if (shard.of !== first.shard.of) {
      const others = `${first.reader.file.name} is one of ${first.shard.of}`;
      throw new CodedError('OtherSweep', `${reader.file.name}: is one of ${shard.of} shards, but ${others}`);
    }
    const twin = byNumber.get(shard.shard);
    if (twin !== undefined) {
      const names = `${twin.reader.file.name} and ${reader.file.name}`;
      throw new CodedError('ShardTwice', `shard ${shard.shard} of ${shard.of} is there twice: ${names}`);
    }
    byNumber.set(shard.shard, one);
  }
  refuseMissing(byNumber, first.shard.of);
  refuseTruncated(shards);
  const readers = Array.from({ length: first.shard.of }, (_, i) => (byNumber.get(i + 1) as OpenShard).reader);
  return { header: wholeHeader(first.header), readers };
}

/**
 * Hands on the rows of all shards in the order of their runs, in memory that does not grow with their number.
 *
 * @throws CodedError `ShardTruncated`, `NotASweep`
 */
export function mergeRows({ header, readers }: ShardFiles, onRow: OnRow, onProgress: (rows: number) => void): void {
  const start = new RunStart();
  const count = readers.length;
  for (let index = 0, turn = 0; index < header.runs; index++) {
    const reader = readers[turn] as LineReader;
    if (++turn === count) turn = 0;
    if (!reader.next()) throw truncated([`${reader.file.name} ends before run ${index + 1}`]);
    if (!start.isNext(reader.buffer, reader.start, reader.end)) {
      throw new CodedError('NotASweep', `${reader.file.name}: the row of run ${index + 1} is not where it should be`);
    }
    onRow(reader.buffer, reader.start, reader.end);
    if ((index & PROGRESS_MASK) === 0) onProgress(index);
  }
  const longer = readers.find((reader) => reader.hasRest);
  if (longer !== undefined) throw new CodedError('NotASweep', `${longer.file.name}: goes on behind its last row`);
}

const PROGRESS_MASK = 2 ** 16 - 1;

interface OpenShard {
  readonly header: SweepHeader;
  readonly shard: ShardOfFile;
  readonly reader: LineReader;
}

/** The file of a whole sweep is the only shard of it. */
function openShard(file: ReadableFile, bufferBytes: number): OpenShard {
  const reader = new LineReader(file, bufferBytes);
  if (!reader.next())
    throw new CodedError('ShardTruncated', `${file.name}: is truncated: not even its header is there`);
  const header = parseHeader(reader.buffer.toString('utf8', reader.start, reader.end), file.name);
  return { header, shard: header.shard ?? { shard: 1, of: 1, rows: header.runs }, reader };
}

function refuseMissing(byNumber: ReadonlyMap<number, unknown>, of: number): void {
  const missing: number[] = [];
  for (let shard = 1; shard <= of; shard++) if (!byNumber.has(shard)) missing.push(shard);
  if (missing.length === 0) return;
  const what = missing.length === 1 ? 'shard' : 'shards';
  const which = `${what} ${listed(missing.map(String))} of ${of}`;
  throw new CodedError('ShardMissing', `${which} missing: run again with --shard ${missing[0]}/${of}, or --resume`);
}

function refuseTruncated(shards: readonly OpenShard[]): void {
  const found = shards.flatMap(({ shard, reader }) => {
    const rows = rowsIn(reader.file, shard);
    if (rows === shard.rows) return [];
    return [`${reader.file.name} (shard ${shard.shard} of ${shard.of}, ${rows ?? 'not all'} of ${shard.rows} rows)`];
  });
  if (found.length > 0) throw truncated(found);
}

/** The number of rows by the last one of a file; undefined when its end has none. */
function rowsIn(file: ReadableFile, shard: ShardOfFile): number | undefined {
  const tail = Buffer.alloc(Math.min(TAIL_BYTES, file.sizeBytes));
  const read = file.read(tail, file.sizeBytes - tail.length);
  const text = tail.toString('latin1', 0, tail.lastIndexOf('\n', read));
  const last = text.slice(text.lastIndexOf('\n') + 1);
  const run = /^\{"run":(\d+),/.exec(last)?.[1];
  if (run === undefined) return /^\{"format":/.test(last) ? 0 : undefined;
  return (Number(run) - 1 - runIndexAt(shard, 0)) / shard.of + 1;
}

function truncated(which: readonly string[]): CodedError<'ShardTruncated'> {
  return new CodedError('ShardTruncated', `truncated: ${listed(which)}; --resume goes on with such a file`);
}

function listed(names: readonly string[]): string {
  const more = names.length - NAMED_MAX;
  return names.slice(0, NAMED_MAX).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** Compares how rows begin with the numbers of runs, which are counted in decimal digits. */
class RunStart {
  /** The beginning of the next row: `{"run":1,`. */
  #wanted = Buffer.from(`${START}0,`);

  isNext(buffer: Buffer, start: number, end: number): boolean {
    this.#count();
    const wanted = this.#wanted;
    if (end - start <= wanted.length || buffer[end - 1] !== BRACE) return false;
    for (let i = 0; i < wanted.length; i++) if (buffer[start + i] !== wanted[i]) return false;
    return true;
  }

  #count(): void {
    const wanted = this.#wanted;
    let at = wanted.length - 2;
    while (at >= START.length && wanted[at] === NINE) wanted[at--] = ZERO;
    if (at >= START.length) wanted[at] = (wanted[at] as number) + 1;
    else this.#wanted = Buffer.from(`${START}1${'0'.repeat(wanted.length - 1 - START.length)},`);
  }
}

const START = '{"run":';
const BRACE = '}'.charCodeAt(0);
const [ZERO, NINE] = ['0', '9'].map((digit) => digit.charCodeAt(0)) as [number, number];
