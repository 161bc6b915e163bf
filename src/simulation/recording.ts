import { constants, gunzipSync, gzipSync } from 'node:zlib';
import { CodedError } from '../lib/errors.ts';
import type { FileSource } from '../manifests/file-source.ts';
import type { SimulationRequest } from './load-simulation.ts';
import type { SimulationEnd } from './summary.ts';

const FORMAT = 'berth-simulation';
const VERSION = 1;

/** The first line of a recording: everything that is needed to repeat the run. */
interface Header {
  readonly format: typeof FORMAT;
  readonly version: typeof VERSION;
  readonly berth: string;
  readonly request: SimulationRequest;
  /** The contents of all files that were read, in base64. */
  readonly files: Readonly<Record<string, string>>;
}

/** The last line of a recording. */
interface Footer {
  readonly end: SimulationEnd;
  readonly lines: number;
  readonly sha256: string;
}

/** The sink for the bytes of a recording. */
export interface ByteSink {
  write(bytes: Uint8Array): void;
  close(): void;
}

/** A source of files that remembers the contents of the files that it reads. */
export function rememberingSource(source: FileSource) {
  const known = new Map<string, Uint8Array>();
  return {
    async read(name: string, maxBytes: number): Promise<Uint8Array> {
      const bytes = known.get(name) ?? (await source.read(name, maxBytes));
      known.set(name, bytes);
      return bytes;
    },
    contents: () =>
      Object.fromEntries([...known].map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')])),
  };
}

/** Text is compressed in pieces that can each be read without the following ones. */
const PIECE_LENGTH = 1 << 20;

/**
 * Writes a recording as compressed NDJSON: the header, the lines of the event log as JSON strings, the footer. A
 * recording that was cut off can be replayed up to there.
 */
export class RecordingWriter {
  readonly #sink: ByteSink;
  #piece: string;

  constructor(sink: ByteSink, berth: string, request: SimulationRequest, files: Header['files']) {
    const header: Header = { format: FORMAT, version: VERSION, berth, request, files };
    this.#sink = sink;
    this.#piece = `${JSON.stringify(header)}\n`;
  }

  write(line: string): void {
    this.#piece += `${JSON.stringify(line)}\n`;
    if (this.#piece.length >= PIECE_LENGTH) this.#flush();
  }

  end(footer: Footer): void {
    this.#piece += `${JSON.stringify(footer)}\n`;
    this.#flush();
    this.#sink.close();
  }

  #flush(): void {
    this.#sink.write(gzipSync(this.#piece));
    this.#piece = '';
  }
}

/** A recording that was read: the run, and its result. */
export interface Recording {
  readonly berth: string;
  readonly request: SimulationRequest;
  readonly files: FileSource;
  /** The lines in their order. */
  lines(): Iterator<string>;
  /** The footer; undefined when the recording was cut off. */
  readonly footer: Footer | undefined;
}

/** @throws CodedError `NotARecording` */
export function readRecording(bytes: Uint8Array, file: string): Recording {
  const text = unzipped(bytes, file);
  const headerEnd = lineEnd(text, 0);
  const header = parsed(text, 0, headerEnd) as Header | undefined;
  if (header?.format !== FORMAT) throw notARecording(file, 'was not written by berth simulate --record');
  if (header.version !== VERSION) throw notARecording(file, `has version ${header.version}, not ${VERSION}`);
  const contents = new Map(Object.entries(header.files));
  const lastStart = text.lastIndexOf(LINE_FEED, text.length - 2) + 1;
  const last = lastStart > headerEnd ? parsed(text, lastStart, text.length) : undefined;
  const footer = typeof last === 'object' && last !== null ? (last as Footer) : undefined;
  return {
    berth: header.berth,
    request: header.request,
    files: {
      async read(name) {
        const content = contents.get(name);
        if (content === undefined) throw notARecording(file, `does not hold the file ${name}`);
        return Buffer.from(content, 'base64');
      },
    },
    *lines() {
      const end = footer === undefined ? text.length : lastStart;
      for (let start = headerEnd; start < end; ) {
        const next = lineEnd(text, start);
        const line = parsed(text, start, next);
        // The last line of a recording that was cut off may be incomplete.
        if (typeof line !== 'string') return;
        yield line;
        start = next;
      }
    },
    footer,
  };
}

const LINE_FEED = 0x0a;

function lineEnd(text: Buffer, start: number): number {
  const at = text.indexOf(LINE_FEED, start);
  return at < 0 ? text.length : at + 1;
}

function parsed(text: Buffer, start: number, end: number): unknown {
  try {
    return JSON.parse(text.toString('utf8', start, end));
  } catch {
    return undefined;
  }
}

function unzipped(bytes: Uint8Array, file: string): Buffer {
  try {
    return gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    throw notARecording(file, 'is not gzip-compressed');
  }
}

function notARecording(file: string, reason: string): CodedError<'NotARecording'> {
  return new CodedError('NotARecording', `${file}: ${reason}`);
}
