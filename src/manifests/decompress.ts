import { pipeline, Readable } from 'node:stream';
import * as zlib from 'node:zlib';
import { manifestError } from './source-document.ts';

const GZIP = Buffer.from([0x1f, 0x8b]);
const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/** How compressed files are read. */
export interface DecompressOptions {
  /** Whether the file may end before its compressed data do; absent: that is an error. Only for gzip. */
  readonly mayBeCutOff?: boolean;
}

/** The chunks of a file, decompressed when it begins as gzip or zstd does, whatever its name. */
export async function* decompressed(
  chunks: AsyncIterable<Uint8Array>,
  file: string,
  { mayBeCutOff = false }: DecompressOptions = {},
): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  let beginning: Buffer = Buffer.alloc(0);
  while (beginning.length < ZSTD.length) {
    const { done, value } = await iterator.next();
    if (done) break;
    beginning = Buffer.concat([beginning, value]);
  }
  const all = rejoined(beginning, iterator);
  const format = GZIP.equals(beginning.subarray(0, 2)) ? 'gzip' : ZSTD.equals(beginning.subarray(0, 4)) ? 'zstd' : null;
  if (format === null) yield* all;
  else if (format === 'zstd') yield* through(all, zstd(file), format, file);
  else yield* through(all, gunzip(mayBeCutOff), format, file);
}

async function* rejoined(beginning: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    if (beginning.length > 0) yield beginning;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

async function* through(
  chunks: AsyncIterable<Uint8Array>,
  decompressor: NodeJS.ReadWriteStream,
  format: 'gzip' | 'zstd',
  file: string,
): AsyncGenerator<Uint8Array> {
  const stream = pipeline(Readable.from(copies(chunks)), decompressor, () => {});
  try {
    for await (const chunk of stream) yield chunk as Uint8Array;
  } catch (error) {
    if (!isOfZlib(error)) throw error;
    throw manifestError('InvalidSyntax', `${file}: damaged ${format} data: ${error.message}`);
  }
}

/** The chunks as memory of their own, since a stream asks for the next ones before it has passed these on. */
async function* copies(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield Uint8Array.prototype.slice.call(chunk);
}

function gunzip(mayBeCutOff: boolean): NodeJS.ReadWriteStream {
  const { Z_SYNC_FLUSH, Z_FINISH } = zlib.constants;
  return zlib.createGunzip({ chunkSize: 2 ** 20, finishFlush: mayBeCutOff ? Z_SYNC_FLUSH : Z_FINISH });
}

/** Newer versions of Node have zstd; the types of the oldest one that Berth runs on do not know it. */
function zstd(file: string): NodeJS.ReadWriteStream {
  const { createZstdDecompress } = zlib as { readonly createZstdDecompress?: () => NodeJS.ReadWriteStream };
  if (createZstdDecompress !== undefined) return createZstdDecompress();
  throw manifestError(
    'InvalidSyntax',
    `${file}: is zstd-compressed, which needs Node 22.15 or newer (or: zstd -dc FILE, and -f - to read its output)`,
  );
}

function isOfZlib(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && /^(?:Z_|ZSTD_|ERR_ZLIB)/.test(String(error.code));
}
